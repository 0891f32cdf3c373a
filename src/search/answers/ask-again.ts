import { formatTimestamp } from '../../contract/vocabulary.ts';
import type { Comparison } from '../comparison.ts';

/** Whether those that gave no usable answer can be asked again before the session ends. */
export function canAskAgain({
  askAgainAt,
  validUntil,
}: Pick<Comparison, 'askAgainAt' | 'validUntil'>): boolean {
  return askAgainAt === null || askAgainAt < validUntil;
}

/** Rounded up, so that it is never too early. */
export function earliestAgain(askAgainAt: number): string {
  return formatTimestamp(Math.ceil(askAgainAt / 1000) * 1000);
}
