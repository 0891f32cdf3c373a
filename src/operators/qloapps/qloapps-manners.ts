import type { Clock } from '../../clock.ts';
import { pauseOf, type VendorManners } from '../account/account-client.ts';

/** The key is the user name of HTTP Basic, without a password. */
export function qloappsManners(clock: Clock): VendorManners {
  return {
    authorization: (key) => ({
      authorization: `Basic ${Buffer.from(`${key}:`, 'latin1').toString('base64')}`,
    }),
    tokenRefusals: [],
    // QloApps counts nothing; the server in front of it may.
    readBudget: (header, status) => (status === 429 || status === 503 ? pauseOf(header, clock.now()) : {}),
  };
}
