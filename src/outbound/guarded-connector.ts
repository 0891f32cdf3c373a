import type { LookupAddress, LookupOptions as SocketLookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { type Address, addressSetFrom, isAmong, parseAddress } from '../parsing/ip-address.ts';
import type { LookUpHost } from './look-up-host.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** The lookup function of a socket. */
type SocketLookup = (
  hostname: string,
  options: SocketLookupOptions,
  done: (error: Error | null, address: string | readonly LookupAddress[], family?: number) => void,
) => void;

/**
 * Connects to allowed addresses only. Checks numeric addresses directly, names at their lookup, and every socket again after it has
 * connected, so that nothing in between can redirect it. Cancels lookups when the signal aborts.
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
    // With HTTP/2, one connection carries many calls, so the number of connections would not limit them.
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

/** The addresses that an operator's server may have. */
export type AllowedAddresses = {
  allows(address: string): boolean;
  /** The failure message for other addresses. */
  readonly refusal: string;
};

const NOT_PUBLIC =
  'the server is at an address that is not public; STAYWIRE_OPERATOR_NETWORKS allows networks, such as 127.0.0.0/8 for this machine';

/** The allocated global addresses; the rest of IPv6 is special or unallocated. */
const GLOBAL_IPV6 = addressSetFrom(['2000::/3']);
// A public number, but inside a well-known cloud the platform's agent.
const CLOUD_AGENTS = addressSetFrom(['168.63.129.16']);
// These contain an IPv4 address, which a gateway on the route may connect to.
const SIX_TO_FOUR = addressSetFrom(['2002::/16', '2001::/32']);

/**
 * Allows public addresses and the networks that the owner names. Authors of the network file and operators of name servers must not be
 * able to make the service call its own machine, its neighbours or a cloud's metadata.
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
