import { type Address, addressSetFrom, isAmong, parseAddress } from '../parsing/ip-address.ts';

/** Which addresses an operator's server may have. */
export type AllowedAddresses = {
  allows(address: string): boolean;
  /** What is said of an address that is not allowed. */
  readonly refusal: string;
};

const NOT_PUBLIC =
  'the server is at an address that is not public; STAYWIRE_OPERATOR_NETWORKS allows networks, such as 127.0.0.0/8 for this machine';

/** The addresses that the world's networks are in; the rest of IPv6 is special or not given out. */
const GLOBAL_IPV6 = addressSetFrom(['2000::/3']);
// Public by its number, but the platform's own agent to every machine in a well-known cloud.
const CLOUD_AGENTS = addressSetFrom(['168.63.129.16']);
// They carry an IPv4 address inside, which a gateway on the way may connect to.
const SIX_TO_FOUR = addressSetFrom(['2002::/16', '2001::/32']);

/**
 * Public addresses, and the networks that the owner names. Whoever writes an address into the network file, or answers for a
 * name in it, must not be able to make the service call its own machine, its neighbours or a cloud's metadata.
 */
export function createAllowedAddresses(networks: readonly string[], refusal = NOT_PUBLIC): AllowedAddresses {
  const named = addressSetFrom(networks);
  return {
    refusal,
    allows(text) {
      const address = parseAddress(text);
      return address !== undefined && (isAmong(named, address) || isPublic(address));
    },
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isAmong(CLOUD_AGENTS, address)) return false;
  if (address.kind() === 'ipv4') return true;
  return isAmong(GLOBAL_IPV6, address) && !isAmong(SIX_TO_FOUR, address);
}
