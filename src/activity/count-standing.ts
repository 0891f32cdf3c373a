import type { Session } from '../sessions/session.ts';
import { hourOf } from './count.ts';
import type { CountActivity } from './sums.ts';

/** Of one session, in the hour in which it was opened. */
export function countStanding(
  count: CountActivity,
  { source, assistant, openedAt }: Session,
  { stage, refusal }: { readonly stage: string; readonly refusal: string },
  by: number,
): void {
  const labels = { brand: source ?? '', assistant, facet: stage, reason: refusal };
  count('standings', labels, { count: by, hour: hourOf(openedAt) });
}
