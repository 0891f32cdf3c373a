import ipaddr from 'ipaddr.js';

const LOOPBACK = 'loopback';

/** Who is behind an address. A single IPv6 customer has a /64 network, and a program on this machine all of 127.0.0.0/8: limiting single addresses there would have no effect. */
export function subscriberOf(address: string): string {
  if (!address.includes(':')) return address.startsWith('127.') ? LOOPBACK : address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return LOOPBACK;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
