import type { Clock } from '../../clock.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { retryAfterMs } from '../../outbound/retry-after.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import type { RateLimitReport } from '../shared/account/rate-limit-report.ts';

/** As the wiki of Beds24 names them, and as its API description does. */
const HEADERS = {
  left: ['x-five-min-limit-remaining', 'x-fivemincreditlimit-remaining'],
  resetsIn: ['x-five-min-limit-resets-in', 'x-fivemincreditlimit-resetsin'],
  cost: ['x-request-cost', 'x-requestcost'],
} as const;
/** After a refusal that names no time; a period of credits takes five minutes. */
const PAUSE_WITHOUT_ADVICE_MS = 60_000;
const MAX_RESET_SECONDS = 600;

export function beds24Conventions(organization: string | null, clock: Clock): VendorConventions {
  return {
    authorization: (token) => ({ token, ...(organization === null ? {} : { organization }) }),
    tokenRefusals: [401],
    readBudget: (header, status) => readCredits(header, status, clock),
  };
}

function readCredits(header: ReadHeader, status: number, clock: Clock): RateLimitReport {
  const [left, resetsIn, cost] = [HEADERS.left, HEADERS.resetsIn, HEADERS.cost].map((names) =>
    numberIn(header, names),
  );
  const resetsInMs = Math.min(resetsIn ?? Number.POSITIVE_INFINITY, MAX_RESET_SECONDS) * 1000;
  const spent = cost === undefined ? {} : { cost };
  if (status === 429) {
    const adviceMs = resetsIn === undefined ? retryAfterMs(header, clock.now()) : resetsInMs;
    return { pauseMs: adviceMs ?? PAUSE_WITHOUT_ADVICE_MS, ...spent };
  }
  if (left === undefined || resetsIn === undefined) return spent;
  // What a call costs is known afterwards only: one like this must still fit.
  return { left: left >= (cost ?? 1) ? left : 0, leftEndsInMs: resetsInMs, ...spent };
}

function numberIn(header: ReadHeader, names: readonly string[]): number | undefined {
  for (const name of names) {
    const text = header(name)?.trim() ?? '';
    if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  }
  return undefined;
}
