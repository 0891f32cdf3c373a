import type { Nights } from './seasons.ts';
import { type SeededRandom, weightedValues } from './seeded-random.ts';

const BOOKED_NIGHTS = weightedValues([
  [1, 8],
  [2, 22],
  [3, 20],
  [4, 14],
  [5, 10],
  [6, 5],
  [7, 12],
  [10, 4],
  [14, 3],
  [28, 2],
]);

/** How far ahead operators open their calendars, where that is less than asked for. */
const OPEN_NIGHTS = [90, 180, 270, 365];

/**
 * Bookings with gaps between them. The next weeks and the high season are fuller than a quiet month of next year; one home
 * in eight is blocked by its owner for a while, and one in six opens its calendar only for some months.
 */
export function writeAvailability(available: Uint8Array, random: SeededRandom, { demand }: Nights): void {
  available.fill(1);
  const popularity = 0.4 + 1.4 * random.share();
  let night = -random.below(10);
  while (night < available.length) {
    const weeksAhead = Math.max(0, night) / 7;
    const wanted = popularity * (demand[Math.max(0, night)] ?? 1);
    const usualGap = (3 + 0.9 * weeksAhead) / wanted;
    // Gaps of any length, short ones most often.
    night += Math.floor(-Math.log(1 - random.share()) * usualGap);
    const nights = random.weighted(BOOKED_NIGHTS);
    available.fill(0, Math.max(0, night), Math.max(0, night + nights));
    night += nights;
  }
  if (random.percent(12)) {
    const from = random.below(available.length);
    available.fill(0, from, from + 14 + random.below(60));
  }
  if (random.percent(17)) available.fill(0, random.pick(OPEN_NIGHTS));
}
