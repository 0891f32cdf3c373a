import fc from 'fast-check';
import type { Obstacle } from '../../src/availability/availability-index.ts';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Network, Place } from '../../src/catalogue/catalogue.ts';
import type { StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { Day } from '../../src/stay/day.ts';
import { monthOf } from '../../src/stay/day.ts';
import { instantOf } from '../../src/stay/time-zone.ts';
import type { Change } from './random-world.ts';
import { propertyLike, SOME_DAY } from './random-world.ts';
import { sampleBrand } from './sample-network.ts';

// A few rules are strict in the whole inventory, so that it depends on them, alone or together, whether a stay matches.

const MAX_NIGHTS = 12;
const CITIES = [
  { id: 'lisbon', timeZone: 'Europe/Lisbon' },
  { id: 'auckland', timeZone: 'Pacific/Auckland' },
] as const;
const RULES = [
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'party_too_large',
  'nothing_free',
] as const satisfies readonly Obstacle['code'][];

type Strict = ReadonlySet<(typeof RULES)[number]>;

const NETWORK: Network = {
  brands: new Map(['alba', 'brisa'].map((id) => [id, sampleBrand(id)])),
  places: new Map(
    [
      { id: 'world', kind: 'country', parent: null, timeZone: 'UTC' } as const,
      ...CITIES.map((city) => ({ ...city, kind: 'city', parent: 'world' }) as const),
    ].map((place): readonly [string, Place] => [
      place.id,
      { ...place, name: place.id, aliases: [], currency: 'EUR' },
    ]),
  ),
};

/** Maximum stay is most often alone, because other rules hide it: shorter stays keep it. */
const randomlyStrict: fc.Arbitrary<Strict> = fc
  .oneof(
    fc.subarray([...RULES], { maxLength: 4 }),
    fc.constantFrom(...RULES, 'maximum_stay' as const, 'maximum_stay' as const).map((rule) => [rule]),
  )
  .map((rules) => new Set(rules));

/** Where the calendars of an inventory begin: around today, or so that they end around the horizon. */
const randomStart: fc.Arbitrary<Day> = fc.oneof(
  { arbitrary: fc.constant(SOME_DAY - 2), weight: 3 },
  { arbitrary: fc.constant(SOME_DAY + HORIZON_NIGHTS - MAX_NIGHTS / 2), weight: 1 },
);

const randomLength = fc.oneof(
  { arbitrary: fc.integer({ min: MAX_NIGHTS / 2, max: MAX_NIGHTS }), weight: 5 },
  { arbitrary: fc.integer({ min: 0, max: MAX_NIGHTS / 2 }), weight: 1 },
);

function randomCalendar(strict: Strict, start: Day): fc.Arbitrary<Calendar> {
  return fc.tuple(fc.integer({ min: 0, max: 4 }), randomLength).chain(([offset, length]) => {
    const column = (rule: (typeof RULES)[number], values: readonly number[], lenient: number) =>
      fc.array(strict.has(rule) ? fc.constantFrom(...values) : fc.constant(lenient), {
        minLength: length,
        maxLength: length,
      });
    return fc.record({
      firstDay: fc.constant(start + offset),
      available: column('nothing_free', [0, 1, 1], 1).map((values) => Uint8Array.from(values)),
      minimumStay: column('minimum_stay', [0, 3, 4, 6, 30], 1).map((values) => Uint16Array.from(values)),
      maximumStay: column('maximum_stay', [1, 2, 1, 3], 0).map((values) => Uint16Array.from(values)),
      closedToArrival: column('closed_to_arrival', [1, 1, 1, 0], 0).map((values) => Uint8Array.from(values)),
      closedToDeparture: column('closed_to_departure', [1, 1, 1, 0], 0).map((values) =>
        Uint8Array.from(values),
      ),
      price: fc.constant(new Uint32Array(length)),
    });
  });
}

function randomPut(strict: Strict, start: Day): fc.Arbitrary<Change> {
  return fc
    .record({
      id: fc.constantFrom('alba:1', 'alba:2', 'brisa:1'),
      place: fc.constantFrom(...CITIES.map(({ id }) => id)),
      maxGuests: strict.has('party_too_large') ? fc.integer({ min: 1, max: 3 }) : fc.constant(6),
      leadDays: strict.has('lead_time') ? fc.constantFrom(0, 3, 5, 8, 11) : fc.constant(0),
      amenities: fc.constantFrom({ pool: 'Pool' }, null, { pool: 'Pool' }, { pool: 'Pool', wifi: 'Wi-Fi' }),
      calendar: randomCalendar(strict, start),
    })
    .map(({ calendar, id, ...facts }) => ({
      kind: 'put' as const,
      property: propertyLike({ ...facts, id, brand: id.split(':', 1)[0] ?? '' }),
      calendar,
    }));
}

function randomWithdrawal(start: Day): fc.Arbitrary<Change> {
  return fc.record({
    kind: fc.constant('withdraw' as const),
    property: fc.constantFrom('alba:1', 'alba:2', 'brisa:1'),
    refused: fc.array(
      fc.record({
        from: fc.integer({ min: start, max: start + MAX_NIGHTS }),
        to: fc.integer({ min: start, max: start + MAX_NIGHTS }),
      }),
      { maxLength: 6 },
    ),
  });
}

/** Each criterion with and without a value. The days are around the calendars, seldom in the wrong order or far away. */
function randomCriteria(start: Day): fc.Arbitrary<StayCriteria> {
  const day = fc.oneof(
    { arbitrary: fc.integer({ min: start + 1, max: start + MAX_NIGHTS - 2 }), weight: 16 },
    { arbitrary: fc.constantFrom(-40, 40, HORIZON_NIGHTS).map((days) => start + days), weight: 1 },
  );
  const nights = fc.constantFrom(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 7, 9, 0);
  return fc
    .record({
      brand: fc.constantFrom(null, null, null, null, null, 'alba', 'brisa'),
      place: fc.constantFrom(null, null, null, null, 'world', 'lisbon', 'auckland'),
      guests: fc.constantFrom(null, null, 2, 3, 4, 5),
      amenities: fc.constantFrom<readonly string[]>([], [], [], [], [], [], ['pool'], ['pool', 'wifi']),
      arrival: day,
      nights,
      said: fc.constantFrom('day', 'day', 'day', 'month', 'month', 'both', 'both', 'neither', 'disagreeing'),
      saysCheckOut: fc.boolean(),
    })
    .map(({ arrival, nights, said, saysCheckOut, ...others }) => ({
      ...others,
      checkIn: said === 'day' || said === 'both' || said === 'disagreeing' ? arrival : null,
      checkInMonth:
        said === 'month' || said === 'both'
          ? monthOf(arrival)
          : said === 'disagreeing'
            ? monthOf(arrival) + 1
            : null,
      checkOut: saysCheckOut ? arrival + nights : null,
    }));
}

/** Midnight in one of the cities, and the moments before and after it. */
const randomNow = fc
  .tuple(fc.constantFrom(...CITIES), fc.integer({ min: -1, max: 1 }))
  .map(([{ timeZone }, offset]) => instantOf(SOME_DAY, 0, timeZone) + offset);

/** Writes to an index, and criteria that often have no match, for each of the reasons. */
export const randomRefusals = fc.tuple(randomlyStrict, randomStart).chain(([strict, start]) =>
  fc.record({
    network: fc.constant(NETWORK),
    changes: fc.array(
      fc.oneof(
        { arbitrary: randomPut(strict, start), weight: 5 },
        { arbitrary: randomWithdrawal(start), weight: 1 },
      ),
      { minLength: 2, maxLength: 6, size: 'max' },
    ),
    questions: fc.array(randomCriteria(start), { minLength: 6, maxLength: 6 }),
    now: randomNow,
  }),
);
