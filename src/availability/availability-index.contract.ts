import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { pricedHomes } from '../../test/support/priced-homes.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { randomRefusals } from '../../test/support/random-refusals.ts';
import {
  applyChange,
  EVERY_AMENITY,
  EVERY_PROPERTY,
  propertyLike,
  randomWorld,
} from '../../test/support/random-world.ts';
import { sampleBrand } from '../../test/support/sample-network.ts';
import type { Calendar } from '../catalogue/calendar.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { Network, Place, Property } from '../catalogue/catalogue.ts';
import type { CompleteCriteria, RequestedStay, StayCriteria } from '../catalogue/stay-criteria.ts';
import { ANY_STAY, isComplete } from '../catalogue/stay-criteria.ts';
import { parseDay, parseMonth } from '../stay/day.ts';
import type {
  AvailabilityIndex,
  AvailabilityWriter,
  RefusedNights,
  StayToTry,
  WantedMatches,
} from './availability-index.ts';
import { NO_CANDIDATES } from './availability-index.ts';

type WritableIndex = AvailabilityIndex & AvailabilityWriter;

const NOON = Date.parse('2027-05-10T12:00:00Z');
const MAY_10 = day('2027-05-10');

/** The cases that every availability index must pass. */
export function availabilityIndexContract({
  newIndex,
}: {
  readonly newIndex: (network: Network) => WritableIndex;
}): void {
  it('lets a stay end on the day after the last night of the calendar, and no later', () => {
    const index = newIndex(network());
    index.put(aProperty(), freeNights({ from: '2027-05-12', nights: 3 }));
    const days = { ...ANY_STAY, checkIn: day('2027-05-12') };
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON), daysNamed('2027-05-12', '2027-05-13', '2027-05-14'));
    assert.deepEqual(index.checkOutDays(days, NOON), daysNamed('2027-05-13', '2027-05-14', '2027-05-15'));
  });

  it('knows in which state a home was put, and which homes there are', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 3 });
    const version = { listing: 2 ** 47 + 5, calendar: 0xffff_fff7 };
    index.put(aProperty({ id: 'a:1' }), calendar, version);
    index.put(aProperty({ id: 'b:2', brand: 'b' }), calendar);
    index.put(aProperty({ id: 'a:3' }), calendar, { listing: 3, calendar: 3 });
    assert.deepEqual(
      [...index.homes()].sort((one, other) => (one.id < other.id ? -1 : 1)),
      [
        { id: 'a:1', brand: 'a' },
        { id: 'a:3', brand: 'a' },
        { id: 'b:2', brand: 'b' },
      ],
    );
    assert.equal(index.holds('a:1', version), true);
    assert.equal(index.holds('a:1', { ...version, calendar: 1 }), false);
    assert.equal(index.holds('a:1', { ...version, listing: 5 - 1 }), false);
    assert.equal(index.holds('a:3', { listing: 3, calendar: 3 }), true);
    assert.equal(index.holds('b:2', { listing: 0, calendar: 0 }), false, 'it was not told');
    assert.equal(index.holds('a:9', version), false);
    index.withdraw('a:1', [{ from: MAY_10, to: MAY_10 + 1 }]);
    assert.equal(index.holds('a:1', version), true);
    index.put(aProperty({ id: 'a:1' }), calendar);
    assert.equal(index.holds('a:1', version), false);
    index.remove('a:3');
    assert.equal(index.holds('a:3', { listing: 3, calendar: 3 }), false);
    assert.deepEqual([...index.homes()].map(({ id }) => id).sort(), ['a:1', 'b:2']);
  });

  it('tells which of many stays some property can be booked for, without those that do not count', () => {
    const index = newIndex(network());
    index.put(aProperty({ id: 'a:1', maxGuests: 2 }), freeNights({ from: '2027-05-12', nights: 3 }));
    index.put(aProperty({ id: 'a:2', maxGuests: 4 }), freeNights({ from: '2027-05-14', nights: 3 }));
    const asked = [
      { checkIn: day('2027-05-14'), checkOut: day('2027-05-17'), guests: 3 },
      { checkIn: day('2027-05-09'), checkOut: day('2027-05-10'), guests: 1 },
      { checkIn: day('2027-05-12'), checkOut: day('2027-05-15'), guests: 3 },
      { checkIn: day('2027-05-12'), checkOut: day('2027-05-15'), guests: 2 },
    ];
    // What the criteria say of the stay does not matter.
    const criteria = { ...ANY_STAY, checkInMonth: parseMonth('2027-06') ?? 0, checkIn: MAY_10, guests: 9 };
    const found = (without: (stay: RequestedStay) => readonly string[]) =>
      index
        .bookableStays(
          criteria,
          asked.map((one) => ({ stay: one, without: without(one) })),
          NOON,
        )
        .map((one) => asked.indexOf(one));
    assert.deepEqual(
      found(() => []),
      [0, 3],
    );
    assert.deepEqual(
      found(() => ['a:2', 'a:nobody']),
      [3],
    );
    assert.deepEqual(
      found(({ guests }) => (guests === 2 ? ['a:1'] : [])),
      [0],
    );
  });

  it('ends no stay on a day closed to departure, and starts none that could only end there', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 3 });
    calendar.closedToDeparture.set([0, 1, 1]);
    index.put(aProperty(), calendar);
    assert.deepEqual(
      index.checkOutDays({ ...ANY_STAY, checkIn: day('2027-05-12') }, NOON),
      daysNamed('2027-05-15'),
    );
    calendar.maximumStay.set([2, 0, 0]);
    index.put(aProperty(), calendar);
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON), daysNamed('2027-05-13', '2027-05-14'));
  });

  it('counts lead days from today, and never starts a stay in the past', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-08', nights: 5 });
    index.put(aProperty(), calendar);
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON), daysNamed('2027-05-10', '2027-05-11', '2027-05-12'));
    index.put(aProperty({ leadDays: 2 }), calendar);
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON), daysNamed('2027-05-12'));
  });

  it('changes the date of each property at midnight in its time zone', () => {
    const index = newIndex(network());
    index.put(aProperty({ id: 'a:1', place: 'auckland' }), freeNights({ from: '2027-05-10', nights: 1 }));
    index.put(aProperty({ id: 'a:2', place: 'los-angeles' }), freeNights({ from: '2027-05-09', nights: 1 }));
    const places = (instant: string) =>
      index.destinations(ANY_STAY, Date.parse(instant)).map(({ place }) => place);
    // Midnight ends 2027-05-09 in California at 07:00 UTC, and 2027-05-10 in New Zealand at 12:00 UTC.
    assert.deepEqual(places('2027-05-10T06:59:59.999Z'), ['auckland', 'los-angeles']);
    assert.deepEqual(places('2027-05-10T07:00:00.000Z'), ['auckland']);
    assert.deepEqual(places('2027-05-10T11:59:59.999Z'), ['auckland']);
    assert.deepEqual(places('2027-05-10T12:00:00.000Z'), []);
  });

  it('searches 540 nights from today on', () => {
    const index = newIndex(network());
    index.put(aProperty(), freeNights({ from: '2027-05-10', nights: 600 }));
    const lastDay = MAY_10 + 540;
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON).at(-1), lastDay - 1);
    assert.equal(index.checkInDays(ANY_STAY, NOON).length, 540);
    assert.deepEqual(index.checkOutDays({ ...ANY_STAY, checkIn: lastDay - 1 }, NOON), [lastDay]);
    const calendar = freeNights({ from: '2027-05-10', nights: 600 });
    calendar.minimumStay.fill(3);
    index.put(aProperty(), calendar);
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON).at(-1), lastDay - 3);
    assert.equal(index.hasMatch({ ...ANY_STAY, checkIn: lastDay - 2 }, NOON), false);
    const tomorrow = NOON + 86_400_000;
    assert.equal(index.hasMatch({ ...ANY_STAY, checkIn: lastDay - 2 }, tomorrow), true);
  });

  it('removes many at once, and leaves the others as they were', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    const put = (id: string, place: string) => index.put(aProperty({ id, place }), calendar);
    for (const number of [1, 2, 3, 4]) put(`a:${number}`, number % 2 === 0 ? 'porto' : 'lisbon');
    const places = () =>
      index.destinations(ANY_STAY, NOON).map(({ place, properties }) => [place, properties]);
    index.removeAll(['a:1', 'a:4', 'a:1', 'a:nobody']);
    assert.equal(index.propertyCount, 2);
    assert.deepEqual(Object.fromEntries(places()), { portugal: 2, lisbon: 1, porto: 1 });
    assert.deepEqual(
      ['a:1', 'a:2', 'a:3', 'a:4'].map((id) => index.has(id)),
      [false, true, true, false],
    );
    put('a:5', 'porto');
    put('a:6', 'porto');
    assert.deepEqual(Object.fromEntries(places()), { portugal: 4, lisbon: 1, porto: 3 });
    index.removeAll([]);
    assert.equal(index.propertyCount, 4);
  });

  it('hides all homes of a brand at once, until each is put again', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    const version = { listing: 1, calendar: 2 };
    const put = (id: string, brand: string, place: string) =>
      index.put(aProperty({ id, brand, place }), calendar, version);
    put('a:1', 'a', 'lisbon');
    put('a:2', 'a', 'porto');
    put('b:1', 'b', 'lisbon');
    const places = () =>
      Object.fromEntries(
        index.destinations(ANY_STAY, NOON).map(({ place, properties }) => [place, properties]),
      );
    index.hideBrand('a');
    index.hideBrand('nobody');
    assert.deepEqual(places(), { portugal: 1, lisbon: 1 });
    assert.equal(index.hasMatch({ ...ANY_STAY, brand: 'a' }, NOON), false);
    assert.deepEqual(index.obstacle({ ...ANY_STAY, brand: 'a' }, NOON), { code: 'no_properties' });
    assert.deepEqual([index.has('a:1'), index.has('b:1')], [false, true]);
    assert.deepEqual([index.holds('a:1', version), index.holds('b:1', version)], [false, true]);
    assert.equal([...index.homes()].length, 3, 'they are still to be removed');
    put('a:2', 'a', 'porto');
    assert.deepEqual(places(), { portugal: 2, lisbon: 1, porto: 1 });
    index.hideBrand('a');
    index.removeAll(['a:1', 'a:2']);
    assert.deepEqual([index.propertyCount, [...index.homes()].length], [1, 1]);
    put('a:1', 'a', 'lisbon');
    assert.deepEqual(places(), { portugal: 2, lisbon: 2 });
  });

  it('finds a city in its region and country only where they share its currency', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 2 });
    index.put(aProperty({ id: 'a:1', place: 'lisbon' }), calendar);
    index.put(aProperty({ id: 'a:2', place: 'porto' }), calendar);
    index.put(aProperty({ id: 'a:3', place: 'funchal', currency: 'USD' }), calendar);
    assert.deepEqual(index.destinations(ANY_STAY, NOON), [
      { place: 'portugal', properties: 2 },
      { place: 'funchal', properties: 1 },
      { place: 'lisbon', properties: 1 },
      { place: 'porto', properties: 1 },
    ]);
    assert.equal(index.hasMatch({ ...ANY_STAY, place: 'portugal' }, NOON), true);
    assert.equal(index.hasMatch({ ...ANY_STAY, place: 'madeira' }, NOON), false);
    assert.equal(index.hasMatch({ ...ANY_STAY, place: 'funchal' }, NOON), true);
  });

  it('refuses a property in a place that is no city, or priced in another currency than its city', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 2 });
    assert.throws(() => index.put(aProperty({ place: 'atlantis' }), calendar), RangeError);
    assert.throws(() => index.put(aProperty({ place: 'portugal' }), calendar), RangeError);
    assert.throws(() => index.put(aProperty({ currency: 'USD' }), calendar), RangeError);
    assert.equal(index.propertyCount, 0);
  });

  it('gives the cheapest first, those that cost the same in the order of their hash, and counts all of them', () => {
    const index = newIndex(network());
    const home = (id: string, price: number, nightsFree = 4) =>
      index.put(aProperty({ id }), freeNights({ from: '2027-05-12', nights: nightsFree, price }));
    home('a:1', 100);
    home('a:2', 100);
    home('a:3', 99);
    home('a:4', 1, 1);
    home('a:5', 100);
    const { total, candidates } = index.matches(TWO_NIGHTS_LATER, NOON, ALL);
    assert.equal(total, 4);
    assert.deepEqual(candidates[0], { property: 'a:3', brand: 'a', place: 'lisbon', indicativeTotal: 198 });
    // FNV-1a of a:2, a:1 and a:5: 0xd8bd39b0, 0xdbbd3e69 and 0xdfbd44b5.
    assert.deepEqual(
      candidates.map(({ property, indicativeTotal }) => [property, indicativeTotal]),
      [
        ['a:3', 198],
        ['a:2', 200],
        ['a:1', 200],
        ['a:5', 200],
      ],
    );
  });

  it('limits the candidates of each brand, with a total and without one, by how many brands have a match', () => {
    const index = newIndex(network());
    const home = (id: string, price: number, place = 'lisbon') =>
      index.put(
        aProperty({ id, brand: id.slice(0, 1), place }),
        freeNights({ from: '2027-05-12', nights: 4, price }),
      );
    for (const [at, price] of [500, 300, 400, 0, 0, 0].entries()) home(`a:${at}`, price);
    home('b:0', 900);
    home('c:0', 1, 'porto');
    const asked: number[] = [];
    const found = (limit: number, place: string) => {
      const { total, candidates } = index.matches({ ...TWO_NIGHTS_LATER, place }, NOON, {
        without: [],
        cheapest: 0,
        cheapestOfBrand: (brands) => {
          asked.push(brands);
          return limit;
        },
      });
      return [total, ...candidates.map(({ property }) => property)];
    };
    assert.deepEqual(found(0, 'lisbon'), [7]);
    assert.deepEqual(found(1, 'portugal'), [8, 'a:1', 'a:3', 'b:0', 'c:0']);
    assert.equal(found(2, 'lisbon').length, 1 + 2 + 1 + 2);
    assert.equal(found(9, 'lisbon').length, 1 + 7);
    assert.deepEqual(found(9, 'madeira'), [0]);
    assert.deepEqual(asked, [2, 3, 2, 2, 0]);
  });

  it('finds the cheapest of a stay by its own nights, whatever the nights around it cost', () => {
    const index = newIndex(network());
    const home = (id: string, priceOf: (night: number) => number, isFree = (_: number) => true) => {
      const calendar = freeNights({ from: '2027-05-10', nights: 90 });
      for (let night = 0; night < 90; night++) {
        calendar.price[night] = priceOf(night);
        calendar.available[night] = isFree(night) ? 1 : 0;
      }
      index.put(aProperty({ id }), calendar);
    };
    // In every block of days: a dear home with one cheap night, a cheap home with one dear night, rising and falling prices, and a mostly taken home.
    home('a:plain', () => 1000);
    home('a:lure', (night) => (night % 20 === 7 ? 1 : 1010));
    home('a:rare', (night) => (night % 20 === 7 ? 90_000 : 990));
    home('a:rising', (night) => 100 + night * 31);
    home('a:falling', (night) => 3000 - night * 31);
    home(
      'a:late',
      (night) => (night % 28 < 20 ? 5 : 995),
      (night) => night % 28 >= 20,
    );
    for (let night = 0; night < 86; night++) {
      const asked = { ...TWO_NIGHTS, checkIn: MAY_10 + night, checkOut: MAY_10 + night + 4 };
      const { candidates } = index.matches(asked, NOON, ALL);
      const totals = candidates.map(({ indicativeTotal }) => indicativeTotal ?? 0);
      assert.deepEqual(
        totals,
        totals.toSorted((one, other) => one - other),
      );
      for (const cheapest of [1, 2, 3]) {
        const chosen = index.matches(asked, NOON, { cheapest, cheapestOfBrand: null, without: [] });
        assert.deepEqual(chosen.candidates, candidates.slice(0, cheapest));
      }
    }
  });

  it('gives the cheapest that pricing every match gives, whatever the prices', () => {
    fc.assert(
      fc.property(pricedHomes(MAY_10), fc.nat(), (homes, seed) => {
        const [index, twin] = [newIndex(network()), createPlainAvailabilityIndex(network())];
        for (const { home, calendar } of homes) {
          for (const written of [index, twin]) written.put(home, calendar);
          const checkIn = MAY_10 + ((seed + homes.length) % 60);
          const asked = { ...TWO_NIGHTS, checkIn, checkOut: checkIn + 1 + (seed % 33) };
          for (const wanted of CHEAPEST_WANTED) {
            assert.deepEqual(index.matches(asked, NOON, wanted), twin.matches(asked, NOON, wanted));
          }
        }
      }),
    );
  });

  it('leaves homes out of everything, as if they did not match', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    index.put(aProperty({ id: 'a:1', amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }), calendar);
    index.put(aProperty({ id: 'a:2', amenities: { wifi: 'Wi-Fi' } }), calendar);
    index.put(aProperty({ id: 'a:3', amenities: null }), calendar);
    index.put(aProperty({ id: 'b:1', brand: 'b', amenities: null }), calendar);
    const brands: number[] = [];
    const cheapestOfBrand = (number: number) => {
      brands.push(number);
      return 9;
    };
    const without = ['a:1', 'b:1', 'a:1', 'a:nobody'];
    const { candidates, ...counts } = index.matches(TWO_NIGHTS_LATER, NOON, {
      cheapest: 0,
      cheapestOfBrand,
      without,
    });
    assert.deepEqual(counts, {
      total: 2,
      unpublishedAmenities: 1,
      amenities: [{ amenity: 'wifi', properties: 1 }],
    });
    assert.deepEqual(candidates.map(({ property }) => property).toSorted(), ['a:2', 'a:3']);
    assert.deepEqual(brands, [1]);
  });

  it('withdraws a night up to the day given, until the property is put again', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    index.put(aProperty(), calendar);
    index.withdraw('a:1', [nights('2027-05-13', '2027-05-14')]);
    assert.deepEqual(index.checkInDays(ANY_STAY, NOON), daysNamed('2027-05-12', '2027-05-14', '2027-05-15'));
    assert.deepEqual(
      index.checkOutDays({ ...ANY_STAY, checkIn: day('2027-05-12') }, NOON),
      daysNamed('2027-05-13'),
    );
    assert.deepEqual([...calendar.available], [1, 1, 1, 1]);
    index.put(aProperty(), calendar);
    assert.equal(index.checkInDays(ANY_STAY, NOON).length, 4);
  });

  it('withdraws stays over all nights of a refused one, and no night that may be free', () => {
    const index = newIndex(network());
    index.put(aProperty(), freeNights({ from: '2027-05-12', nights: 6 }));
    index.withdraw('a:1', [nights('2027-05-13', '2027-05-16')]);
    const daysAfter = (checkIn: string) => index.checkOutDays({ ...ANY_STAY, checkIn: day(checkIn) }, NOON);
    assert.equal(index.checkInDays(ANY_STAY, NOON).length, 6, 'each night may be free');
    assert.deepEqual(daysAfter('2027-05-12'), daysNamed('2027-05-13', '2027-05-14', '2027-05-15'));
    assert.deepEqual(daysAfter('2027-05-13'), daysNamed('2027-05-14', '2027-05-15'));
    assert.deepEqual(
      daysAfter('2027-05-14'),
      daysNamed('2027-05-15', '2027-05-16', '2027-05-17', '2027-05-18'),
    );
    for (const whole of [stay('2027-05-13', '2027-05-16'), stay('2027-05-12', '2027-05-17')]) {
      assert.deepEqual(index.matches(whole, NOON, ALL).candidates, []);
      assert.deepEqual(index.obstacle(whole, NOON), { code: 'nothing_free' });
    }
    for (const part of [stay('2027-05-13', '2027-05-15'), stay('2027-05-14', '2027-05-17')]) {
      assert.equal(index.matches(part, NOON, ALL).total, 1);
    }
  });

  it('keeps apart what was withdrawn of many homes, in whichever order', () => {
    const index = newIndex(network());
    const first = day('2027-05-12');
    const numbers = Array.from({ length: 24 }, (_, number) => number);
    const idOf = (number: number) => `a:${number}`;
    for (const number of numbers) {
      const calendar = freeNights({ from: '2027-05-12', nights: numbers.length });
      // The index stores homes with several rules in other tiles than plain ones.
      if (number % 3 === 0) calendar.minimumStay.fill(1 + (number % 2), 1, 3);
      index.put(aProperty({ id: idOf(number) }), calendar);
    }
    const scrambled = numbers.toSorted((one, other) => ((one * 7) % 24) - ((other * 7) % 24));
    const night = (number: number) => ({ from: first + number, to: first + number + 1 });
    const withdrawn = new Map(numbers.map((number) => [number, false]));
    const check = () => {
      for (const number of numbers.slice(3)) {
        const { from, to } = night(number);
        const criteria = { ...stay('2027-05-12', '2027-05-13'), checkIn: from, checkOut: to };
        const found = index.matches(criteria, NOON, ALL).candidates.map(({ property }) => property);
        const missing = numbers.map(idOf).filter((id) => !found.includes(id));
        assert.deepEqual(missing, withdrawn.get(number) ? [idOf(number)] : [], `night ${number}`);
      }
    };
    for (const [position, number] of scrambled.entries()) {
      index.withdraw(idOf(number), [night(number)]);
      withdrawn.set(number, true);
      const earlier = scrambled[position - 5];
      if (earlier !== undefined && position % 2 === 0) {
        index.withdraw(idOf(earlier), []);
        withdrawn.set(earlier, false);
      }
      check();
    }
  });

  it('says when a stay would begin in the past, which today in some time zone is not', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-20', nights: 3 });
    index.put(aProperty({ id: 'a:1' }), calendar);
    const yesterday = { ...ANY_STAY, checkIn: day('2027-05-09') };
    assert.deepEqual(index.obstacle(yesterday, NOON), { code: 'in_the_past' });
    assert.deepEqual(index.obstacle({ ...ANY_STAY, checkOut: MAY_10 }, NOON), { code: 'in_the_past' });
    const april = { ...ANY_STAY, checkInMonth: parseMonth('2027-04') ?? null };
    assert.deepEqual(index.obstacle(april, NOON), { code: 'in_the_past' });
    assert.deepEqual(index.obstacle({ ...ANY_STAY, checkIn: MAY_10 }, NOON), { code: 'nothing_free' });
    const morning = Date.parse('2027-05-10T06:59:59.999Z');
    index.put(aProperty({ id: 'a:2', place: 'los-angeles' }), calendar);
    assert.deepEqual(index.obstacle(yesterday, morning), { code: 'nothing_free' });
    assert.deepEqual(index.obstacle(yesterday, morning + 1), { code: 'in_the_past' });
  });

  it('names the first of the rules that prevent a match alone, with the most lenient of its numbers', () => {
    const index = newIndex(network());
    const calendarWith = (column: 'minimumStay' | 'maximumStay', value: number) => {
      const calendar = freeNights({ from: '2027-05-12', nights: 9 });
      calendar[column].fill(value);
      return calendar;
    };
    const free = freeNights({ from: '2027-05-12', nights: 9 });
    const putBoth = (
      [one, other]: readonly [Partial<Property>, Partial<Property>],
      [ofOne, ofOther]: readonly [Calendar, Calendar] = [free, free],
    ) => {
      for (const [number, facts, calendar] of [[1, one, ofOne] as const, [2, other, ofOther] as const]) {
        index.remove(`a:${number}`);
        index.put(aProperty({ ...facts, id: `a:${number}` }), calendar);
      }
    };
    putBoth([{ maxGuests: 1 }, { maxGuests: 1 }]);
    index.put(aProperty({ id: 'a:3', maxGuests: 0 }), free);
    assert.deepEqual(index.obstacle(TWO_NIGHTS, NOON), { code: 'party_too_large', largest: 1 });
    putBoth([{ leadDays: 4 }, { leadDays: 3 }]);
    assert.deepEqual(index.obstacle(TWO_NIGHTS, NOON), { code: 'lead_time', days: 3 });
    putBoth([{ leadDays: 4 }, {}], [free, calendarWith('maximumStay', 1)]);
    assert.deepEqual(index.obstacle(TWO_NIGHTS, NOON), { code: 'maximum_stay', nights: 1 });
    putBoth([{}, {}], [calendarWith('minimumStay', 4), calendarWith('minimumStay', 3)]);
    assert.deepEqual(index.obstacle(TWO_NIGHTS, NOON), { code: 'minimum_stay', nights: 3 });
    const fourNights = stay('2027-05-12', '2027-05-16');
    putBoth([{}, {}], [calendarWith('maximumStay', 3), calendarWith('maximumStay', 2)]);
    assert.deepEqual(index.obstacle(fourNights, NOON), { code: 'maximum_stay', nights: 3 });
  });

  it('names the obstacle that trying every stay finds', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(randomRefusals, ({ network, changes, questions, now }) => {
        const [index, twin] = [newIndex(network), createPlainAvailabilityIndex(network)];
        for (const change of changes) for (const written of [index, twin]) applyChange(change, written);
        for (const criteria of questions) {
          const obstacle = index.obstacle(criteria, now);
          assert.deepEqual(obstacle, twin.obstacle(criteria, now));
          assert.equal(obstacle === null, index.hasMatch(criteria, now));
          const code = obstacle?.code ?? 'match';
          seen.set(code, (seen.get(code) ?? 0) + 1);
        }
      }),
      { numRuns: scaledCases(150) },
    );
    assert.equal(seen.size, 12, `only ${[...seen.keys()]} were found`);
  });

  it('keeps its own copy of a calendar', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4, price: 100 });
    index.put(aProperty(), calendar);
    calendar.available.fill(0);
    calendar.minimumStay.fill(9);
    calendar.price.fill(7);
    assert.deepEqual(index.matches(TWO_NIGHTS_LATER, NOON, ALL).candidates, [
      { property: 'a:1', brand: 'a', place: 'lisbon', indicativeTotal: 200 },
    ]);
  });

  it('counts each amenity over the matches, most frequent first', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    index.put(aProperty({ id: 'a:1', amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }), calendar);
    index.put(aProperty({ id: 'a:2', amenities: { wifi: 'Wi-Fi', bikes: 'Bikes' } }), calendar);
    index.put(aProperty({ id: 'a:3', amenities: null }), calendar);
    index.put(aProperty({ id: 'a:4', amenities: {}, place: 'porto' }), calendar);
    const counts = (criteria: Partial<CompleteCriteria>) => {
      const { candidates, ...counted } = index.matches({ ...TWO_NIGHTS_LATER, ...criteria }, NOON, ALL);
      return counted;
    };
    assert.deepEqual(counts({}), {
      total: 3,
      unpublishedAmenities: 1,
      amenities: [
        { amenity: 'wifi', properties: 2 },
        { amenity: 'bikes', properties: 1 },
        { amenity: 'pool', properties: 1 },
      ],
    });
    assert.deepEqual(counts({ place: 'porto' }), { total: 1, unpublishedAmenities: 0, amenities: [] });
    assert.deepEqual(counts({ amenities: ['pool'] }), {
      total: 1,
      unpublishedAmenities: 0,
      amenities: [
        { amenity: 'pool', properties: 1 },
        { amenity: 'wifi', properties: 1 },
      ],
    });
    assert.equal(index.hasMatch({ ...ANY_STAY, amenities: ['pool', 'wifi'] }, NOON), true);
    assert.equal(index.hasMatch({ ...ANY_STAY, amenities: ['pool', 'bikes'] }, NOON), false);
    assert.equal(index.destinations(ANY_STAY, NOON)[0]?.properties, 4);
    assert.equal(index.destinations({ ...ANY_STAY, amenities: ['wifi'] }, NOON)[0]?.properties, 2);
    assert.equal(index.destinations({ ...ANY_STAY, amenities: ['pool'] }, NOON)[0]?.properties, 1);
  });

  it('knows the labels under which an amenity was published, as many as are kept', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    const labels = () => ['pool', 'wifi', 'toString'].map((amenity) => index.amenityLabels(amenity));
    assert.deepEqual(labels(), [[], [], []]);
    index.put(aProperty({ id: 'a:1', amenities: { pool: 'Pool', wifi: 'Wi-Fi' } }), calendar);
    index.put(aProperty({ id: 'a:2', amenities: { pool: 'Piscina' } }), calendar);
    index.put(aProperty({ id: 'a:3', amenities: { pool: 'Pool' } }), calendar);
    assert.deepEqual(labels(), [['Piscina', 'Pool'], ['Wi-Fi'], []]);
    index.put(aProperty({ id: 'a:1', amenities: { pool: 'Pool', wifi: 'WLAN' } }), calendar);
    index.remove('a:2');
    assert.deepEqual(labels(), [['Piscina', 'Pool'], ['WLAN', 'Wi-Fi'], []]);
  });

  it('changes the revision of all criteria that a written property can match', () => {
    const index = newIndex(network());
    const calendar = freeNights({ from: '2027-05-12', nights: 4 });
    const writes = {
      'put for the first time': () => index.put(aProperty(), calendar),
      'put again': () => index.put(aProperty({ maxGuests: 5 }), calendar),
      withdraw: () => index.withdraw('a:1', [nights('2027-05-13', '2027-05-14')]),
      'put elsewhere': () => index.put(aProperty({ place: 'porto' }), calendar),
      'put back': () => index.put(aProperty(), calendar),
      remove: () => index.remove('a:1'),
      'put once more': () => index.put(aProperty(), calendar),
      'remove all': () => index.removeAll(['a:1']),
      'put after that': () => index.put(aProperty(), calendar),
      'hide its brand': () => index.hideBrand('a'),
      'put one that is hidden': () => index.put(aProperty(), calendar),
    };
    const affected = [null, 'a'].flatMap((brand) =>
      [null, 'portugal', 'lisbon'].map((place) => ({ ...ANY_STAY, brand, place })),
    );
    const seen = affected.map((criteria) => new Set([index.revision(criteria, NOON)]));
    for (const [write, run] of Object.entries(writes)) {
      run();
      for (const [position, criteria] of affected.entries()) {
        const revision = index.revision(criteria, NOON);
        assert.equal(seen[position]?.has(revision), false, `${write}: ${criteria.brand} ${criteria.place}`);
        seen[position]?.add(revision);
      }
    }
  });

  it('gives the same answers at equal revisions, also to criteria that say more', () => {
    let equalRevisions = 0;
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 20, maxChanges: 6 }),
        fc.constantFrom(0, 1, 60_000),
        ({ network, changes, questions }, later) => {
          const index = newIndex(network);
          for (const change of changes) {
            const before = questions.map(([criteria, now]) => revisionsAndAnswers(index, criteria, now));
            applyChange(change, index);
            for (const [position, [criteria, now]] of questions.entries()) {
              const after = revisionsAndAnswers(index, criteria, now + later, now);
              const { wide, narrow, destinations, answers } = before[position] ?? after;
              if (after.wide === wide || after.narrow === narrow) {
                equalRevisions++;
                assert.deepEqual(after.answers, answers);
              }
              if (after.wide === wide) assert.deepEqual(after.destinations, destinations);
            }
          }
        },
      ),
    );
    assert.ok(equalRevisions > 0, 'no revision outlived a write');
  });

  it('never leads into a dead end: offered values, taken in any order, end with candidates', () => {
    let walks = 0;
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 40, maxChanges: 8 }),
        fc.shuffledSubarray([...STEPS], { minLength: STEPS.length }),
        fc.infiniteStream(fc.nat()),
        ({ network, changes, questions }, steps, choices) => {
          const index = newIndex(network);
          for (const change of changes) applyChange(change, index);
          const [, now] = questions[0] ?? [ANY_STAY, 0];
          if (!index.hasMatch(ANY_STAY, now)) return;
          walks++;
          let criteria: StayCriteria = ANY_STAY;
          for (const step of withDatesInOrder(steps)) {
            const offered = OFFERS[step](index, criteria, now);
            const chosen = offered[choices.next().value % offered.length];
            assert.ok(chosen, `nothing offered for ${step}`);
            criteria = { ...criteria, ...chosen };
            assert.equal(index.hasMatch(criteria, now), true);
          }
          assert.ok(isComplete(criteria));
          assert.notEqual(index.matches(criteria, now, ALL).total, 0);
        },
      ),
    );
    assert.ok(walks > 20, `only ${walks} walks had anything to offer`);
  });
}

const TWO_NIGHTS = stay('2027-05-12', '2027-05-14');
const TWO_NIGHTS_LATER = stay('2027-05-13', '2027-05-15');

const ALL: WantedMatches = { cheapest: 0, cheapestOfBrand: () => 100, without: [] };
/** With limits that cut the candidates, and homes to leave out. */
const SOME_WANTED: readonly WantedMatches[] = [
  ALL,
  { cheapest: 0, cheapestOfBrand: (brands) => 3 - brands, without: [] },
  { cheapest: 2, cheapestOfBrand: () => 0, without: [] },
  { cheapest: 3, cheapestOfBrand: () => 1, without: ['alba:1', 'brisa:1', 'nobody:1'] },
  { ...NO_CANDIDATES, without: ['alba:2'] },
];

const CHEAPEST_WANTED: readonly WantedMatches[] = [
  { cheapest: 1, cheapestOfBrand: null, without: [] },
  { cheapest: 4, cheapestOfBrand: null, without: [] },
  { cheapest: 0, cheapestOfBrand: () => 1, without: [] },
  { cheapest: 3, cheapestOfBrand: () => 2, without: [] },
];

/** The answer to every question, for comparing one index with another or with itself. */
export function answersOf(index: WritableIndex, criteria: StayCriteria, now: number, near = now) {
  return {
    hasMatch: index.hasMatch(criteria, now),
    obstacle: index.obstacle(criteria, now),
    destinations: index.destinations(criteria, now),
    checkInMonths: index.checkInMonths(criteria, now),
    checkInDays: index.checkInDays(criteria, now),
    checkOutDays: index.checkOutDays(criteria, now),
    largestParty: index.largestParty(criteria, now),
    matches: isComplete(criteria) ? SOME_WANTED.map((wanted) => index.matches(criteria, now, wanted)) : [],
    bookableStays: index.bookableStays(criteria, staysNear(criteria, near), now),
    amenityLabels: EVERY_AMENITY.map((amenity) => index.amenityLabels(amenity)),
    commonAmenities: EVERY_AMENITY.filter((amenity) => index.isCommonAmenity(amenity)),
    has: EVERY_PROPERTY.map((id) => index.has(id)),
    propertyCount: index.propertyCount,
  } satisfies Record<
    Exclude<keyof AvailabilityIndex, 'revision' | 'isCommonAmenity'> | 'commonAmenities' | 'propertyCount',
    unknown
  >;
}

/** Around the arrival of the criteria, or else from yesterday on. Each stay ignores some homes. */
function staysNear({ checkIn, guests }: StayCriteria, now: number): readonly StayToTry[] {
  const first = (checkIn ?? Math.floor(now / 86_400_000)) - 1;
  return [0, 1, 2, 5].flatMap((later) =>
    [1, 2, 4].map((nights) => ({
      stay: {
        checkIn: first + later,
        checkOut: first + later + nights,
        guests: guests ?? 1 + (nights % 2),
      },
      without: EVERY_PROPERTY.filter((_, at) => at % 3 === (later + nights) % 3),
    })),
  );
}

/** Tries the stays near `near`, because a day in UTC may begin without a change of the revision. */
function revisionsAndAnswers(index: WritableIndex, criteria: StayCriteria, now: number, near = now) {
  const { destinations, amenityLabels, commonAmenities, has, propertyCount, ...answers } = answersOf(
    index,
    criteria,
    now,
    near,
  );
  return {
    wide: index.revision({ ...ANY_STAY, brand: criteria.brand }, now),
    narrow: index.revision(criteria, now),
    destinations,
    answers,
  };
}

type Step = Exclude<keyof StayCriteria, 'amenities'>;

/** Month, check-in and check-out keep their order among the shuffled steps. */
function withDatesInOrder(steps: readonly Step[]): readonly Step[] {
  const dates = STEPS.filter((step) => step.startsWith('check')).values();
  return steps.map((step) => (step.startsWith('check') ? (dates.next().value ?? step) : step));
}

/** The offers for each criterion, in the order of the guided search. */
const OFFERS: {
  readonly [Name in Step]: (
    index: AvailabilityIndex,
    criteria: StayCriteria,
    now: number,
  ) => readonly Partial<StayCriteria>[];
} = {
  brand: (index, criteria, now) =>
    ['alba', 'brisa']
      .map((brand) => ({ brand }))
      .filter((brand) => index.hasMatch({ ...criteria, ...brand }, now)),
  place: (index, criteria, now) => index.destinations(criteria, now).map(({ place }) => ({ place })),
  checkInMonth: (index, criteria, now) =>
    index.checkInMonths(criteria, now).map((checkInMonth) => ({ checkInMonth })),
  checkIn: (index, criteria, now) => index.checkInDays(criteria, now).map((checkIn) => ({ checkIn })),
  checkOut: (index, criteria, now) => index.checkOutDays(criteria, now).map((checkOut) => ({ checkOut })),
  guests: (index, criteria, now) =>
    Array.from({ length: index.largestParty(criteria, now) }, (_, number) => ({ guests: number + 1 })),
};
const STEPS = Object.keys(OFFERS) as readonly Step[];

function day(text: string): number {
  const parsed = parseDay(text);
  if (parsed === undefined) throw new Error(`${text} is not a day`);
  return parsed;
}

function daysNamed(...texts: readonly string[]): readonly number[] {
  return texts.map(day);
}

function nights(from: string, to: string): RefusedNights {
  return { from: day(from), to: day(to) };
}

function aProperty(facts: Partial<Property> = {}): Property {
  return propertyLike({ id: 'a:1', brand: 'a', place: 'lisbon', ...facts });
}

function freeNights(of: {
  readonly from: string;
  readonly nights: number;
  readonly price?: number;
}): Calendar {
  const calendar = emptyCalendar(day(of.from), of.nights);
  calendar.available.fill(1);
  calendar.price.fill(of.price ?? 100);
  return calendar;
}

function stay(checkIn: string, checkOut: string): CompleteCriteria {
  return { ...ANY_STAY, place: 'lisbon', checkIn: day(checkIn), checkOut: day(checkOut), guests: 2 };
}

function network(): Network {
  const place = (id: string, facts: Partial<Place>): readonly [string, Place] => [
    id,
    { id, name: id, aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency: 'EUR', ...facts },
  ];
  return {
    brands: new Map([['a', sampleBrand('a')]]),
    places: new Map([
      place('portugal', { kind: 'country' }),
      place('madeira', { kind: 'region', parent: 'portugal' }),
      place('lisbon', { parent: 'portugal' }),
      place('porto', { parent: 'portugal' }),
      place('funchal', { parent: 'madeira', currency: 'USD' }),
      place('auckland', { timeZone: 'Pacific/Auckland' }),
      place('los-angeles', { timeZone: 'America/Los_Angeles' }),
    ]),
  };
}
