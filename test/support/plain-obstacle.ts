import type {
  HomeWithCalendar,
  IndexedHome,
  Obstacle,
  RefusedNights,
} from '../../src/availability/availability-index.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { Day } from '../../src/stay/day.ts';
import { monthOf } from '../../src/stay/day.ts';

const RULES = [
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'party_too_large',
  'nothing_free',
] as const;

export type PlainListing = HomeWithCalendar & { readonly refused: readonly RefusedNights[] };

type Miss = { readonly listing: PlainListing; readonly arrival: Day; readonly broken: number };

/** Brute force: tries every stay of properties that have the brand, place and amenities, and lifts rules until one matches. */
export function plainObstacle(
  among: readonly PlainListing[],
  criteria: StayCriteria,
  todayOf: (home: IndexedHome) => Day,
): Obstacle | null {
  if (among.length === 0) return { code: 'no_properties' };
  const dated = among.map((listing) => ({ listing, today: todayOf(listing.home) }));
  const lastDay = Math.max(...dated.map(({ today }) => today)) + HORIZON_NIGHTS;
  const arrivals = arrivalsThatAgree(criteria, lastDay);
  if (arrivals.length === 0) return { code: 'no_nights' };
  if (dated.every(({ today }) => arrivals.every((arrival) => arrival < today)))
    return { code: 'in_the_past' };

  const misses = dated.flatMap(({ listing, today }) =>
    arrivals
      .filter((arrival) => arrival >= today)
      .flatMap((arrival) => missesFrom(listing, arrival, today, criteria)),
  );
  if (misses.length === 0) return { code: 'beyond_horizon', lastDay };

  const matchesWithout = (lifted: number) => misses.filter(({ broken }) => (broken & ~lifted) === 0);
  if (matchesWithout(0).length > 0) return null;
  const steps = [
    ...RULES.map((code, position) => ({ code, lifted: 1 << position })),
    ...RULES.map((code, position) => ({ code, lifted: (2 << position) - 1 })),
  ];
  const step = steps.find(({ lifted }) => matchesWithout(lifted).length > 0);
  if (!step) throw new Error('With every rule lifted, every stay matches');
  return obstacleOf(step.code, matchesWithout(step.lifted));
}

/** Where the criteria leave the day open: every day up to long past the horizon, and the last before check-out. */
function arrivalsThatAgree({ checkInMonth, checkIn, checkOut }: StayCriteria, lastDay: Day): readonly Day[] {
  const around = Array.from({ length: 3 * HORIZON_NIGHTS }, (_, day) => lastDay - 2 * HORIZON_NIGHTS + day);
  const days = checkIn !== null ? [checkIn] : checkOut !== null ? [...around, checkOut - 1] : around;
  return days.filter(
    (day) =>
      (checkInMonth === null || monthOf(day) === checkInMonth) && (checkOut === null || day < checkOut),
  );
}

/** One for each change of what is broken as the departure moves to the horizon: the same again adds nothing. */
function missesFrom(listing: PlainListing, arrival: Day, today: Day, criteria: StayCriteria): Miss[] {
  const { checkOut, guests } = criteria;
  const horizon = today + HORIZON_NIGHTS;
  const lengths = lengthsFrom(listing, arrival);
  const misses: Miss[] = [];
  for (
    let departure = checkOut ?? arrival + 1;
    departure <= Math.min(checkOut ?? horizon, horizon);
    departure++
  ) {
    const broken = brokenRules({ listing, lengths, checkIn: arrival, checkOut: departure, today, guests });
    if (misses.at(-1)?.broken !== broken) misses.push({ listing, arrival, broken });
  }
  return misses;
}

type Lengths = { readonly minimum: number; readonly maximum: number };

function lengthsFrom({ calendar }: PlainListing, checkIn: Day): Lengths {
  const arrival = checkIn - calendar.firstDay;
  return {
    minimum: valueAt(calendar.minimumStay, arrival, usual(calendar.minimumStay, SHORTEST_STAY)),
    maximum: valueAt(calendar.maximumStay, arrival, usual(calendar.maximumStay)) || Number.POSITIVE_INFINITY,
  };
}

/** A bit for each rule that the stay breaks, by its position. */
function brokenRules({
  listing,
  lengths,
  checkIn,
  checkOut,
  today,
  guests,
}: {
  readonly listing: PlainListing;
  readonly lengths: Lengths;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly today: Day;
  readonly guests: number | null;
}): number {
  const { home, calendar } = listing;
  const arrival = checkIn - calendar.firstDay;
  const departure = checkOut - calendar.firstDay;
  const nights = checkOut - checkIn;
  return (
    (nights < lengths.minimum ? 1 : 0) +
    (nights > lengths.maximum ? 2 : 0) +
    (valueAt(calendar.closedToArrival, arrival, 0) === 1 ? 4 : 0) +
    (valueAt(calendar.closedToDeparture, departure, 0) === 1 ? 8 : 0) +
    (checkIn < today + home.leadDays ? 16 : 0) +
    (guests !== null && home.maxGuests < guests ? 32 : 0) +
    (isFree(calendar.available, arrival, departure) && !isRefused(listing, checkIn, checkOut) ? 0 : 64)
  );
}

/** A minimum of none is one of a night. */
const SHORTEST_STAY = 1;

/** What most nights have, and the smaller of equally frequent values: days outside the calendar count as having it too. */
function usual(column: Uint16Array, least = 0): number {
  const known = usuals.get(column);
  if (known !== undefined) return known;
  const values = column.map((value) => Math.max(least, value));
  const countOf = (value: number) => values.filter((other) => other === value).length;
  const [most = 0] = [...new Set(values)].sort((one, other) => countOf(other) - countOf(one) || one - other);
  usuals.set(column, most);
  return most;
}

const usuals = new WeakMap<Uint16Array, number>();

/** Tests the bounds, because reading outside of them is a hundred times slower. */
function valueAt(column: Uint8Array | Uint16Array, position: number, outside: number): number {
  return position >= 0 && position < column.length ? (column[position] ?? outside) : outside;
}

function isFree(available: Uint8Array, arrival: number, departure: number): boolean {
  return arrival >= 0 && departure <= available.length && !available.subarray(arrival, departure).includes(0);
}

/** Whether the stay contains all nights of a refused one. */
export function isRefused({ refused }: PlainListing, checkIn: Day, checkOut: Day): boolean {
  return refused.some(({ from, to }) => from < to && checkIn <= from && to <= checkOut);
}

function obstacleOf(code: (typeof RULES)[number], matches: readonly Miss[]): Obstacle {
  const [homes, rules] = [
    matches.map(({ listing }) => listing.home),
    matches.map(({ listing: { calendar }, arrival }) => ({
      minimum: calendar.minimumStay[arrival - calendar.firstDay] ?? 1,
      maximum: calendar.maximumStay[arrival - calendar.firstDay] || Number.POSITIVE_INFINITY,
    })),
  ];
  if (code === 'minimum_stay') return { code, nights: Math.min(...rules.map(({ minimum }) => minimum)) };
  if (code === 'maximum_stay') return { code, nights: Math.max(...rules.map(({ maximum }) => maximum)) };
  if (code === 'lead_time') return { code, days: Math.min(...homes.map(({ leadDays }) => leadDays)) };
  if (code === 'party_too_large')
    return { code, largest: Math.max(...homes.map(({ maxGuests }) => maxGuests)) };
  return { code };
}
