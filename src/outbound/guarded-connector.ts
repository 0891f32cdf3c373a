import type { LookupAddress, LookupOptions as SocketLookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { AllowedAddresses } from './allowed-addresses.ts';
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
