import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plainRates } from '../../../test/support/plain-listing.ts';
import { formatDay, parseDay } from '../../stay/day.ts';
import { canBook } from './can-book.ts';
import { priceStay } from './price-stay.ts';
import { termsWithin } from './rate-card-booking-system.ts';

/** Around the end of a year, where the text of a day changes most. */
const START = parseDay('2027-12-15') ?? Number.NaN;

const somePeriod = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 10 }))
  .map(([from, nights]) => ({ from: formatDay(START + from), to: formatDay(START + from + nights) }));
const someSeasons = fc.array(
  fc
    .tuple(somePeriod, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 5 }))
    .map(([period, price, minimum]) => ({ ...period, nightly: `${price}.50`, minimum_stay: minimum })),
  { maxLength: 6 },
);

describe('the terms of a rate card within a stay', () => {
  it('leave out the seasons and bookings that hold none of its nights', () => {
    const period = (from: string, to: string) => ({ from, to, nightly: '100.00' });
    const seasons = [
      period('2027-12-01', '2027-12-30'),
      period('2027-12-30', '2027-12-31'),
      period('2028-01-01', '2028-01-05'),
      period('2028-01-02', '2028-01-09'),
    ];
    const within = termsWithin(
      { rates: { ...plainRates, seasons }, booked: seasons },
      START + 15,
      START + 18,
    );
    assert.deepEqual(within.rates.seasons, seasons.slice(1, 3));
    assert.deepEqual(within.booked, seasons.slice(1, 3));
  });

  it('refuse and price every stay as all terms do', () => {
    fc.assert(
      fc.property(
        someSeasons,
        fc.array(somePeriod, { maxLength: 3 }),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 12 }),
        (seasons, booked, arrival, nights) => {
          const all = { rates: { ...plainRates, seasons }, booked };
          const [checkIn, checkOut] = [START + arrival, START + arrival + nights];
          const within = termsWithin(all, checkIn, checkOut);
          const asked = { currency: 'EUR', checkIn, checkOut, guests: 2 };
          const rules = { ...asked, maxGuests: 4, leadDays: 0, today: START };
          assert.deepEqual(canBook({ ...within, ...rules }), canBook({ ...all, ...rules }));
          const { rates } = within;
          assert.deepEqual(priceStay({ rates, ...asked }), priceStay({ ...asked, rates: all.rates }));
        },
      ),
    );
  });
});
