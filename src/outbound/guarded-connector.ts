import type { LookupAddress, LookupOptions as SocketLookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { type Address, addressSetFrom, isAmong, parseAddress } from '../parsing/ip-address.ts';
import type { LookUpHost } from './look-up-host.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** How a socket wants a name to be looked up. */
type SocketLookup = (
  hostname: string,
  options: SocketLookupOptions,
  done: (error: Error | null, address: string | readonly LookupAddress[], family?: number) => void,
) => void;

/**
 * Connects to allowed addresses only. A number in the address is never looked up, so it is checked as it stands; a name is
 * checked at its lookup, and the socket once more when it is connected, so that nothing between the two can lead elsewhere. Lookups
 * are given up when the signal aborts.
 */
export function guardedConnector(
  addresses: AllowedAddresses,
  lookUp: LookUpHost,
  signal: AbortSignal,
): buildConnector.connector {
  const allowedLookup: SocketLookup = (hostname, options, done) => {
    lookUp(hostname, signal).then(
      (found) => {
        const allowed = found.filter(({ address }) => addresses.allows(address));
        const [first] = allowed;
        if (!first) return done(refused(addresses), '');
        if (options.all) done(null, allowed);
        else done(null, first.address, first.family);
      },
      (error) => done(error, ''),
    );
  };
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    // Over HTTP/2 one connection carries many calls, so the number of connections would not limit them.
    allowH2: false,
    lookup: allowedLookup as never,
  });
  return (options, done) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !addresses.allows(host)) return done(refused(addresses), null);
    connect(options, (error, socket) => {
      if (error) return done(error, null);
      if (addresses.allows(socket.remoteAddress ?? '')) return done(null, socket);
      socket.destroy();
      done(refused(addresses), null);
    });
  };
}

function refused({ refusal }: AllowedAddresses): BookingSystemFailure {
  return new BookingSystemFailure('unreachable', refusal);
}

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
