import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plainRates } from '../../../test/support/plain-listing.ts';
import { parseDay } from '../../stay/day.ts';
import { calendarOf } from './calendar.ts';
import { canBook } from './quote.ts';
import type { Rates } from './rate-card.ts';

const day = (text: string) => parseDay(text) ?? Number.NaN;
const MONDAY = day('2027-06-07');

const asked = {
  rates: plainRates,
  currency: 'EUR',
  booked: [{ from: '2027-06-10', to: '2027-06-12' }],
  maxGuests: 4,
  leadDays: 2,
  today: MONDAY - 10,
  checkIn: MONDAY,
  checkOut: MONDAY + 3,
  guests: 2,
};
const reason = (changes: Partial<Parameters<typeof canBook>[0]>) => {
  const answer = canBook({ ...asked, ...changes });
  return answer.kind === 'bookable' ? 'bookable' : answer.reason;
};

describe('whether a stay can be booked', () => {
  it('names the reason of a refusal', () => {
    assert.equal(reason({ checkOut: MONDAY + 4 }), 'booked');
    assert.equal(reason({ checkIn: MONDAY + 4, checkOut: MONDAY + 7 }), 'booked');
    assert.equal(reason({ checkIn: MONDAY - 1, checkOut: MONDAY + 30 }), 'booked');
    assert.equal(reason({ guests: 5 }), 'too_many_guests');
    assert.equal(reason({ guests: 0 }), 'not_offered');
    assert.equal(reason({ checkOut: MONDAY }), 'not_offered');
    assert.equal(reason({ today: MONDAY - 1 }), 'lead_time');
    assert.equal(reason({ today: MONDAY - 2 }), 'bookable');
    assert.equal(reason({ rates: { ...plainRates, no_arrival_on: ['sun', 'mon'] } }), 'closed_to_arrival');
    assert.equal(reason({ rates: { ...plainRates, no_departure_on: ['thu'] } }), 'closed_to_departure');
    assert.equal(reason({ rates: { ...plainRates, minimum_stay: 4 } }), 'minimum_stay');
    assert.equal(reason({ rates: { ...plainRates, maximum_stay: 2 } }), 'maximum_stay');
  });
});

const weekdays = fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, { maxLength: 4 });
const somePeriod = fc
  .tuple(fc.integer({ min: -5, max: 45 }), fc.integer({ min: 1, max: 8 }))
  .map(([start, length]) => ({ start, length }));
const dayText = (index: number) => new Date((MONDAY + index) * 86_400_000).toISOString().slice(0, 10);
const period = ({ start, length }: { start: number; length: number }) => ({
  from: dayText(start),
  to: dayText(start + length),
});
const someRates: fc.Arbitrary<Rates> = fc
  .record({
    minimum: fc.integer({ min: 1, max: 4 }),
    maximum: fc.integer({ min: 4, max: 9 }),
    noArrival: weekdays,
    noDeparture: weekdays,
    seasons: fc.array(fc.tuple(somePeriod, fc.integer({ min: 1, max: 5 })), { maxLength: 3 }),
  })
  .map(({ minimum, maximum, noArrival, noDeparture, seasons }) => ({
    ...plainRates,
    minimum_stay: minimum,
    maximum_stay: maximum,
    no_arrival_on: noArrival,
    no_departure_on: noDeparture,
    seasons: seasons.map(([span, minimum_stay]) => ({ ...period(span), nightly: '50.00', minimum_stay })),
  }));

describe('the calendar of a rate card', () => {
  it('allows exactly the stays that can be booked', () => {
    fc.assert(
      fc.property(
        someRates,
        fc.array(somePeriod, { maxLength: 4 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (rates, taken, arrival, nights) => {
          const booked = taken.map(period);
          const calendar = calendarOf({
            rates,
            booked,
            currency: 'EUR',
            horizon: { from: MONDAY, nights: 40 },
          });
          const minimum = calendar.minimumStay[arrival] ?? 1;
          const maximum = calendar.maximumStay[arrival] || 1000;
          const free = calendar.available.subarray(arrival, arrival + nights).every((night) => night === 1);
          const allowed =
            free &&
            calendar.closedToArrival[arrival] === 0 &&
            calendar.closedToDeparture[arrival + nights] === 0 &&
            minimum <= nights &&
            nights <= maximum;
          const checkIn = MONDAY + arrival;
          const answer = canBook({ ...asked, rates, booked, checkIn, checkOut: checkIn + nights });
          assert.equal(answer.kind === 'bookable', allowed);
        },
      ),
    );
  });

  it('takes a number beyond the horizon for no maximum, or for a minimum that no stay reaches', () => {
    const horizon = { from: MONDAY, nights: 3 };
    const seasons = [{ from: '2027-06-08', to: '2027-06-10', nightly: '80.00', minimum_stay: 70_000 }];
    const rates = { ...plainRates, maximum_stay: 1125, minimum_stay: 1, seasons };
    const calendar = calendarOf({ rates, booked: [], currency: 'EUR', horizon });
    assert.deepEqual([...calendar.maximumStay], [0, 0, 0]);
    assert.deepEqual([...calendar.minimumStay], [1, 65_535, 65_535]);
    const kept = calendarOf({ rates: { ...rates, maximum_stay: 30 }, booked: [], currency: 'EUR', horizon });
    assert.deepEqual([...kept.maximumStay], [30, 30, 30]);
  });
});
