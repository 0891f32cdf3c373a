import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { pricedHome, shapeNumbered } from '../../test/support/priced-homes.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { applyChange, propertyLike, randomWorld, SOME_DAY } from '../../test/support/random-world.ts';
import { createWorldIndex } from '../../test/support/world-index.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { Network, Place } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { monthOf } from '../stay/day.ts';
import { answersOf, availabilityIndexContract } from './availability-index.contract.ts';
import { IndexFull } from './availability-index.ts';
import { compareTied } from './rows-by-id.ts';
import { createAvailabilityIndex } from './tiled-index.ts';

const ONE_CITY = {
  brands: new Map(),
  places: new Map([
    [
      'lisbon',
      {
        id: 'lisbon',
        name: 'lisbon',
        aliases: [],
        kind: 'city',
        parent: null,
        timeZone: 'UTC',
        currency: 'EUR',
      },
    ],
  ]),
} as const satisfies Network;

/** Prices of so many nights, then the same again. */
function night(different: number, step: number): (at: number) => number {
  return (at) => 10_000 + (((at % different) * step) % 4_000_000_000);
}

describe('the availability index in memory', () => {
  availabilityIndexContract({ newIndex: createWorldIndex });

  it('answers every question as its plain twin does, whatever was written', () => {
    fc.assert(
      fc.property(randomWorld({ longestCalendar: 40, maxChanges: 10 }), ({ network, changes, questions }) => {
        const [index, twin] = [createWorldIndex(network), createPlainAvailabilityIndex(network)];
        for (const [number, change] of changes.entries()) {
          for (const written of [index, twin]) applyChange(change, written);
          const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, 0];
          assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
        }
        for (const [criteria, now] of questions) {
          assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
        }
      }),
    );
  });

  it('answers as its twin does with calendars as long as the horizon', () => {
    fc.assert(
      fc.property(randomWorld({ longestCalendar: 560, maxChanges: 3 }), ({ network, changes, questions }) => {
        const [index, twin] = [createWorldIndex(network), createPlainAvailabilityIndex(network)];
        for (const change of changes) for (const written of [index, twin]) applyChange(change, written);
        for (const [criteria, now] of questions) {
          assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
        }
      }),
      { numRuns: scaledCases(10) },
    );
  });

  it('follows its twin from one midnight to the next', () => {
    fc.assert(
      fc.property(randomWorld({ longestCalendar: 20, maxChanges: 6 }), ({ network, changes, questions }) => {
        const [index, twin] = [createWorldIndex(network), createPlainAvailabilityIndex(network)];
        const now = questions[0]?.[1] ?? 0;
        for (const change of changes) {
          for (const written of [index, twin]) applyChange(change, written);
          for (const later of [0, 1, 2, 60_000]) {
            const asked = [ANY_STAY, now + later] as const;
            assert.deepEqual(answersOf(index, ...asked), answersOf(twin, ...asked));
          }
        }
      }),
    );
  });

  it('answers alike whether its tiles follow the date before they are asked or not', () => {
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 560, maxChanges: 4 }),
        fc.array(fc.integer({ min: -2, max: 5 }), { minLength: 1, maxLength: 6 }),
        ({ network, changes, questions }, days) => {
          const indexes = [createWorldIndex(network), createWorldIndex(network)];
          const twin = createPlainAvailabilityIndex(network);
          for (const change of changes)
            for (const written of [...indexes, twin]) applyChange(change, written);
          for (const [number, later] of days.entries()) {
            const [criteria] = questions[number % questions.length] ?? [ANY_STAY];
            const now = (SOME_DAY + later) * 86_400_000;
            while (indexes[0]?.followDate(now));
            // The last months that can be searched, and arrivals without a departure, depend on the date.
            const last = {
              ...criteria,
              checkInMonth: null,
              checkOut: null,
              checkIn: SOME_DAY + later + 530 + number,
            };
            for (const asked of [ANY_STAY, criteria, last]) {
              const expected = answersOf(twin, asked, now);
              for (const index of indexes) assert.deepEqual(answersOf(index, asked, now), expected);
            }
          }
        },
      ),
      { numRuns: scaledCases(25) },
    );
  });

  it('knows the arrivals that a midnight brings before its tiles follow the date', () => {
    const horizon = 540;
    const rules = [
      { minimum: 10, closedDays: 0 },
      { minimum: 10, closedDays: 2 },
      { minimum: 1, closedDays: 0 },
    ];
    for (const { minimum, closedDays } of rules) {
      const [index, twin] = [createWorldIndex(ONE_CITY), createPlainAvailabilityIndex(ONE_CITY)];
      const calendar = emptyCalendar(SOME_DAY, horizon + 9);
      calendar.available.fill(1);
      calendar.minimumStay.fill(minimum);
      // The first departure that is open after these days is the first one that today allows.
      calendar.closedToDeparture.fill(1, horizon + 1 - closedDays, horizon + 1);
      const home = propertyLike({ id: 'a:1', brand: 'a', place: 'lisbon' });
      const bookedEarly = { ...home, id: 'a:2', maxGuests: 4, leadDays: horizon };
      for (const written of [index, twin]) for (const one of [home, bookedEarly]) written.put(one, calendar);
      while (index.followDate(SOME_DAY * 86_400_000));
      const arrival = SOME_DAY + horizon + 1 - minimum - closedDays;
      const larger = { checkInMonth: monthOf(arrival), guests: 4 };
      for (const said of [{ checkIn: arrival }, { checkInMonth: monthOf(arrival) }, larger, {}]) {
        const asked = [{ ...ANY_STAY, ...said }, (SOME_DAY + 1) * 86_400_000] as const;
        assert.deepEqual(answersOf(index, ...asked), answersOf(twin, ...asked));
      }
      // Nor does a clock that is set back over midnight, once they follow it, leave them on offer.
      const dayBefore = SOME_DAY * 86_400_000;
      while (index.followDate((SOME_DAY + 1) * 86_400_000));
      assert.equal(twin.checkInDays(ANY_STAY, dayBefore).includes(arrival), false);
      assert.deepEqual(index.checkInDays(ANY_STAY, dayBefore), twin.checkInDays(ANY_STAY, dayBefore));
      while (index.followDate((SOME_DAY + 1) * 86_400_000));
      assert.equal(index.hasMatch({ ...ANY_STAY, checkIn: arrival }, dayBefore), false);
    }
  });

  it('moves all tiles on, a few with each call', () => {
    const place = { aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency: 'EUR' } as const;
    const cities = Array.from({ length: 50 }, (_, number) => `city-${number}`);
    const index = createWorldIndex({
      brands: new Map(),
      places: new Map(cities.map((id) => [id, { ...place, id, name: id }])),
    });
    for (const city of cities)
      index.put(propertyLike({ id: `a:${city}`, brand: 'a', place: city }), emptyCalendar(SOME_DAY, 3));
    const callsOn = (day: number) => {
      let calls = 1;
      while (index.followDate(day * 86_400_000)) calls += 1;
      return calls;
    };
    assert.deepEqual([callsOn(SOME_DAY), callsOn(SOME_DAY), callsOn(SOME_DAY + 1)], [5, 1, 5]);
  });

  it('counts homes in many cities that share tiles as its twin does', () => {
    const place = { aliases: [], timeZone: 'UTC', currency: 'EUR' } as const;
    const cities = Array.from({ length: 90 }, (_, number) => `city-${number}`);
    const network: Network = {
      brands: new Map(),
      places: new Map<string, Place>([
        ['country', { ...place, id: 'country', name: 'country', kind: 'country', parent: null }],
        ...cities.map((id): [string, Place] => [
          id,
          { ...place, id, name: id, kind: 'city', parent: 'country' },
        ]),
      ]),
    };
    const [index, twin] = [createWorldIndex(network), createPlainAvailabilityIndex(network)];
    const calendar = emptyCalendar(SOME_DAY, 30);
    calendar.available.fill(1);
    // First few cities, then more than a tile counts by their planes; of some there are many homes, and of some none is left.
    for (const someCities of [cities.slice(0, 5), cities]) {
      for (let home = 0; home < 20; home++) {
        for (const [number, city] of someCities.entries()) {
          if (home > (number % 7) * 3) continue;
          const facts = {
            id: `a:${city}.${home}`,
            brand: `b${home % 3}`,
            place: city,
            maxGuests: 1 + (home % 4),
          };
          for (const written of [index, twin]) written.put(propertyLike(facts), calendar);
        }
      }
      for (const written of [index, twin]) written.remove('a:city-0.0');
      for (const said of [{}, { guests: 3 }, { brand: 'b1', checkIn: SOME_DAY + 2 }]) {
        const asked = [{ ...ANY_STAY, ...said }, SOME_DAY * 86_400_000] as const;
        assert.deepEqual(index.destinations(...asked), twin.destinations(...asked));
      }
    }
  });

  it('counts as many cities and homes when one takes the row of another', () => {
    const index = createWorldIndex(ONE_CITY);
    const calendar = emptyCalendar(SOME_DAY, 30);
    calendar.available.fill(1);
    const put = (number: number) =>
      index.put(propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' }), calendar);
    for (let number = 0; number < 400; number++) put(number);
    index.remove('a:260');
    put(400);
    assert.deepEqual(index.destinations(ANY_STAY, SOME_DAY * 86_400_000), [
      { place: 'lisbon', properties: 400 },
    ]);
  });

  it('finds the amenities of homes in whichever order they came', () => {
    const [index, twin] = [createWorldIndex(ONE_CITY), createPlainAvailabilityIndex(ONE_CITY)];
    const calendar = emptyCalendar(SOME_DAY, 30);
    calendar.available.fill(1);
    const published = [
      ['own-2', 'wifi'],
      ['pool', 'own-1'],
      ['air_conditioning', 'own-2', 'own-1'],
      ['wifi', 'own-3', 'pool'],
    ];
    for (const [number, amenities] of published.entries()) {
      const labelled = Object.fromEntries(amenities.map((amenity) => [amenity, amenity]));
      const home = {
        ...propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' }),
        amenities: labelled,
      };
      for (const written of [index, twin]) written.put(home, calendar);
    }
    const all = [...new Set(published.flat()), 'kitchen', 'unknown'];
    for (const one of all) {
      for (const other of all) {
        const asked = [{ ...ANY_STAY, amenities: [one, other] }, SOME_DAY * 86_400_000] as const;
        assert.deepEqual(answersOf(index, ...asked), answersOf(twin, ...asked));
      }
    }
  });

  it('answers as its twin does when homes have more rules than a tile has room for', () => {
    const network = ONE_CITY;
    const [index, twin] = [createWorldIndex(network), createPlainAvailabilityIndex(network)];
    const homes = Array.from({ length: 150 }, (_, number) => {
      const calendar = emptyCalendar(SOME_DAY, 60);
      calendar.available.fill(1);
      // Nearly every night of every home has a rule of its own.
      for (let night = 0; night < 60; night++) calendar.maximumStay[night] = 1 + number * 60 + night;
      for (let night = 0; night < 60; night++) calendar.minimumStay[night] = 1 + ((night * 7 + number) % 9);
      return { home: propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' }), calendar };
    });
    // Twice: once with room for them in their tiles, and once without.
    for (const { home, calendar } of [...homes, ...homes.toReversed()]) {
      for (const written of [index, twin]) written.put(home, calendar);
    }
    for (const said of [{}, { checkIn: SOME_DAY + 9 }, { checkIn: SOME_DAY + 9, checkOut: SOME_DAY + 12 }]) {
      const criteria = { ...ANY_STAY, place: 'lisbon', guests: 2, ...said };
      const now = SOME_DAY * 86_400_000;
      assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
    }
    const beyond = {
      ...ANY_STAY,
      place: 'lisbon',
      checkIn: SOME_DAY + 1,
      checkOut: SOME_DAY + 59,
      guests: 9,
    };
    assert.deepEqual(
      index.obstacle(beyond, SOME_DAY * 86_400_000),
      twin.obstacle(beyond, SOME_DAY * 86_400_000),
    );
  });

  it('answers as its twin does around the day on which its ring begins anew', () => {
    const [ringDays, seam] = [560, 38 * 560];
    const now = (seam - 9) * 86_400_000;
    const [index, twin] = [
      createAvailabilityIndex(ONE_CITY, { now, ringDays }),
      createPlainAvailabilityIndex(ONE_CITY),
    ];
    // The same price every night, a few prices, and one for each night: in one, two and four bytes.
    const pricesOf = [() => 9000, night(3, 700), night(40, 500), night(40, 7919), night(40, 99_999_989)];
    for (const [number, priceOf] of pricesOf.entries()) {
      const calendar = emptyCalendar(seam - 12, 40);
      for (let at = 0; at < 40; at++) {
        calendar.available[at] = (at + number * 3) % 17 === 0 ? 0 : 1;
        calendar.price[at] = priceOf(at);
        calendar.minimumStay[at] = 1 + ((at + number) % 3);
        calendar.closedToDeparture[at] = (at * number) % 5 === 1 ? 1 : 0;
      }
      const home = propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' });
      for (const written of [index, twin]) written.put(home, calendar);
    }
    for (let checkIn = seam - 9; checkIn < seam + 3; checkIn++) {
      for (let checkOut = checkIn + 1; checkOut < seam + 9; checkOut++) {
        const criteria = { ...ANY_STAY, place: 'lisbon', guests: 2, checkIn, checkOut };
        assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
      }
    }
  });

  it('chooses among thousands of matches as its twin does', () => {
    const [index, twin] = [createWorldIndex(ONE_CITY), createPlainAvailabilityIndex(ONE_CITY)];
    for (let number = 0; number < 1700; number++) {
      const seed = (number * 7919) % 1009;
      const { home, calendar } = pricedHome(SOME_DAY, {
        number,
        brand: `brand-${seed % 70}`,
        shape: shapeNumbered(seed),
        base: 3000 + ((seed * 131) % 977) * 25,
        seed,
        taken: number % 5,
      });
      for (const written of [index, twin]) written.put(home, calendar);
    }
    for (const [checkIn, nights] of [
      [4, 3],
      [23, 9],
      [40, 61],
    ] as const) {
      const dates = { checkIn: SOME_DAY + checkIn, checkOut: SOME_DAY + checkIn + nights };
      const asked = { ...ANY_STAY, ...dates, place: 'lisbon', guests: 2 };
      for (const [cheapest, ofBrand] of [
        [20, null],
        [300, null],
        [60, 3],
        [0, 1],
      ] as const) {
        const wanted = { cheapest, cheapestOfBrand: ofBrand && (() => ofBrand), without: [] };
        const now = SOME_DAY * 86_400_000;
        assert.deepEqual(index.matches(asked, now, wanted), twin.matches(asked, now, wanted));
      }
    }
  });

  it('answers as its twin does when homes of many different rules fill tiles of every size', () => {
    const [index, twin] = [createWorldIndex(ONE_CITY), createPlainAvailabilityIndex(ONE_CITY)];
    for (let number = 0; number < 1900; number++) {
      const seed = (number * 7919) % 1009;
      const calendar = emptyCalendar(SOME_DAY, 24);
      for (let night = 0; night < 24; night++) {
        calendar.available[night] = (night + seed) % 7 === 0 || (night * seed) % 5 === 2 ? 0 : 1;
        calendar.minimumStay[night] = 1 + ((seed + (night >> 3)) % 4);
        calendar.maximumStay[night] = seed % 3 === 0 ? 5 + (night % 2) : 0;
        calendar.closedToArrival[night] = (night + seed) % 6 === 1 ? 1 : 0;
        calendar.closedToDeparture[night] = (night + seed) % 8 === 3 ? 1 : 0;
        calendar.price[night] = 5000 + ((seed * night) % 97) * 10;
      }
      const facts = { id: `a:${number}`, brand: `brand-${seed % 3}`, place: 'lisbon' };
      const terms = {
        maxGuests: 1 + (seed % 6),
        leadDays: seed % 4,
        amenities: { [`own-${seed % 9}`]: 'Own' },
      };
      for (const written of [index, twin]) written.put(propertyLike({ ...facts, ...terms }), calendar);
    }
    const [checkIn, now] = [SOME_DAY + 9, SOME_DAY * 86_400_000];
    for (const part of [
      { checkIn, checkOut: checkIn + 3, guests: 2 },
      { checkIn: SOME_DAY + 1, checkOut: SOME_DAY + 6, guests: 1, brand: 'brand-1' },
      { checkIn, guests: 4, amenities: ['own-2'] },
      { checkInMonth: monthOf(checkIn), checkOut: checkIn + 4 },
      { checkIn, checkOut: checkIn + 12, guests: 6 },
    ]) {
      const asked = { ...ANY_STAY, place: 'lisbon', ...part };
      assert.deepEqual(answersOf(index, asked, now), answersOf(twin, asked, now));
    }
  });

  it('takes homes whole whose every night has a rule of its own, again and again in the same memory', () => {
    const [index, twin] = [createWorldIndex(ONE_CITY), createPlainAvailabilityIndex(ONE_CITY)];
    const nights = 540;
    const put = (round: number) => {
      for (let number = 0; number < 3; number++) {
        const calendar = emptyCalendar(SOME_DAY, nights);
        calendar.available.fill(1);
        // At most so many nights as are left until the end, which many booking systems say.
        for (let night = 0; night < nights; night++) {
          calendar.maximumStay[night] = nights - night;
          calendar.minimumStay[night] = 1 + ((night * (number + 1)) % (2 + (round % 3)));
        }
        const home = propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' });
        for (const written of [index, twin]) written.put(home, calendar);
      }
    };
    put(0);
    const now = SOME_DAY * 86_400_000;
    for (const [arrival, stay] of [
      [1, 539],
      [100, 440],
      [400, 140],
      [400, 141],
      [530, 2],
    ] as const) {
      const checkIn = SOME_DAY + arrival;
      const asked = { ...ANY_STAY, place: 'lisbon', checkIn, checkOut: checkIn + stay, guests: 1 };
      assert.deepEqual(answersOf(index, asked, now), answersOf(twin, asked, now), `${arrival}, ${stay}`);
    }
    for (let round = 1; round < 4; round++) put(round);
    const { usedBytes } = index;
    for (let round = 4; round < 12; round++) put(round);
    assert.equal(index.usedBytes, usedBytes);
  });

  it('compares stays by the prices of all their nights on whichever day these change', () => {
    const seam = 38 * 560;
    const now = (seam - 40) * 86_400_000;
    for (let change = seam - 30; change < seam + 30; change++) {
      for (let before = 1; before < 6; before++) {
        const index = createAvailabilityIndex(ONE_CITY, { now });
        const put = (id: string, priceOf: (day: number) => number) => {
          const calendar = emptyCalendar(seam - 40, 80);
          calendar.available.fill(1);
          for (let at = 0; at < 80; at++) calendar.price[at] = priceOf(seam - 40 + at);
          index.put(propertyLike({ id, brand: 'a', place: 'lisbon' }), calendar);
        };
        const total = 2000 * before + (6 - before);
        put('a:falling', (day) => (day < change ? 2000 : 1));
        put('a:steady', () => Math.ceil((total + 1) / 6));
        const dates = { checkIn: change - before, checkOut: change - before + 6 };
        const { candidates } = index.matches({ ...ANY_STAY, ...dates, place: 'lisbon', guests: 2 }, now, {
          cheapest: 1,
          cheapestOfBrand: null,
          without: [],
        });
        assert.deepEqual(
          candidates.map(({ property, indicativeTotal }) => [property, indicativeTotal]),
          [['a:falling', total]],
        );
      }
    }
  });

  it('finds the cheapest of a thousand equal ones, and the few that become cheaper during the stay', () => {
    const index = createWorldIndex(ONE_CITY);
    const homes = Array.from({ length: 1100 }, (_, number) => ({
      id: `a:${number}`,
      priceOf: (night: number) => (number < 1072 ? 5000 : night < number - 1072 ? 9000 : 1),
    }));
    for (const { id, priceOf } of homes) {
      const calendar = emptyCalendar(SOME_DAY, 40);
      calendar.available.fill(1);
      for (let night = 0; night < 40; night++) calendar.price[night] = priceOf(night);
      index.put(propertyLike({ id, brand: 'a', place: 'lisbon' }), calendar);
    }
    for (let checkIn = 0; checkIn < 30; checkIn++) {
      const dates = { checkIn: SOME_DAY + checkIn, checkOut: SOME_DAY + checkIn + 4 };
      const asked = { ...ANY_STAY, ...dates, place: 'lisbon', guests: 2 };
      const wanted = { cheapest: 40, cheapestOfBrand: null, without: [] };
      const found = index.matches(asked, SOME_DAY * 86_400_000, wanted).candidates;
      const totalOf = (priceOf: (night: number) => number) =>
        [0, 1, 2, 3].reduce((sum, night) => sum + priceOf(checkIn + night), 0);
      const expected = homes
        .map(({ id, priceOf }) => ({ id, total: totalOf(priceOf) }))
        .sort((one, other) => one.total - other.total || compareTied(one.id, other.id));
      assert.deepEqual(
        found.map(({ property, indicativeTotal }) => ({ id: property, total: indicativeTotal })),
        expected.slice(0, 40),
      );
    }
  });

  it('compares a stay that goes around the whole ring by all of its nights', () => {
    // The first night is the last one of a block of 28 days, and the last night is in the same block of the ring.
    const today = 37 * 560 + 5 * 28 + 27;
    const index = createAvailabilityIndex(ONE_CITY, { now: today * 86_400_000 });
    const put = (id: string, first: number, others: number) => {
      const calendar = emptyCalendar(today, 541);
      calendar.available.fill(1);
      for (let night = 0; night < 541; night++) {
        calendar.price[night] = (today + night) % 560 < 140 || (today + night) % 560 > 167 ? others : first;
      }
      index.put(propertyLike({ id, brand: 'a', place: 'lisbon' }), calendar);
    };
    put('a:cheap-later', 9000, 1000);
    put('a:cheap-first', 1000, 2000);
    const stay = { ...ANY_STAY, place: 'lisbon', guests: 2, checkIn: today, checkOut: today + 540 };
    const { candidates } = index.matches(stay, today * 86_400_000, {
      cheapest: 1,
      cheapestOfBrand: null,
      without: [],
    });
    assert.deepEqual(
      candidates.map(({ property }) => property),
      ['a:cheap-later'],
    );
  });

  it('chooses as its twin does when the ring has moved on and prices have changed since', () => {
    const firstDay = 37 * 560 + 531;
    const [index, twin] = [
      createAvailabilityIndex(ONE_CITY, { now: firstDay * 86_400_000 }),
      createPlainAvailabilityIndex(ONE_CITY),
    ];
    const put = (number: number, from: number, priceOf: (day: number) => number) => {
      const calendar = emptyCalendar(from, 542);
      calendar.available.fill(1);
      for (let at = 0; at < 542; at++) calendar.price[at] = priceOf(from + at);
      const home = propertyLike({ id: `a:${number}`, brand: `${number % 2}`, place: 'lisbon' });
      for (const written of [index, twin]) written.put(home, calendar);
    };
    for (let number = 0; number < 12; number++) {
      put(number, firstDay, (day) => 10_000 + (((day + number * 5) * 37) % 41) * 100);
    }
    for (const later of [0, 13, 29, 45]) {
      const today = firstDay + later;
      // The ring follows the date of the questions.
      assert.equal(index.hasMatch(ANY_STAY, today * 86_400_000), true);
      // Some are put again: dearer than before, cheaper, or with prices that fall where the new days begin.
      put(later % 12, today, () => 60_000);
      put((later + 1) % 12, today, (day) => 9_000 + (day % 30));
      put((later + 2) % 12, today, (day) => (day < firstDay + 540 ? 12_000 : 300 + (day % 19)));
      for (const ahead of [0, 11, 26, 300, 500, 520]) {
        for (const nights of [1, 5, 19]) {
          const dates = { checkIn: today + ahead, checkOut: today + ahead + nights };
          const asked = { ...ANY_STAY, ...dates, place: 'lisbon', guests: 2 };
          for (const ofBrand of [null, () => 2]) {
            const wanted = { cheapest: 3, cheapestOfBrand: ofBrand, without: [] };
            const now = today * 86_400_000;
            assert.deepEqual(index.matches(asked, now, wanted), twin.matches(asked, now, wanted));
          }
        }
      }
    }
  });

  it('leaves room for the amenities of a brand, however many another one makes up', () => {
    const index = createWorldIndex(ONE_CITY);
    const calendar = emptyCalendar(SOME_DAY, 60);
    calendar.available.fill(1);
    const publish = (brand: string, amenities: readonly string[]) => {
      const labelled = Object.fromEntries(amenities.map((amenity) => [amenity, amenity]));
      const home = propertyLike({ id: `${brand}:1`, brand, place: 'lisbon' });
      index.put({ ...home, amenities: labelled }, calendar);
    };
    const canBeAskedFor = (brand: string, amenity: string) =>
      index.hasMatch({ ...ANY_STAY, brand, amenities: [amenity] }, SOME_DAY * 86_400_000);
    const madeUp = Array.from({ length: 5000 }, (_, number) => `made-up-${number}`);
    publish('shared', madeUp.slice(0, 3));
    publish('greedy', madeUp);
    publish('modest', ['sauna-on-a-raft', 'wifi', 'made-up-3', 'made-up-4000']);
    assert.deepEqual(
      ['sauna-on-a-raft', 'wifi', 'made-up-3', 'made-up-4000'].map((amenity) =>
        canBeAskedFor('modest', amenity),
      ),
      [true, true, true, true],
    );
    // Three of them were known, and as many as a brand may bring are new.
    const ofGreedy = madeUp.filter((amenity) => canBeAskedFor('greedy', amenity));
    assert.deepEqual(ofGreedy, madeUp.slice(0, 3 + 256));
    for (let brand = 0; brand < 20; brand++)
      publish(
        `b${brand}`,
        madeUp.slice(brand * 200, (brand + 1) * 200).map((name) => `${name}-too`),
      );
    assert.deepEqual(
      [canBeAskedFor('b3', 'made-up-600-too'), canBeAskedFor('b19', 'made-up-3999-too')],
      [true, false],
    );
  });

  it('writes a home wholly or not at all when its memory is full, and goes on with those that it has', () => {
    const now = SOME_DAY * 86_400_000;
    const index = createAvailabilityIndex(ONE_CITY, { now, maxPages: 70 });
    const twin = createPlainAvailabilityIndex(ONE_CITY);
    const calendarOf = (number: number, hasRules: boolean) => {
      const calendar = emptyCalendar(SOME_DAY, 30);
      for (let at = 0; at < 30; at++) {
        calendar.available[at] = (at * 7 + number) % 5 === 0 ? 0 : 1;
        calendar.price[at] = 5000 + ((at * number * 37) % 9000);
        if (hasRules) calendar.minimumStay[at] = 1 + ((at + number) % 4);
      }
      return calendar;
    };
    const put = (number: number, hasRules: boolean) => {
      const home = propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' });
      const amenities = { wifi: 'Wi-Fi', [`own-${number % 90}`]: `Label ${number}` };
      const calendar = calendarOf(number, hasRules);
      try {
        index.put({ ...home, amenities }, calendar);
      } catch (error) {
        assert.ok(error instanceof IndexFull);
        return false;
      }
      twin.put({ ...home, amenities }, calendar);
      return true;
    };
    const isLikeTwin = () => {
      for (const said of [{}, { checkIn: SOME_DAY + 9, checkOut: SOME_DAY + 11 }, { amenities: ['own-7'] }]) {
        const criteria = { ...ANY_STAY, guests: 1, ...said };
        assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
      }
    };
    let homes = 0;
    while (put(homes, homes % 3 === 0)) homes += 1;
    assert.ok(homes > 100, `${homes} homes`);
    assert.equal(index.propertyCount, homes);
    isLikeTwin();
    // Other prices and nights find room where the home is; other rules may need a tile that there is no room for.
    for (let number = 0; number < homes; number += 7) assert.equal(put(number, number % 3 === 0), true);
    const moved = Array.from({ length: 40 }, (_, number) => put(number, number % 3 !== 0));
    assert.ok(moved.includes(false), 'some found no room');
    isLikeTwin();
    for (let number = 0; number < homes; number += 2)
      for (const one of [index, twin]) one.remove(`a:${number}`);
    isLikeTwin();
  });

  it('uses memory again that removed homes had', () => {
    const index = createWorldIndex(ONE_CITY);
    const calendar = emptyCalendar(SOME_DAY, 60);
    calendar.available.fill(1);
    for (let at = 0; at < 60; at++) calendar.price[at] = 10_000 + at * at;
    const cycle = (number: number) => {
      index.put(propertyLike({ id: `a:${1000 + number}`, brand: 'a', place: 'lisbon' }), calendar);
      index.remove(`a:${1000 + number}`);
    };
    for (let number = 0; number < 300; number++) cycle(number);
    const before = index.usedBytes;
    for (let number = 300; number < 2000; number++) cycle(number);
    assert.equal(index.usedBytes, before);
  });

  it('keeps the revision of criteria that a write cannot concern', () => {
    const place = { aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency: 'EUR' } as const;
    const cities = ['lisbon', 'rome'].map((id) => [id, { ...place, id, name: id }] as const);
    const index = createWorldIndex({ brands: new Map(), places: new Map(cities) });
    index.put(propertyLike({ id: 'a:1', brand: 'a', place: 'lisbon' }), emptyCalendar(20_000, 3));
    const untouched = [{ brand: 'a' }, { place: 'lisbon' }].map((said) => ({ ...ANY_STAY, ...said }));
    const before = untouched.map((criteria) => index.revision(criteria, 0));
    index.put(propertyLike({ id: 'b:1', brand: 'b', place: 'rome' }), emptyCalendar(20_000, 3));
    index.withdraw('b:1', [{ from: 20_000, to: 20_001 }]);
    index.remove('b:1');
    assert.deepEqual(
      untouched.map((criteria) => index.revision(criteria, 0)),
      before,
    );
  });
});
