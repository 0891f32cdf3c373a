import type { StateChange } from './audit-record.ts';

type AssistantState = { readonly id: string; readonly status: string };

/** Which assistants are in another state than before; at the start `before` is empty, so that all are told. */
export function stateChanges(
  before: readonly AssistantState[],
  after: readonly AssistantState[],
): readonly StateChange[] {
  const [earlier, later] = [statesOf(before), statesOf(after)];
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .map((assistant) => ({
      assistant,
      from: earlier.get(assistant) ?? null,
      to: later.get(assistant) ?? null,
    }))
    .filter(({ from, to }) => from !== to);
}

function statesOf(assistants: readonly AssistantState[]): ReadonlyMap<string, string> {
  return new Map(assistants.map(({ id, status }) => [id, status]));
}
