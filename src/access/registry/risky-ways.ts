import {
  addressSetFrom,
  cidrsOf,
  isAmong,
  isWithin,
  LOOPBACK_NETWORKS,
  readCidr,
} from '../../parsing/ip-address.ts';
import { liesUnder } from '../confirmed-names.ts';
import { MIN_PREFIX } from '../widest-networks.ts';
import { type Assistant, type AssistantRegistry, LOCAL, type Recognition } from './assistant-registry.ts';
import type { WayInDocument } from './registry-file.ts';

/** Anybody can rent a machine, and with it a name, under these. */
const RENTED_NAMES = [
  'amazonaws.com',
  'googleusercontent.com',
  'cloudapp.azure.com',
  'cloudapp.net',
  'linodeusercontent.com',
  'your-server.de',
  'ovh.net',
  'contaboserver.net',
  'hstgr.cloud',
  'vultrusercontent.com',
];
/** Every browser sends them. */
const BROWSER_TOKENS = ['mozilla', 'applewebkit', 'chrome', 'safari', 'firefox', 'gecko'];

/** Why a way would let in more than one assistant, each reason a whole sentence. Lists in files and at addresses are not looked into. */
export function risksOf(way: WayInDocument): readonly string[] {
  const networks = 'network' in way ? way.network : 'ranges' in way ? way.ranges : [];
  return [
    ...networks.flatMap(tooLarge),
    ...networks.flatMap(loopback),
    ...('reverse_dns' in way ? way.reverse_dns.flatMap(rentedName) : []),
    ...('user_agent' in way ? browserToken(way.user_agent) : []),
  ];
}

/** The risks of an assistant in force, less those of ways that only admit callers of the trusted networks. */
export function risksBeyondTrusted(
  assistant: Assistant,
  { assistants }: AssistantRegistry,
): readonly string[] {
  const trusted = assistants.find(({ id }) => id === LOCAL)?.recognisedBy ?? [];
  const isTrusted = (way: Recognition) => {
    const from = way.kind === 'ranges' ? way.ranges : way.kind === 'network' ? way.networks : null;
    return (
      from !== null && trusted.some((local) => local.kind === 'network' && isWithin(from, local.networks))
    );
  };
  return risksOfAssistant({
    ...assistant,
    recognisedBy: assistant.recognisedBy.filter((way) => !isTrusted(way)),
  });
}

/** Of an assistant as it is in force, lists in files among its ways. One that is suspended lets in nobody; the trusted networks are a setting of their own. */
export function risksOfAssistant({ id, status, recognisedBy }: Assistant): readonly string[] {
  if (status === 'suspended' || id === LOCAL) return [];
  return [...new Set(recognisedBy.flatMap((way) => risksOf(inDocument(way))))];
}

function inDocument(way: Recognition): WayInDocument {
  switch (way.kind) {
    case 'signature':
      return { jwks_uri: way.keysUrl };
    case 'ranges':
      return { user_agent: way.userAgent, ranges: [...cidrsOf(way.ranges)] };
    case 'published_ranges':
      return { user_agent: way.userAgent, ranges_url: way.url };
    case 'reverse_dns':
      return { user_agent: way.userAgent, reverse_dns: [...way.domains] };
    case 'network':
      return { network: [...cidrsOf(way.networks)] };
  }
}

function tooLarge(cidr: string): readonly string[] {
  const reading = readCidr(cidr);
  if (reading.kind === 'invalid') return [];
  const { base, prefix } = reading.value;
  if (prefix >= MIN_PREFIX[base.kind()]) return [];
  return prefix === 0
    ? [`${cidr} is every address there is.`]
    : [`${cidr} is so large that it holds the machines of many others.`];
}

function loopback(cidr: string): readonly string[] {
  const reading = readCidr(cidr);
  if (reading.kind === 'invalid' || reading.value.prefix === 0) return [];
  return LOOPBACK_NETWORKS.some((own) => meet(cidr, own))
    ? [`${cidr} reaches this machine itself: all that a proxy on it forwards unmarked would be let in.`]
    : [];
}

/** Of two networks that meet, one holds the other, and so its first address. */
function meet(one: string, other: string): boolean {
  return holdsFirstOf(one, other) || holdsFirstOf(other, one);
}

function holdsFirstOf(network: string, other: string): boolean {
  const reading = readCidr(other);
  return reading.kind === 'valid' && isAmong(addressSetFrom([network]), reading.value.base);
}

function rentedName(domain: string): readonly string[] {
  const name = domain.replace(/^\./, '').toLowerCase();
  return RENTED_NAMES.some((rented) => liesUnder(name, rented))
    ? [`Anybody can rent a machine whose name ends in ${name}.`]
    : [];
}

function browserToken(token: string): readonly string[] {
  return BROWSER_TOKENS.includes(token.toLowerCase())
    ? [`${token} is in the User-Agent of every browser, and tells nobody apart.`]
    : [];
}
