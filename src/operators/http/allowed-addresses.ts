import type { IPv6 } from 'ipaddr.js';
import { type Address, addressSetFrom, parseAddress } from '../../reading/address.ts';

/** Which addresses an operator's server may have. */
export type AllowedAddresses = { allows(address: string): boolean };

// Each carries an IPv4 address inside, which a gateway on the way may connect to.
const NAT64 = addressSetFrom(['64:ff9b::/96', '64:ff9b:1::/48']);
const SIX_TO_FOUR = addressSetFrom(['2002::/16', '2001::/32']);

/**
 * Public addresses, and the networks that the owner names. Whoever writes an address into the network file, or answers for a
 * name in it, must not be able to make the service call its own machine, its neighbours or a cloud's metadata.
 */
export function createAllowedAddresses(networks: readonly string[]): AllowedAddresses {
  const named = addressSetFrom(networks);
  return {
    allows(text) {
      const address = parseAddress(text);
      return address !== undefined && (named.has(address) || isPublic(address));
    },
  };
}

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const isWrapped = NAT64.has(address) || SIX_TO_FOUR.has(address);
  // Deprecated site-local addresses are unicast to the library.
  const isSiteLocal = ((address as IPv6).parts[0] ?? 0) >>> 6 === 0xfec0 >>> 6;
  return address.range() === 'unicast' && !isWrapped && !isSiteLocal;
}
