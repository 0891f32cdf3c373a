import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  type AddressSet,
  addressSetFrom,
  addressSetOf,
  type CidrBlock,
  readCidr,
} from '../../parsing/ip-address.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { type PublicKey, readPublicKey } from '../signatures/keys.ts';
import type { PublishedContent } from './published-document.ts';

/** A key with its period of validity, in epoch seconds. */
export type DatedKey = {
  readonly key: PublicKey;
  readonly notBefore: number | null;
  readonly notAfter: number | null;
};

const MAX_KEYS = 100;

/** Base64url without padding (RFC 7515, 2). */
const Base64url = Type.String({ pattern: '^[A-Za-z0-9_-]+$' });
const KeySet = Type.Object({ keys: Type.Array(Type.Unknown()) });
/** The members of a key that are read here; `readPublicKey` decides whether the key is usable. */
const Entry = Type.Object({
  x: Type.Optional(Base64url),
  y: Type.Optional(Base64url),
  n: Type.Optional(Base64url),
  e: Type.Optional(Base64url),
  nbf: Type.Optional(Type.Number()),
  exp: Type.Optional(Type.Number()),
});

/**
 * The keys in a JSON Web Key Set that can verify signatures. Other keys are dropped and counted, because a publisher may have keys for
 * other purposes. A set may be empty: that withdraws all keys.
 */
export function readPublishedKeys(text: string): Reading<PublishedContent<readonly DatedKey[]>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return invalid('is not valid JSON');
  }
  if (!Value.Check(KeySet, json)) return invalid('is not a JSON Web Key Set: {"keys": […]}');
  if (json.keys.length > MAX_KEYS) return invalid(`has more than ${MAX_KEYS} keys`);
  const content = json.keys.map(readKey).filter((key) => key !== null);
  return valid({
    content,
    text: JSON.stringify({ keys: content.map(written) }),
    identity: JSON.stringify(content.map(({ key }) => key)),
    count: content.length,
    dropped: json.keys.length - content.length,
  });
}

function readKey(json: unknown): DatedKey | null {
  if (!Value.Check(Entry, json)) return null;
  const reading = readPublicKey(json);
  if (reading.kind === 'invalid') return null;
  // Exported again, so that a key has one spelling.
  const key = reading.value.key.export({ format: 'jwk' }) as PublicKey;
  return { key, notBefore: json.nbf ?? null, notAfter: json.exp ?? null };
}

function written({ key, notBefore, notAfter }: DatedKey) {
  return {
    ...key,
    ...(notBefore === null ? {} : { nbf: notBefore }),
    ...(notAfter === null ? {} : { exp: notAfter }),
  };
}

/** The shortest prefixes of networks that can belong to one assistant: wider ones contain the machines of many owners. */
export const MIN_PREFIX = { ipv4: 8, ipv6: 16 } as const;

const MAX_RANGES = 10_000;
/** No assistant needs more. A list with more is broken or was replaced, and must not admit everyone. */
const MAX_ADDRESSES = { ipv4: 1n << 25n, ipv6: 1n << 113n } as const;

/** Networks from which no caller of the internet can come. */
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
  // Special networks in the assigned space, then the whole unassigned space.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '::/3',
  '4000::/2',
  '8000::/1',
]);

/** Characters that occurred in a published list between and around its entries. */
const INVISIBLE = /[\s\u200b\u2060\ufeff]/g;

/** Reads the networks of a fetched list. */
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

/** Reads the networks of a list that the owner has saved, which may include private networks. */
export function readSavedRanges(json: unknown): Reading<AddressSet> {
  const listed = entriesIn(json);
  if (listed.kind === 'invalid') return listed;
  const reading = readNetworks(listed.value);
  return reading.kind === 'invalid' ? reading : valid(reading.value.ranges);
}

type Networks = { readonly cidrs: readonly string[]; readonly ranges: AddressSet };

/** One wrong entry rejects the whole list, because the others are doubtful then. */
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
 * Strings, or objects as OpenAI, Anthropic, Google, Perplexity and most others publish them; other members are ignored. Null if an entry is
 * neither. Without a schema, which would take most of the time for thousands of entries.
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

/** A network on each line; `#` begins a comment. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').replaceAll(INVISIBLE, ''))
    .filter((line) => line !== '');
}

/** Both are sorted, so the first of `others` that ends behind the beginning of a range decides. */
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
