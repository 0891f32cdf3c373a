import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { BrandId, PlaceId } from '../../src/catalogue/catalogue.ts';
import { ANY_STAY, type CompleteCriteria, type StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { Day } from '../../src/stay/day.ts';
import { monthOf } from '../../src/stay/day.ts';
import { SYNTHETIC_AMENITIES } from './amenity-shares.ts';
import { createSeededRandom, type SeededRandom, weightedValues } from './seeded-random.ts';

const COMPLETE = 5;
const PARTIAL = 6;
const MAX_DAYS_AHEAD = HORIZON_NIGHTS - 40;
const DAYS_AHEAD = weightedValues([
  [7, 12],
  [120, 63],
  [MAX_DAYS_AHEAD, 25],
]);
const GUESTS = weightedValues([
  [1, 12],
  [2, 42],
  [3, 12],
  [4, 20],
  [5, 6],
  [6, 8],
]);

/** Travellers do not ask for what is nearly nowhere. */
const ASKED_FOR = SYNTHETIC_AMENITIES.slice(0, 50).map(({ key }) => key);

type Asked = {
  readonly seed: number;
  readonly today: Day;
  readonly count: number;
  /** Keys of those that may be asked for. */
  readonly amenities?: readonly string[];
};

type Scope = { readonly place: PlaceId | null; readonly brand: BrandId | null };

/** The full question: 2 to 14 nights within the next year and a half, 1 to 6 guests, up to two amenities. */
export function completeQuestions(
  { seed, today, count, amenities = ASKED_FOR }: Asked,
  scope: Scope & { readonly place: PlaceId },
): readonly CompleteCriteria[] {
  return Array.from({ length: count }, (_, number) => {
    const random = createSeededRandom(seed, COMPLETE, number);
    const checkIn = arrivalDay(random, today);
    return {
      ...ANY_STAY,
      ...scope,
      checkIn,
      checkOut: checkIn + 2 + random.below(13),
      guests: random.weighted(GUESTS),
      amenities: someOf(amenities, random),
    };
  });
}

/** What a search has received so far: any of the fields, in any order. */
export function partialQuestions(
  { seed, today, count, amenities = ASKED_FOR }: Asked,
  scope: Scope,
): readonly StayCriteria[] {
  return Array.from({ length: count }, (_, number) => {
    const random = createSeededRandom(seed, PARTIAL, number);
    const arrival = arrivalDay(random, today);
    const checkIn = random.percent(50) ? arrival : null;
    return {
      ...scope,
      checkInMonth: random.percent(50) ? monthOf(arrival) : null,
      checkIn,
      checkOut: checkIn !== null && random.percent(50) ? checkIn + 1 + random.below(14) : null,
      guests: random.percent(60) ? random.weighted(GUESTS) : null,
      amenities: random.percent(40) ? someOf(amenities, random) : [],
    };
  });
}

/** One in eight arrives within a week, three in four within four months. */
function arrivalDay(random: SeededRandom, today: Day): Day {
  return today + random.below(random.weighted(DAYS_AHEAD));
}

function someOf(amenities: readonly string[], random: SeededRandom): readonly string[] {
  if (amenities.length === 0) return [];
  return [...new Set(Array.from({ length: random.below(3) }, () => random.pick(amenities)))];
}
