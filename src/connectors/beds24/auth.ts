import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { retryAfterMs } from '../../outbound/read-answer.ts';
import type { IssuedToken } from '../shared/account/access-token.ts';
import type { RateLimitReport } from '../shared/account/account-budget.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import { issuedToken } from '../shared/account/issued-token.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { looseRecord } from '../shared/vendors/loose-values.ts';

/** The wiki of Beds24 and its API description spell them differently. */
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
  // The cost of a call is known only afterwards, so another one like this must still fit.
  return { left: left >= (cost ?? 1) ? left : 0, leftEndsInMs: resetsInMs, ...spent };
}

function numberIn(header: ReadHeader, names: readonly string[]): number | undefined {
  for (const name of names) {
    const text = header(name)?.trim() ?? '';
    if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  }
  return undefined;
}

/** Intake task: reads `GET /authentication/token`. The answer has no refresh token, because it stays the same. */
export function* readBeds24Token(document: Uint8Array, _: null): Generator<IssuedToken, null> {
  const { success, token, expiresIn } = looseRecord(parseDocument(document));
  if (success === false) throw new BookingSystemFailure('rejected', 'Beds24 refused the refresh token');
  yield issuedToken(token, expiresIn);
  return null;
}
