import { type AddressedToUs, createAddressedTo } from '../access/addressed-to-us.ts';
import { addressSetFrom, isAmong, LOOPBACK_NETWORKS, parseAddress } from '../parsing/ip-address.ts';

const LOOPBACK = addressSetFrom(LOOPBACK_NETWORKS);
const LISTENS_EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** For requests that name another host; it repeats nothing of what they sent. */
export const OWN_HOSTS_TEXT =
  'The console answers under localhost, under loopback addresses, and under the name or address of STAYWIRE_CONSOLE_HOST; under any address if that is 0.0.0.0 or ::.';

/**
 * Whether a request names the console as its host. When it listens on every address, any address is accepted: behind NAT the machine does not
 * know the one that the browser uses, and an address, unlike a name, cannot be rebound to this machine.
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
