import { emptyCalendar, HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Day } from '../../src/stay/day.ts';
import { SYNTHETIC_AMENITIES } from './amenity-shares.ts';
import { type BenchHome, type BenchInventory, nightsAsked } from './bench-inventory.ts';
import { writeAvailability } from './bookings.ts';
import { writePrices } from './price-policies.ts';
import { type Nights, nightsOf } from './seasons.ts';
import { createSeededRandom, type SeededRandom, weightedValues } from './seeded-random.ts';
import { writeStayRules } from './stay-rules.ts';
import { createSyntheticNetwork, type SyntheticCity } from './synthetic-network.ts';

const FACTS = 2;
const CALENDAR = 3;
const CHANGED_CALENDAR = 4;

const MAX_GUESTS = weightedValues([
  [1, 3],
  [2, 24],
  [3, 9],
  [4, 24],
  [5, 8],
  [6, 13],
  [7, 3],
  [8, 7],
  [9, 1.5],
  [10, 3],
  [11, 0.5],
  [12, 1.5],
  [13, 0.3],
  [14, 0.8],
  [15, 0.4],
  [16, 1],
]);
const LEAD_DAYS = weightedValues([
  [0, 58],
  [1, 22],
  [2, 12],
  [3, 5],
  [7, 3],
]);

export type SyntheticInventory = BenchInventory & {
  /** A home whose calendar has changed so many times: each time all of its bookings and prices are others. */
  homeAfter(number: number, changes: number): BenchHome;
};

/**
 * Homes from a seed, each from its number alone: their seasons, gaps, prices and rules are drawn as the calendars of real
 * cities have them.
 */
export function createSyntheticInventory({
  seed,
  homes,
  today,
}: {
  readonly seed: number;
  readonly homes: number;
  readonly today: Day;
}): SyntheticInventory {
  const { network, cities, largestBrand } = createSyntheticNetwork(seed, homes);
  const { from, nights } = nightsAsked(today, HORIZON_NIGHTS);
  const nightsByClimate = new Map<string, Nights>();
  const cityById = new Map(cities.map((city) => [city.place, city]));

  function nightsIn({ climate, country: { isSouthern } }: SyntheticCity): Nights {
    const key = `${climate.name} ${isSouthern}`;
    const known = nightsByClimate.get(key) ?? nightsOf(climate, isSouthern, from, nights);
    nightsByClimate.set(key, known);
    return known;
  }

  function homeOf(
    city: SyntheticCity,
    number: number,
    ...calendarStream: readonly [number, ...number[]]
  ): BenchHome {
    const facts = createSeededRandom(seed, FACTS, number);
    const brand = facts.pick(city.brands);
    const maxGuests = facts.weighted(MAX_GUESTS);
    const leadDays = facts.weighted(LEAD_DAYS);
    const calendar = emptyCalendar(from, nights);
    const random = createSeededRandom(seed, ...calendarStream);
    const inSeason = nightsIn(city);
    writePrices(calendar.price, random, inSeason, city.country, maxGuests);
    writeAvailability(calendar.available, random, inSeason);
    writeStayRules(calendar, random, inSeason);
    const { place, country } = city;
    const id = `${brand}:h${number}`;
    const amenities = amenitiesOf(facts);
    return {
      home: { id, brand, place, maxGuests, leadDays, amenities, currency: country.currency },
      calendar,
    };
  }

  function cityOf(number: number): SyntheticCity {
    const city = cities.findLast(({ firstHome }) => firstHome <= number);
    if (!city || number >= homes) throw new RangeError(`there is no home ${number}`);
    return city;
  }

  function* homesOf(city: SyntheticCity): Generator<BenchHome> {
    for (let number = 0; number < city.homes; number += 1) {
      const home = city.firstHome + number;
      yield homeOf(city, home, CALENDAR, home);
    }
  }

  return {
    name: `${homes.toLocaleString('en')} homes from seed ${seed}`,
    network,
    today,
    size: homes,
    cities,
    largestBrand,
    *homes() {
      for (const city of cities) yield* homesOf(city);
    },
    *homesIn(place) {
      const city = cityById.get(place);
      if (city) yield* homesOf(city);
    },
    changedHome: (number) => homeOf(cityOf(number), number, CHANGED_CALENDAR, number),
    homeAfter: (number, changes) =>
      changes === 0
        ? homeOf(cityOf(number), number, CALENDAR, number)
        : homeOf(cityOf(number), number, CHANGED_CALENDAR, number, changes),
  };
}

/** One home in twenty-five publishes none. The better equipped have more of everything. */
function amenitiesOf(random: SeededRandom): Readonly<Record<string, string>> | null {
  if (random.percent(4)) return null;
  const comfort = 0.55 + 0.9 * random.share();
  const amenities: Record<string, string> = {};
  for (const { key, label, percent } of SYNTHETIC_AMENITIES) {
    if (random.percent(Math.min(99, percent * comfort))) amenities[key] = label;
  }
  return amenities;
}
