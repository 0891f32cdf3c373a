import type { Calendar } from '../../src/catalogue/calendar.ts';
import type { Nights } from './seasons.ts';
import { type SeededRandom, weightedValues } from './seeded-random.ts';

const MINIMUM_NIGHTS = weightedValues([
  [1, 22],
  [2, 31],
  [3, 19],
  [4, 5],
  [5, 5],
  [6, 1],
  [7, 7],
  [14, 2],
  [28, 2],
  [30, 5],
  [9, 0.3],
  [10, 0.3],
  [21, 0.2],
  [31, 0.4],
  [45, 0.2],
  [60, 0.3],
  [90, 0.3],
]);
const MAXIMUM_NIGHTS = weightedValues([
  [5, 4],
  [7, 12],
  [10, 6],
  [14, 20],
  [21, 8],
  [28, 25],
  [30, 25],
  [60, 10],
  [90, 7],
  [365, 5],
]);
const HIGH_SEASON = 1.25;
const SATURDAY = 5;
const SUNDAY = 6;

type StayRules = Pick<Calendar, 'minimumStay' | 'maximumStay' | 'closedToArrival' | 'closedToDeparture'>;

/**
 * A usual minimum stay, which a third of the homes raises in the high season and a fifth at weekends; a maximum for a
 * quarter. One home in sixteen is let from Saturday to Saturday in the high season, and a few have no arrivals or
 * departures on a day of the week.
 */
export function writeStayRules(
  rules: StayRules,
  random: SeededRandom,
  { demand, weekend, weekday }: Nights,
): void {
  const { minimumStay, maximumStay, closedToArrival, closedToDeparture } = rules;
  const usual = random.weighted(MINIMUM_NIGHTS);
  const inHighSeason = random.percent(33) ? Math.max(usual, random.pick([3, 4, 5, 7, 7])) : usual;
  const atWeekends = random.percent(20) ? usual + 1 : usual;
  const isWeekly = random.percent(6);
  const noArrivals = random.percent(5) ? random.pick([SUNDAY, SUNDAY, 0, SATURDAY]) : -1;
  const noDepartures = random.percent(4) ? random.pick([SATURDAY, SUNDAY]) : -1;
  const longest = Math.max(usual, inHighSeason, atWeekends, isWeekly ? 7 : 1);
  if (random.percent(25)) maximumStay.fill(Math.max(random.weighted(MAXIMUM_NIGHTS), longest));
  for (let night = 0; night < minimumStay.length; night += 1) {
    const isHigh = (demand[night] ?? 1) >= HIGH_SEASON;
    const minimum = isHigh ? inHighSeason : weekend[night] === 1 ? atWeekends : usual;
    minimumStay[night] = isWeekly && isHigh ? Math.max(7, minimum) : minimum;
    const isChangeover = !(isWeekly && isHigh) || weekday[night] === SATURDAY;
    closedToArrival[night] = isChangeover && weekday[night] !== noArrivals ? 0 : 1;
    closedToDeparture[night] = isChangeover && weekday[night] !== noDepartures ? 0 : 1;
  }
}
