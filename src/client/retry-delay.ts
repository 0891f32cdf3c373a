/** Waits between attempts double from this on. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** Added to what the service asks for, so that clients that were refused together do not come back together. */
const MAX_SPREAD_MS = 250;

/**
 * How long to wait before the next attempt; null when the service asks for more than the caller would wait, because asking
 * earlier than that only makes things worse.
 */
export function retryDelayMs(
  attempt: number,
  {
    retryAfterSeconds,
    maxWaitMs,
    random,
  }: { readonly retryAfterSeconds: number | null; readonly maxWaitMs: number; random(): number },
): number | null {
  if (retryAfterSeconds !== null) {
    const askedMs = retryAfterSeconds * 1000;
    return askedMs > maxWaitMs ? null : askedMs + random() * MAX_SPREAD_MS;
  }
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt, maxWaitMs);
  // Never at once, and otherwise anywhere up to the ceiling.
  return ceilingMs / 2 + random() * (ceilingMs / 2);
}

/**
 * `Retry-After` in seconds. One that names a date is compared with the date of the answer, so that the clock of this machine
 * does not matter.
 */
export function retryAfterIn(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const untilMs = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(untilMs) ? null : Math.max(0, Math.ceil(untilMs / 1000));
}
