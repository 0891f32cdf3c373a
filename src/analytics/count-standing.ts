import type { Session } from '../sessions/session.ts';
import { hourOf } from './count.ts';
import type { CountActivity } from './sums.ts';

/** The brand through which a session was opened; empty for a direct one. */
export function entryOf({ source }: Session): string {
  return source ?? '';
}

/** Counts one session at a stage, in the hour in which it was opened. */
export function countStanding(
  count: CountActivity,
  session: Session,
  { stage, refusal }: { readonly stage: string; readonly refusal: string },
  by: number,
): void {
  const { assistant, openedAt } = session;
  const labels = { brand: entryOf(session), assistant, facet: stage, reason: refusal };
  count('standings', labels, { count: by, hour: hourOf(openedAt) });
}
