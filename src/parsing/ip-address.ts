import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalid, type Reading, valid } from './reading.ts';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

const IPV4_COMPATIBLE = /^::\d+\.\d+\.\d+\.\d+$/;

/**
 * Each address has one form: `::ffff:127.0.0.1` is 127.0.0.1. Short and octal spellings (`127.1`, `0177.0.0.1`) are
 * refused, and so is the deprecated `::127.0.0.1`, because parsers disagree on which machine it means.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0) return undefined;
  const [withoutZone = ''] = text.split('%', 1);
  return IPV4_COMPATIBLE.test(withoutZone) ? undefined : ipaddr.process(withoutZone);
}

export const LOOPBACK_NETWORKS: readonly string[] = ['127.0.0.0/8', '::1'];

export type CidrBlock = { readonly base: Address; readonly prefix: number };

/** An address without a prefix is a network of one. Bits set beyond the prefix are a fault, probably a typing error. */
export function readCidr(text: string): Reading<CidrBlock> {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const parsed = parseAddress(addressText);
  if (!parsed || rest.length > 0 || addressText.includes('%')) {
    return invalid(`"${text}" is not an address or a network such as 203.0.113.0/24`);
  }
  const wasMapped = parsed.kind() === 'ipv4' && addressText.includes(':');
  const bits = wasMapped || parsed.kind() === 'ipv6' ? 128 : 32;
  const written = prefixText === undefined ? bits : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : -1;
  const prefix = wasMapped ? written - 96 : written;
  const width = widthOf(parsed);
  if (prefix < 0 || prefix > width) {
    return invalid(`"${text}" has a prefix that is not between 0 and ${width}`);
  }
  if (numberOf(parsed) % (1n << BigInt(width - prefix)) !== 0n) {
    return invalid(`"${text}" has bits set beyond its prefix; write the first address of the network`);
  }
  return valid({ base: parsed, prefix });
}

/** Sorted, separate ranges. Plain data, so that it can be sent to another thread. */
export type AddressSet = { readonly ipv4: readonly AddressRange[]; readonly ipv6: readonly AddressRange[] };

export function addressSetOf(networks: readonly CidrBlock[]): AddressSet {
  return {
    ipv4: mergedRanges(networks.filter(({ base }) => base.kind() === 'ipv4')),
    ipv6: mergedRanges(networks.filter(({ base }) => base.kind() === 'ipv6')),
  };
}

/** By binary search: published lists have thousands of entries, and any caller can cause a lookup. */
export function isAmong({ ipv4, ipv6 }: AddressSet, address: Address): boolean {
  const ranges = address.kind() === 'ipv4' ? ipv4 : ipv6;
  const wanted = numberOf(address);
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (!range) return false;
    if (wanted < range.first) high = middle - 1;
    else if (wanted > range.last) low = middle + 1;
    else return true;
  }
  return false;
}

/** Whether every address of one set is in the other. */
export function isWithin(inner: AddressSet, outer: AddressSet): boolean {
  return (['ipv4', 'ipv6'] as const).every((family) =>
    inner[family].every(({ first, last }) =>
      outer[family].some((range) => range.first <= first && last <= range.last),
    ),
  );
}

/** For lists that were validated before: throws at a bad entry, which is a bug. */
export function addressSetFrom(cidrs: readonly string[]): AddressSet {
  return addressSetOf(
    cidrs.map((cidr) => {
      const reading = readCidr(cidr);
      if (reading.kind === 'invalid') throw new RangeError(reading.faults.join('; '));
      return reading.value;
    }),
  );
}

/** The networks of a set, IPv4 first. A single address has no prefix. */
export function cidrsOf({ ipv4, ipv6 }: AddressSet): readonly string[] {
  return [...ipv4.flatMap((range) => cidrsIn(range, 32)), ...ipv6.flatMap((range) => cidrsIn(range, 128))];
}

function cidrsIn({ first, last }: AddressRange, width: number): readonly string[] {
  const cidrs: string[] = [];
  for (let from = first; from <= last; ) {
    let prefix = width;
    const sizeOf = (length: number) => 1n << BigInt(width - length);
    while (prefix > 0 && from % sizeOf(prefix - 1) === 0n && from + sizeOf(prefix - 1) - 1n <= last)
      prefix -= 1;
    cidrs.push(prefix === width ? textOf(from, width) : `${textOf(from, width)}/${prefix}`);
    from += sizeOf(prefix);
  }
  return cidrs;
}

function textOf(number: bigint, width: number): string {
  const bytes = Array.from({ length: width / 8 }, (_, index) =>
    Number((number >> BigInt(width - 8 * (index + 1))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

type AddressRange = { readonly first: bigint; last: bigint };

function mergedRanges(networks: readonly CidrBlock[]): readonly AddressRange[] {
  const ranges: AddressRange[] = networks.map(({ base, prefix }) => {
    const first = numberOf(base);
    return { first, last: first + (1n << BigInt(widthOf(base) - prefix)) - 1n };
  });
  ranges.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const merged: AddressRange[] = [];
  for (const range of ranges) {
    const previous = merged.at(-1);
    if (previous && range.first <= previous.last) {
      if (range.last > previous.last) previous.last = range.last;
    } else merged.push(range);
  }
  return merged;
}

function widthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function numberOf(address: Address): bigint {
  return address.toByteArray().reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

const LOOPBACK = 'loopback';

/** The customer behind an address. An IPv6 customer has a whole /64, and a program on this machine all of 127.0.0.0/8: limits of single addresses there would have no effect. */
export function subscriberOf(address: string): string {
  if (!address.includes(':')) return address.startsWith('127.') ? LOOPBACK : address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return LOOPBACK;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
