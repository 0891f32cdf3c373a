import { type AddressedToUs, createAddressedTo } from '../access/addressed-to-us.ts';
import { addressSetFrom, isAmong, LOOPBACK_NETWORKS, parseAddress } from '../reading/address.ts';

const LOOPBACK = addressSetFrom(LOOPBACK_NETWORKS);
const LISTENS_EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** For those who come by another one; it repeats nothing of what they sent. */
export const OWN_HOSTS_TEXT =
  'The console answers under localhost, under addresses of loopback, and under the name or address of STAYWIRE_CONSOLE_HOST; under any address where that stands for all.';

/**
 * Whether a request names the console as its host. Where it listens on every address, each is accepted: behind a translation of addresses
 * the machine does not know the one that the browser has, and no name has to be resolved for an address.
 */
export function createOwnHosts(listensOn: string): AddressedToUs {
  const ownName = listensOn.toLowerCase();
  const ownAddress = parseAddress(listensOn)?.toString();
  const isEverywhere = LISTENS_EVERYWHERE.includes(listensOn);
  return createAddressedTo((host) =>
    typeof host === 'string'
      ? host === 'localhost' || host === ownName
      : isEverywhere || isAmong(LOOPBACK, host) || host.toString() === ownAddress,
  );
}
