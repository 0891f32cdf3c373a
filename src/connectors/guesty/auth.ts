import type { Clock } from '../../clock.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { pauseOf, type RateLimitReport } from '../shared/account/account-budget.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';

/**
 * The rest of each window. The header does not say when the hour ends, so an exhausted hour is checked again each minute.
 */
const LEFT_HEADERS = [
  ['x-ratelimit-remaining-second', 1000],
  ['x-ratelimit-remaining-minute', 60_000],
  ['x-ratelimit-remaining-hour', 60_000],
] as const;

export function guestyConventions(clock: Clock): VendorConventions {
  return {
    authorization: (token) => ({ authorization: `Bearer ${token}` }),
    // 403 concerns the listing: it is not part of this booking engine.
    tokenRefusals: [401],
    readBudget: (header) => ({ ...pauseOf(header, clock.now()), ...leftOf(header) }),
  };
}

function leftOf(header: ReadHeader): RateLimitReport {
  let longest: RateLimitReport = {};
  for (const [name, endsInMs] of LEFT_HEADERS) {
    const text = header(name)?.trim() ?? '';
    if (/^-?\d{1,9}$/.test(text) && Number(text) <= 0) longest = { left: 0, leftEndsInMs: endsInMs };
  }
  return longest;
}
