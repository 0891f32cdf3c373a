import { hash } from 'node:crypto';
import {
  addressSetFrom,
  cidrsOf,
  isAmong,
  isWithin,
  LOOPBACK_NETWORKS,
  readCidr,
} from '../../parsing/ip-address.ts';
import { MIN_PREFIX } from '../published/read-published-document.ts';
import { liesUnder } from '../reverse-dns.ts';
import { type Assistant, type AssistantRegistry, LOCAL, type Recognition } from './assistant-registry.ts';
import type { WayInDocument } from './registry-file.ts';

const MAX_LISTED = 3;
const MAX_URL_LENGTH = 200;
const DIGEST_LENGTH = 12;

/** A way of recognition in a few words, the same for equal ways. Long lists are shown by their beginning and a digest. */
export function describeWay(way: Recognition): string {
  switch (way.kind) {
    case 'signature':
      return `signature by keys at ${shownUrl(way.keysUrl)}`;
    case 'ranges':
      return `${way.userAgent} from ${listed(cidrsOf(way.ranges))}`;
    case 'published_ranges':
      return `${way.userAgent} from the list at ${shownUrl(way.url)}`;
    case 'reverse_dns':
      return `${way.userAgent} from names under ${listed(way.domains)}`;
    case 'network':
      return `network ${listed(cidrsOf(way.networks))}`;
  }
}

/** Without the query, which may hold a secret. */
function shownUrl(url: string): string {
  return url.replace(/[?#].*$/s, '').slice(0, MAX_URL_LENGTH);
}

function listed(entries: readonly string[]): string {
  const shown = entries.slice(0, MAX_LISTED).join(', ');
  if (entries.length <= MAX_LISTED) return shown;
  const digest = hash('sha256', entries.join(' ')).slice(0, DIGEST_LENGTH);
  return `${shown} and ${entries.length - MAX_LISTED} more (${digest})`;
}

/** Domains under which anyone can rent a machine with a name. */
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
/** Tokens that every browser sends. */
const BROWSER_TOKENS = ['mozilla', 'applewebkit', 'chrome', 'safari', 'firefox', 'gecko'];

/** Why a way would admit more than one assistant, each reason a whole sentence. Does not read lists in files or at URLs. */
export function risksOf(way: WayInDocument): readonly string[] {
  const networks = 'network' in way ? way.network : 'ranges' in way ? way.ranges : [];
  return [
    ...networks.flatMap(tooLarge),
    ...networks.flatMap(loopback),
    ...('reverse_dns' in way ? way.reverse_dns.flatMap(rentedName) : []),
    ...('user_agent' in way ? browserToken(way.user_agent) : []),
  ];
}

/** The risks of an assistant in force, except for ways that only admit callers of the trusted networks. */
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

/**
 * The risks of an assistant in force, including lists in files. A suspended one admits no callers; trusted networks are a separate setting.
 */
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

/** Two networks overlap only if one contains the other, and so its first address. */
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
