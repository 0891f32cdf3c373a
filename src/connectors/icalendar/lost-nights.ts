import { HORIZON_NIGHTS } from '../../catalogue/calendar.ts';
import type { Day } from '../../stay/day.ts';
import type { PackedNights } from './packed-nights.ts';

/** Taken nights that lie ahead, and how many of them a later reading of the feed does not take. */
export type LostNights = { readonly lost: number; readonly of: number };

/** Most guests stay for less: one cancelled booking frees one stretch of at most so many nights. */
const MAX_BOOKING_NIGHTS = 28;

/**
 * What a feed has lost, when that looks like a failure of its channel: every night ahead, or more than half of them and more than one
 * cancelled booking frees. Null for any other change. Nights that are over, and those beyond the horizon, count for nothing.
 */
export function doubtfulLoss(before: PackedNights, after: PackedNights, today: Day): LostNights | null {
  const end = today + HORIZON_NIGHTS;
  const lost = { nights: 0, stretches: 0 };
  let ahead = 0;
  let next = 0;

  function lose(from: Day, to: Day): void {
    if (from >= to) return;
    lost.nights += to - from;
    lost.stretches += 1;
  }

  for (const [from, to] of within(before, today, end)) {
    ahead += to - from;
    let at = from;
    // Both are in order and without overlaps.
    while (next < after.length && (after[next + 1] ?? 0) <= at) next += 2;
    for (let overlap = next; overlap < after.length && (after[overlap] ?? 0) < to; overlap += 2) {
      lose(at, after[overlap] ?? 0);
      at = Math.min(to, after[overlap + 1] ?? 0);
    }
    lose(at, to);
  }
  const isEmpty = within(after, today, end).next().done ?? false;
  const isMoreThanOneBooking = lost.stretches > 1 || lost.nights > MAX_BOOKING_NIGHTS;
  const losesMost = lost.nights * 2 > ahead && isMoreThanOneBooking;
  return lost.nights > 0 && (isEmpty || losesMost) ? { lost: lost.nights, of: ahead } : null;
}

function* within(nights: PackedNights, first: Day, end: Day): Generator<readonly [from: Day, to: Day]> {
  for (let at = 0; at < nights.length; at += 2) {
    const from = Math.max(first, nights[at] ?? 0);
    const to = Math.min(end, nights[at + 1] ?? 0);
    if (from < to) yield [from, to];
  }
}
