import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  type AddressSet,
  addressSetFrom,
  addressSetOf,
  type CidrBlock,
  readCidr,
} from '../../reading/address.ts';
import { invalid, type Reading, valid } from '../../reading/reading.ts';
import type { PublishedContent } from './published-document.ts';

const MAX_RANGES = 10_000;
/** No assistant needs more, and a list that has more is broken or was exchanged: it must not open the door to the world. */
const MIN_PREFIX = { ipv4: 8, ipv6: 16 } as const;
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

/** As OpenAI, Anthropic, Google, Perplexity and most others publish them; members that are not named here are ignored. */
const PrefixList = Type.Object({
  prefixes: Type.Array(
    Type.Union([
      Type.String(),
      Type.Object({ ipv4Prefix: Type.String(), ipv6Prefix: Type.Optional(Type.String()) }),
      Type.Object({ ipv6Prefix: Type.String(), ipv4Prefix: Type.Optional(Type.String()) }),
    ]),
  ),
});
const StringList = Type.Array(Type.String());
/** A published list has had them between and around its entries. */
const INVISIBLE = /[\s\u200b\u2060\ufeff]/g;

/** The networks in a published list. One entry that cannot be right refuses the whole list: who can say what else is wrong with it? */
export function readPublishedRanges(text: string): Reading<PublishedContent<AddressSet>> {
  const listed = entriesOf(text);
  if (listed.kind === 'invalid') return listed;
  const cidrs = listed.value.map((entry) => entry.replaceAll(INVISIBLE, ''));
  if (cidrs.length === 0) return invalid('lists no network');
  if (cidrs.length > MAX_RANGES) return invalid(`lists more than ${MAX_RANGES} networks`);
  const blocks: CidrBlock[] = [];
  for (const cidr of cidrs) {
    const reading = readCidr(cidr);
    if (reading.kind === 'invalid') return invalid(...reading.faults);
    const fault = faultOf(reading.value);
    if (fault !== null) return invalid(`"${cidr}" ${fault}`);
    blocks.push(reading.value);
  }
  const ranges = addressSetOf(blocks);
  if (hasTooMany(ranges)) return invalid('covers more addresses than an assistant can have');
  const written = JSON.stringify(cidrs.toSorted());
  return valid({ content: ranges, text: written, identity: written, count: cidrs.length, dropped: 0 });
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
  if (Value.Check(StringList, json)) return valid(json);
  if (!Value.Check(PrefixList, json)) {
    return invalid(
      'is neither {"prefixes": [{"ipv4Prefix" or "ipv6Prefix": "…"}]} nor a list of strings nor lines of networks',
    );
  }
  return valid(
    json.prefixes.flatMap((entry) =>
      typeof entry === 'string'
        ? [entry]
        : [entry.ipv4Prefix, entry.ipv6Prefix].filter((cidr) => cidr !== undefined),
    ),
  );
}

/** A network on each line; what follows a `#` is a comment. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').replaceAll(INVISIBLE, ''))
    .filter((line) => line !== '');
}

function faultOf(block: CidrBlock): string | null {
  if (block.prefix < MIN_PREFIX[block.base.kind()]) return 'is wider than a published network can be';
  const { ipv4, ipv6 } = addressSetOf([block]);
  const isOutside = meet(NOT_PUBLIC.ipv4, ipv4) || meet(NOT_PUBLIC.ipv6, ipv6);
  return isOutside ? 'is not, or not only, a public network' : null;
}

function meet(some: AddressSet['ipv4'], others: AddressSet['ipv4']): boolean {
  return some.some((one) => others.some((other) => one.first <= other.last && other.first <= one.last));
}

function hasTooMany({ ipv4, ipv6 }: AddressSet): boolean {
  return addressesIn(ipv4) > MAX_ADDRESSES.ipv4 || addressesIn(ipv6) > MAX_ADDRESSES.ipv6;
}

function addressesIn(ranges: AddressSet['ipv4']): bigint {
  return ranges.reduce((sum, { first, last }) => sum + (last - first) + 1n, 0n);
}
