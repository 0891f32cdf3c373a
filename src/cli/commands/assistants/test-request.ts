import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccessDecision, RefusalCause } from '../../../access/caller-facts.ts';
import type { AccessExplanation } from '../../../access/explain-access.ts';
import { parseAddress } from '../../../reading/address.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { UsageFault } from '../../faults.ts';
import {
  currentRegistry,
  type RegistryCommandOptions,
  withRegistry,
} from '../../registry/change-registry.ts';
import { type RawRequest, readRawRequest } from '../../registry/raw-request.ts';
import { paragraph, table } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { openSettings } from '../../workspace.ts';

export type TestRequestOptions = RegistryCommandOptions & { readonly from?: string };

const CAUSES: Readonly<Record<RefusalCause, string>> = {
  unknown_caller: 'nobody who is registered is recognised by it',
  suspended: 'the assistant is suspended',
  browser: 'a browser sent it',
  other_host: 'its Host is no name of this service',
  unknown_address: 'it is not known from which address it comes',
  invalid_signature: 'its signature is wrong',
  replayed_signature: 'its signature was used before',
};

/** Which assistant a request would be recognised as by the registry as it is now, or why it would be refused. */
export async function testRequest(
  file: string,
  options: TestRequestOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const { from } = options;
  if (from !== undefined && !parseAddress(from)) {
    throw new UsageFault(['--from is no address.'], 'give one such as 203.0.113.7 or 2001:db8::7');
  }
  const request = await requestIn(file, tools);
  const settings = openSettings(tools, options.data === undefined ? {} : { data: options.data });
  return withRegistry(tools, options, async (opened) => {
    const { registry } = await currentRegistry(opened);
    const facts = { ...request, peerAddress: from ?? '' };
    const judgement = await tools.judgeCaller({ registry, settings, facts });
    const { decision, tried } = judgement;
    return {
      exit: decision.kind === 'approved' ? EXIT.done : EXIT.faults,
      json: { registry: opened.where, decision, tried },
      text: judgementText(judgement, tools.terminal),
    };
  });
}

async function requestIn(file: string, { directory, readInput }: CliTools): Promise<RawRequest> {
  const text = file === '-' ? await readInput() : readFileSync(resolve(directory, file), 'utf8');
  const reading = readRawRequest(text);
  if (reading.kind === 'valid') return reading.value;
  const name = file === '-' ? 'The input' : file;
  throw new UsageFault(
    reading.faults.map((fault) => `${name} ${fault}.`),
    'give the request line and the headers as they arrive; what curl -v prints will do',
  );
}

function judgementText({ decision, tried }: AccessExplanation, { styled }: Pick<Terminal, 'styled'>): string {
  const rows = tried.map(({ assistant, way, outcome, why }) => [
    `${outcome === 'recognised' ? styled('good', '✔') : styled('faint', '–')} ${assistant}`,
    way,
    why,
  ]);
  return [paragraph(decisionText(decision)), ...(rows.length > 0 ? ['', table(rows)] : [])].join('\n');
}

function decisionText(decision: AccessDecision): string {
  if (decision.kind === 'approved') {
    return `Answered: it is ${decision.assistant}, recognised by its ${decision.way.replace('_', ' ')}.`;
  }
  const { cause, assistant } = decision;
  return `Refused: ${CAUSES[cause]}${assistant === null ? '' : ` (${assistant})`}.`;
}
