import type { RequestBudget } from '../../../limits/request-budget.ts';
import type { ReadHeader } from '../../../outbound/read-answer.ts';

/** What the headers of an answer say about the budget of the account. */
export type RateLimitReport = {
  /** With a 429: nothing may be sent for so long. */
  readonly pauseMs?: number;
  readonly left?: number;
  readonly leftEndsInMs?: number;
  /** What this very call has cost. */
  readonly cost?: number;
};

export type ReadBudget = (header: ReadHeader, status: number) => RateLimitReport;

/** A background call may wait so long for its turn; the budget of an hour may be used up. */
export const MAX_BACKGROUND_WAIT_MS = 2 * 3_600_000;
/** A vendor that names a longer pause than this is not believed. */
export const MAX_PAUSE_MS = 6 * 3_600_000;
const PAUSE_WITHOUT_ADVICE_MS = 5000;

export function applyRateLimitReport(budget: RequestBudget, news: RateLimitReport, status: number): void {
  // With another status `Retry-After` is about that question, and others may be answered.
  if (status === 429) budget.pause(Math.min(news.pauseMs ?? PAUSE_WITHOUT_ADVICE_MS, MAX_PAUSE_MS));
  if (news.left !== undefined && news.leftEndsInMs !== undefined) {
    budget.learn(news.left, Math.min(news.leftEndsInMs, MAX_PAUSE_MS));
  }
}
