import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { pricedHome, shapeNumbered } from '../../test/support/priced-homes.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { applyChange, propertyLike, randomWorld, SOME_DAY } from '../../test/support/random-world.ts';
import { createRestartedIndex } from '../../test/support/restarted-index.ts';
import { createWorldIndex, WORLD_INDEX } from '../../test/support/world-index.ts';
import { type Calendar, emptyCalendar } from '../catalogue/calendar.ts';
import type { Network, Place } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { answersOf, availabilityIndexContract } from './availability-index.contract.ts';
import { IndexFull } from './availability-index.ts';
import { compareTied } from './rows-by-id.ts';
import { createAvailabilityIndex, type TiledIndex } from './tiled-index.ts';

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

const CITY = {
  name: 'a',
  aliases: [],
  kind: 'city',
  parent: null,
  timeZone: 'UTC',
  currency: 'EUR',
} as const;

const NETWORK: Network = { brands: new Map(), places: new Map([['a', { ...CITY, id: 'a' }]]) };

const MS_PER_DAY = 86_400_000;

/** Free from a night up to another, counted from the first. */
type Run = readonly [from: number, to: number];

function calendarWith(runs: readonly Run[], maximum = 0, firstDay = SOME_DAY): Calendar {
  const calendar = emptyCalendar(firstDay, 545);
  for (const [from, to] of runs) calendar.available.fill(1, from, to);
  calendar.maximumStay.fill(maximum);
  return calendar;
}

function homeNumbered(number: number) {
  return propertyLike({ id: `b:${number}`, brand: 'b', place: 'a' });
}

function followDate(index: TiledIndex, now: number): void {
  while (index.followDate(now));
}

describe('departures', () => {
  it('let no departure be missed, whatever is written, removed and forgotten from day to day', () => {
    const run = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 130 }));
    const change = fc.record({
      home: fc.integer({ min: 0, max: 5 }),
      runs: fc.array(run, { maxLength: 4 }),
      maximum: fc.constantFrom(0, 0, 0, 5, 60),
      isRemoved: fc.boolean(),
      nightsLater: fc.integer({ min: 0, max: 9 }),
      isFollowed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const index = createAvailabilityIndex(NETWORK, { now: SOME_DAY * MS_PER_DAY });
        const twin = createPlainAvailabilityIndex(NETWORK);
        let today = SOME_DAY;
        for (const { home, runs, maximum, isRemoved, nightsLater, isFollowed } of changes) {
          today += nightsLater;
          for (const written of [index, twin]) {
            if (isRemoved) written.remove(homeNumbered(home).id);
            else
              written.put(
                homeNumbered(home),
                calendarWith(
                  runs.map(([from, nights]) => [from, from + nights] as const),
                  maximum,
                  today,
                ),
              );
          }
          if (isFollowed) followDate(index, today * MS_PER_DAY);
          for (let night = 0; night < 60; night += 7) {
            const asked = [{ ...ANY_STAY, checkIn: today + night }, today * MS_PER_DAY] as const;
            assert.deepEqual(index.checkOutDays(...asked), twin.checkOutDays(...asked));
          }
        }
      }),
    );
  });
});

it('answers as its twin does, alone and after restarts from snapshots, whatever happens', (t) => {
  let compared = 0;
  fc.assert(
    fc.property(randomWorld({ longestCalendar: 40, maxChanges: 12 }), ({ network, changes, questions }) => {
      const twin = createPlainAvailabilityIndex(network);
      const asked = [createWorldIndex(network), createRestartedIndex(network)];
      for (const [number, change] of changes.entries()) {
        for (const one of [...asked, twin]) applyChange(change, one);
        const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, WORLD_INDEX.now];
        // Sometimes tiles have followed the date before a question.
        if (number % 3 === 0) for (const one of asked) one.followDate(now);
        const expected = answersOf(twin, criteria, now);
        for (const one of asked) assert.deepEqual(answersOf(one, criteria, now), expected);
        compared += asked.length;
      }
    }),
    { numRuns: scaledCases(40) },
  );
  t.diagnostic(`${compared} states and questions compared`);
});
