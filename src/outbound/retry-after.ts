import type { ReadHeader } from './read-answer.ts';

/** `Retry-After` in seconds or as a date, in milliseconds from `now`; undefined when there is none. */
export function retryAfterMs(header: ReadHeader, now: number): number | undefined {
  const text = header('retry-after')?.trim() ?? '';
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes nearly anything for a date.
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
