import assert from 'node:assert/strict';
import {
  type AssistantRegistry,
  describeAssistantRegistry,
} from '../../src/access/registry/assistant-registry.ts';
import type { AssistantLimits } from '../../src/sessions/assistant-limits.ts';

type Limits = Readonly<Record<string, AssistantLimits>>;

/**
 * Assistants with these limits, which change as an owner changes them. The first is in the network 10.0.0.0/24, the second in
 * 10.0.1.0/24, and so on; on this machine each is known by the User-Agent `<id>-User`.
 */
export function limitedAssistants(limits: Limits) {
  let assistants = assistantsWith(limits);
  return {
    registry: {
      get assistants() {
        return assistants;
      },
    } satisfies AssistantRegistry,
    change(changed: Limits): void {
      assistants = assistantsWith(changed);
    },
  };
}

function assistantsWith(limits: Limits): AssistantRegistry['assistants'] {
  const entries = Object.keys(limits).map((id, number) => ({
    id,
    name: id,
    status: 'approved',
    recognised_by: [
      { network: [`10.0.${number}.0/24`] },
      { user_agent: `${id}-User`, ranges: ['127.0.0.0/8'] },
    ],
  }));
  const reading = describeAssistantRegistry({ assistants: entries }, () => assert.fail('no file is named'));
  assert.ok(reading.kind === 'valid');
  return reading.value.assistants.map((one) => ({ ...one, limits: limits[one.id] }));
}
