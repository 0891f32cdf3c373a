import type { Day } from '../src/stay/day.ts';
import type { Property } from './properties.ts';
import { seededBy } from './seeded.ts';

/** Nights from `from` up to, but not including, `to`. */
export type BookedNights = { readonly from: Day; readonly to: Day };

const BLOCK_DAYS = 28;
const MAX_DAYS_AHEAD = 560;

/**
 * The stays that other guests have booked by `today`. Each has fixed dates and a fixed day of booking, so that new ones
 * appear from day to day and the near future is fuller than the far one.
 */
export function earlierBookings(property: Property, today: Day): readonly BookedNights[] {
  const firstBlock = Math.floor((today - BLOCK_DAYS) / BLOCK_DAYS);
  const lastBlock = Math.floor((today + MAX_DAYS_AHEAD) / BLOCK_DAYS);
  const booked: BookedNights[] = [];
  for (let block = firstBlock; block <= lastBlock; block++) {
    for (const { from, to, daysAhead } of staysOf(property, block)) {
      if (to > today && from - today <= daysAhead) booked.push({ from, to });
    }
  }
  return booked;
}

function* staysOf(property: Property, block: number) {
  const seeded = seededBy(`${property.brand.source} ${property.reference} block ${block}`);
  const popularity = 0.5 + 0.45 * (property.reviewScore ?? 0.6);
  const end = (block + 1) * BLOCK_DAYS;
  let day = block * BLOCK_DAYS + seeded.integer(0, 5);
  while (day < end) {
    const to = Math.min(end, day + seeded.pick([2, 2, 3, 3, 3, 4, 5, 7, 7, 10]));
    const daysAhead = Math.floor(330 * seeded.fraction() ** 2.4);
    if (seeded.chance(popularity)) yield { from: day, to, daysAhead };
    day = to + seeded.pick([0, 1, 1, 2, 3, 4, 6]);
  }
}
