import {
  type AddressSet,
  addressSetFrom,
  addressSetOf,
  type CidrBlock,
  readCidr,
} from '../../parsing/ip-address.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { MIN_PREFIX } from '../widest-networks.ts';
import type { PublishedContent } from './published-document.ts';

const MAX_RANGES = 10_000;
/** No assistant needs more, and a list that has more is broken or was exchanged: it must not open the door to the world. */
const MAX_ADDRESSES = { ipv4: 1n << 25n, ipv6: 1n << 113n } as const;

/** Where no caller from the internet can be. */
const NOT_PUBLIC = addressSetFrom([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // The special part of the networks that are given out, then all that are not.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '::/3',
  '4000::/2',
  '8000::/1',
]);

/** A published list has had them between and around its entries. */
const INVISIBLE = /[\s\u200b\u2060\ufeff]/g;

/** The networks in a list that was fetched. */
export function readPublishedRanges(text: string): Reading<PublishedContent<AddressSet>> {
  const listed = entriesOf(text);
  if (listed.kind === 'invalid') return listed;
  const reading = readNetworks(listed.value);
  if (reading.kind === 'invalid') return reading;
  const { cidrs, ranges } = reading.value;
  if (meet(NOT_PUBLIC.ipv4, ranges.ipv4) || meet(NOT_PUBLIC.ipv6, ranges.ipv6)) {
    return invalid('lists networks that are not, or not only, public');
  }
  const written = JSON.stringify(cidrs.toSorted());
  return valid({ content: ranges, text: written, identity: written, count: cidrs.length, dropped: 0 });
}

/** Those in a list that the owner has saved, who may also name networks of their own there. */
export function readSavedRanges(json: unknown): Reading<AddressSet> {
  const listed = entriesIn(json);
  if (listed.kind === 'invalid') return listed;
  const reading = readNetworks(listed.value);
  return reading.kind === 'invalid' ? reading : valid(reading.value.ranges);
}

type Networks = { readonly cidrs: readonly string[]; readonly ranges: AddressSet };

/** One entry that cannot be right refuses the whole list: who can say what else is wrong with it? */
function readNetworks(entries: readonly string[]): Reading<Networks> {
  const cidrs = entries.map((entry) => entry.replaceAll(INVISIBLE, ''));
  if (cidrs.length === 0) return invalid('lists no network');
  if (cidrs.length > MAX_RANGES) return invalid(`lists more than ${MAX_RANGES} networks`);
  const blocks: CidrBlock[] = [];
  for (const cidr of cidrs) {
    const reading = readCidr(cidr);
    if (reading.kind === 'invalid') return invalid(...reading.faults);
    const { base, prefix } = reading.value;
    if (prefix < MIN_PREFIX[base.kind()])
      return invalid(`"${cidr}" is wider than a published network can be`);
    blocks.push(reading.value);
  }
  const ranges = addressSetOf(blocks);
  return hasTooMany(ranges)
    ? invalid('covers more addresses than an assistant can have')
    : valid({ cidrs, ranges });
}

function entriesOf(text: string): Reading<readonly string[]> {
  const start = text.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return valid(linesOf(text));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return invalid('is not valid JSON');
  }
  return entriesIn(json);
}

function entriesIn(json: unknown): Reading<readonly string[]> {
  const entries = Array.isArray(json) ? json : membersOf(json).prefixes;
  const cidrs = Array.isArray(entries) ? cidrsIn(entries) : null;
  return cidrs
    ? valid(cidrs)
    : invalid(
        'is neither {"prefixes": [{"ipv4Prefix" or "ipv6Prefix": "…"}]} nor a list of strings nor lines of networks',
      );
}

/**
 * Strings, or objects as OpenAI, Anthropic, Google, Perplexity and most others publish them; other members are ignored. Null when one entry is
 * neither. By hand: of a list with thousands of entries, a schema would take most of the time.
 */
function cidrsIn(entries: readonly unknown[]): readonly string[] | null {
  const cidrs: string[] = [];
  for (const entry of entries) {
    const { ipv4Prefix, ipv6Prefix } = membersOf(entry);
    const named = typeof entry === 'string' ? [entry] : [ipv4Prefix, ipv6Prefix];
    const given = named.filter((cidr) => cidr !== undefined);
    if (given.length === 0) return null;
    for (const cidr of given) {
      if (typeof cidr !== 'string') return null;
      cidrs.push(cidr);
    }
  }
  return cidrs;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A network on each line; what follows a `#` is a comment. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').replaceAll(INVISIBLE, ''))
    .filter((line) => line !== '');
}

/** Both are sorted, so that the first of `others` that ends behind the beginning of one decides. */
function meet(some: AddressSet['ipv4'], others: AddressSet['ipv4']): boolean {
  let at = 0;
  return some.some(({ first, last }) => {
    while ((others[at]?.last ?? first) < first) at += 1;
    const next = others[at];
    return next !== undefined && next.first <= last;
  });
}

function hasTooMany({ ipv4, ipv6 }: AddressSet): boolean {
  return addressesIn(ipv4) > MAX_ADDRESSES.ipv4 || addressesIn(ipv6) > MAX_ADDRESSES.ipv6;
}

function addressesIn(ranges: AddressSet['ipv4']): bigint {
  return ranges.reduce((sum, { first, last }) => sum + (last - first) + 1n, 0n);
}
