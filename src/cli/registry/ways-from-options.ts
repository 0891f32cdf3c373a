import { describeAssistantRegistry } from '../../access/registry/assistant-registry.ts';
import type { WayInDocument } from '../../access/registry/registry-file.ts';
import { invalid } from '../../parsing/reading.ts';
import { UsageFault } from '../faults.ts';

export type WayOptions = {
  readonly signatureAgent?: string;
  readonly jwksUri?: string;
  readonly userAgent?: string;
  readonly ranges?: string;
  readonly rangesUrl?: string;
  readonly reverseDns?: string;
  readonly network?: string;
};

const NEED_USER_AGENT = {
  ranges: '--ranges',
  rangesUrl: '--ranges-url',
  reverseDns: '--reverse-dns',
} as const;

const FORMS: Readonly<Record<string, string>> = {
  signature_agent: '--signature-agent is no origin such as https://chatgpt.com.',
  jwks_uri: '--jwks-uri is no address such as https://assistant.example/keys.json.',
  user_agent: '--user-agent is no product token such as ChatGPT-User.',
  ranges: '--ranges names no network, such as 203.0.113.0/24.',
  network: '--network names no network, such as 10.20.0.0/16.',
  ranges_url: '--ranges-url is no address such as https://openai.com/chatgpt-user.json.',
  reverse_dns: '--reverse-dns names no domain of at least two labels, such as fetch.assistant.example.',
};

/** The ways of recognition that options of the command line describe, in the order in which they count. */
export function waysFromOptions(options: WayOptions): readonly WayInDocument[] {
  const { signatureAgent, jwksUri, userAgent, ranges, rangesUrl, reverseDns, network } = options;
  assertAgentIsProven(options);
  const user_agent = userAgent ?? '';
  const ways: readonly WayInDocument[] = [
    ...(signatureAgent === undefined ? [] : [{ signature_agent: signatureAgent.replace(/\/$/, '') }]),
    ...(jwksUri === undefined ? [] : [{ jwks_uri: jwksUri }]),
    ...(ranges === undefined ? [] : [{ user_agent, ranges: separated(ranges) }]),
    ...(rangesUrl === undefined ? [] : [{ user_agent, ranges_url: rangesUrl }]),
    ...(reverseDns === undefined ? [] : [{ user_agent, reverse_dns: separated(reverseDns) }]),
    ...(network === undefined ? [] : [{ network: separated(network) }]),
  ];
  const faults = [...new Set(ways.flatMap(faultsOf))];
  if (faults.length > 0) throw new UsageFault(faults, 'see docs/assistant-registry.md');
  return ways;
}

/** Anybody can send a User-Agent. */
function assertAgentIsProven(options: WayOptions): void {
  const needing = (['ranges', 'rangesUrl', 'reverseDns'] as const).filter(
    (name) => options[name] !== undefined,
  );
  const [first] = needing;
  if (first !== undefined && options.userAgent === undefined) {
    throw new UsageFault(
      [`${NEED_USER_AGENT[first]} needs the product token that the assistant sends.`],
      'give --user-agent as well, such as ChatGPT-User',
    );
  }
  if (first === undefined && options.userAgent !== undefined) {
    throw new UsageFault(
      ['A User-Agent alone proves nothing: anybody can send it.'],
      'say where it comes from too: --ranges, --ranges-url or --reverse-dns',
    );
  }
}

function faultsOf(way: WayInDocument): readonly string[] {
  const entry = { id: 'a', name: 'A', status: 'approved', recognised_by: [way] };
  const reading = describeAssistantRegistry({ assistants: [entry] }, () => invalid());
  if (reading.kind === 'valid') return [];
  return reading.faults.map((fault) => {
    const [, member, text] =
      /^assistants\[0\] \(a\)\.recognised_by\[0\](?:\.(\w+)[^:]*)?: (.*)$/.exec(fault) ?? [];
    const said = member === undefined ? text : (FORMS[member] ?? text);
    return said === undefined ? fault : said.replace(/[^.]$/, '$&.');
  });
}

function separated(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
