import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccessDecision, CallerFacts, RefusalCause } from '../../../access/caller-facts.ts';
import { currentRegistry } from '../../../access/registry/change-registry.ts';
import type { InvalidSignature } from '../../../access/web-bot-auth/signature-rules.ts';
import { parseAddress } from '../../../parsing/ip-address.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import {
  type CallerJudgement,
  type CliSettings,
  type CliTools,
  type CommandResult,
  EXIT,
} from '../../command.ts';
import { UsageFault } from '../../faults.ts';
import { paragraph, type Terminal, table, warningLines } from '../../terminal.ts';
import {
  documentText,
  hostsToSignFor,
  lastFetchText,
  NO_HOST_TO_SIGN_FOR,
  publishedData,
  type RegistryCommandOptions,
  withRegistry,
} from './registry.ts';

type TestRequestOptions = RegistryCommandOptions & { readonly from?: string };

const CAUSES: Readonly<Record<RefusalCause, string>> = {
  unknown_caller: 'nobody who is registered is recognised by it',
  suspended: 'the assistant is suspended',
  browser: 'a browser sent it',
  other_host: 'its Host is no name of this service',
  unknown_address: 'it is not known from which address it comes',
  invalid_signature: 'its signature is wrong',
  replayed_signature: 'its signature was used before',
};

/** Faults of a signature for another host, or of one whose Host a proxy has replaced. */
const ABOUT_THE_HOST: readonly string[] = ['other_authority', 'signature_wrong'] satisfies InvalidSignature[];

/** Shows which assistant a service would recognise in a request, by the current settings and registry, or why it would refuse it. */
export async function testRequest(
  file: string,
  options: TestRequestOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const { from } = options;
  if (from !== undefined && !parseAddress(from)) {
    throw new UsageFault(['--from is no address.'], 'give one such as 203.0.113.7 or 2001:db8::7');
  }
  const { rawHeaders, ...request } = await requestIn(file, tools);
  return withRegistry(tools, options, async (opened, settings) => {
    const { registry } = await currentRegistry(opened);
    const facts = { ...request, peerAddress: from ?? '' };
    const judgement = await tools.judgeCaller({ registry, settings, facts, rawHeaders });
    const { decision, tried, published } = judgement;
    const advice = adviceOn(judgement, settings, from);
    const missing = published.filter(({ isTooOld }) => isTooOld).map(missingText);
    return {
      exit: decision.kind === 'approved' ? EXIT.done : EXIT.faults,
      json: { registry: opened.where, decision, advice, tried, published: publishedData(published) },
      text: [
        paragraph(decisionText(decision)),
        ...advice.map((one) => paragraph(`→ ${one}`, '  ')),
        ...(tried.length > 0 ? ['', triedText(tried, tools.terminal)] : []),
        ...(missing.length > 0 ? ['', ...warningLines(missing, tools.terminal)] : []),
      ].join('\n'),
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

function triedText(tried: CallerJudgement['tried'], { styled }: Pick<Terminal, 'styled'>): string {
  return table(
    tried.map(({ assistant, way, outcome, why }) => [
      `${outcome === 'recognised' ? styled('good', '✔') : styled('faint', '–')} ${assistant}`,
      way,
      why,
    ]),
  );
}

/** Advice that does not follow from the list of tried ways. */
function adviceOn(
  { decision, signature, tried }: CallerJudgement,
  settings: Pick<CliSettings, 'publicUrl' | 'hosts'>,
  from: string | undefined,
): readonly string[] {
  if (decision.kind === 'approved') return [];
  const hosts = hostsToSignFor(settings);
  if (decision.cause === 'other_host') {
    const ours = hosts === null ? '' : `${hosts}, `;
    return [
      `By the environment of this command, the service answers under ${ours}localhost, and addresses. A name that a proxy sends belongs into STAYWIRE_HOSTS.`,
    ];
  }
  const isAboutHost = signature.kind === 'invalid' && ABOUT_THE_HOST.includes(signature.why);
  if (decision.cause === 'invalid_signature' && isAboutHost) {
    return [
      hosts === null
        ? NO_HOST_TO_SIGN_FOR
        : `It has to be made for ${hosts}, by the environment of this command, and to arrive with that Host.`,
    ];
  }
  const isByPlace = tried.some(({ way }) => way !== 'signature');
  const isUnknown = decision.cause === 'unknown_address' || decision.cause === 'unknown_caller';
  return from === undefined && isUnknown && isByPlace
    ? ['Ranges, reverse DNS and networks need to know where it comes from: add --from ADDRESS.']
    : [];
}

function missingText(status: CallerJudgement['published'][number]): string {
  const failure = status.lastFailure === null ? 'has not ended' : `has failed: ${status.lastFailure.detail}`;
  return `Nobody is recognised by the ${documentText(status)}: ${lastFetchText(status)}; a try just now ${failure}`;
}

function decisionText(decision: AccessDecision): string {
  if (decision.kind === 'approved') {
    return `Answered: it is ${decision.assistant}, recognised by its ${decision.way.replace('_', ' ')}.`;
  }
  const { cause, assistant } = decision;
  return `Refused: ${CAUSES[cause]}${assistant === null ? '' : ` (${assistant})`}.`;
}

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/\d(?:\.\d)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/;
/** Of repeated headers with these names the first counts; all others are joined into a list, as Node does. */
const COUNT_ONCE = [
  'host',
  'user-agent',
  'referer',
  'from',
  'content-type',
  'content-length',
  'authorization',
];

type RawRequest = Pick<CallerFacts, 'method' | 'target' | 'headers'> & {
  /** Names and values in turn, with repeated headers. */
  readonly rawHeaders: readonly string[];
};

/** Reads a request line and headers. Also understands the output of `curl -v`, where `> ` marks the sent lines. */
export function readRawRequest(text: string): Reading<RawRequest> {
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const sent = all.filter((line) => /^>(?: |$)/.test(line)).map((line) => line.replace(/^> ?/, ''));
  const lines = sent.length > 0 ? sent : all;
  const begin = lines.findIndex((line) => line.trim() !== '');
  const [, method, target] = REQUEST_LINE.exec(lines[begin]?.trimEnd() ?? '') ?? [];
  if (method === undefined || target === undefined) {
    return invalid('does not begin with a line such as GET /ai/v1/auth HTTP/1.1');
  }
  const end = lines.findIndex((line, index) => index > begin && line.trim() === '');
  const headers = new Map<string, string>();
  const rawHeaders: string[] = [];
  for (const line of lines.slice(begin + 1, end < 0 ? undefined : end)) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      return invalid(`has a line that is no header: ${line.slice(0, 40)}`);
    }
    rawHeaders.push(name, value.trim());
    const key = name.toLowerCase();
    const before = headers.get(key);
    if (before === undefined) headers.set(key, value.trim());
    else if (!COUNT_ONCE.includes(key)) headers.set(key, `${before}, ${value.trim()}`);
  }
  return valid({ method, target, headers: Object.fromEntries(headers), rawHeaders });
}
