import { formatTimestamp } from '../../contract/scalars.ts';
import { readContact } from '../../parsing/web-address.ts';
import { addressAt, DISCOVERY_PATHS } from './discovery-paths.ts';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year, so that nobody writes to an address that is given up. */
const VALID_DAYS = 180;

/** RFC 9116. The end of its validity moves on once a day, as long as the service runs. */
export function securityText(contact: string, publicUrl: string | null, now: number): string {
  const expires = (Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS;
  return [
    `Contact: ${contact}`,
    `Expires: ${formatTimestamp(expires)}`,
    'Preferred-Languages: en',
    ...(publicUrl === null ? [] : [`Canonical: ${addressAt(publicUrl, DISCOVERY_PATHS.security)}`]),
    '',
  ].join('\n');
}

/** The contact that the owner set for this, or else that of the network, where it is an address. */
export function securityContactOf(setting: string | null, networkContact: string): string | null {
  const ofNetwork = readContact(networkContact);
  return setting ?? (ofNetwork.kind === 'valid' ? ofNetwork.value : null);
}
