import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plainRates } from '../../../test/support/plain-listing.ts';
import { formatDay, parseDay } from '../../stay/day.ts';
import { canBook, priceStay, termsWithin } from './quote.ts';
import type { Rates } from './rate-card.ts';

const day = (text: string) => parseDay(text) ?? Number.NaN;
// 2027-06-07 is a Monday.
const stay = (checkIn: string, checkOut: string, guests = 2) => ({
  currency: 'EUR',
  checkIn: day(checkIn),
  checkOut: day(checkOut),
  guests,
});

describe('the price of a stay', () => {
  it('adds up nights, weekends, extra guests, a discount, fees and taxes', () => {
    const rates: Rates = {
      nightly: '100.00',
      weekend_nightly: '120.00',
      seasons: [],
      extra_guest: { above: 2, nightly: '10.50' },
      discounts: [
        { nights: 3, percent: 5, label: 'Three nights' },
        { nights: 7, percent: 12.5, label: 'One week' },
        { nights: 28, percent: 30, label: 'One month' },
      ],
      fees: [
        { label: 'Cleaning', amount: '60.00', per: 'stay' },
        { label: 'Linen', amount: '7.00', per: 'guest' },
        { label: 'Parking', amount: '5.00', per: 'night' },
      ],
      taxes: [
        { label: 'VAT', percent: 6 },
        { label: 'City tax', amount: '4.00', per: 'guest_night', first_nights: 7 },
      ],
    };
    // Ten nights from Monday: two of them are a Friday and a Saturday.
    const priced = priceStay({ rates, ...stay('2027-06-07', '2027-06-17', 3) });
    assert.deepEqual(priced.lines, [
      { label: '10 nights', amount: 104_000 },
      { label: 'Extra guests', amount: 10_500 },
      { label: 'One week', amount: -14_313 }, // 12.5 % of 114,500 is 14,312.5
      { label: 'Cleaning', amount: 6000 },
      { label: 'Linen', amount: 2100 },
      { label: 'Parking', amount: 5000 },
      { label: 'VAT', amount: 6797 }, // 6 % of 113,287 is 6,797.22
      { label: 'City tax', amount: 8400 },
    ]);
    assert.equal(priced.total, 128_484);
  });

  it('refuses to be inexact', () => {
    const rates: Rates = {
      ...plainRates,
      nightly: '999999999999.99',
      fees: Array.from({ length: 20 }, () => ({
        label: 'x',
        amount: '999999999999.99',
        per: 'guest_night' as const,
      })),
    };
    assert.throws(() => priceStay({ rates, ...stay('2027-01-01', '2028-01-01', 100) }), RangeError);
  });

  const amount = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
  const per = fc.constantFrom('stay', 'night', 'guest', 'guest_night');
  const anyRates: fc.Arbitrary<Rates> = fc.record({
    nightly: amount,
    weekend_nightly: amount,
    seasons: fc.constant([]),
    extra_guest: fc.record({ above: fc.integer({ min: 1, max: 6 }), nightly: amount }),
    discounts: fc.array(
      fc.record({
        nights: fc.integer({ min: 2, max: 30 }),
        percent: fc.integer({ min: 1, max: 9000 }).map((n) => n / 100),
        label: fc.constant('d'),
      }),
      { maxLength: 3 },
    ),
    fees: fc.array(fc.record({ label: fc.constant('f'), amount, per }), { maxLength: 3 }),
    taxes: fc.array(
      fc.oneof(
        fc.record({
          label: fc.constant('t'),
          percent: fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100),
        }),
        fc.record({ label: fc.constant('t'), amount, per }),
      ),
      { maxLength: 3 },
    ),
  });

  it('is the sum of its lines, in whole minor units, and never negative', () => {
    fc.assert(
      fc.property(
        anyRates,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 10 }),
        (rates, nights, guests) => {
          const checkIn = day('2027-06-07');
          const { total, lines } = priceStay({
            rates,
            currency: 'EUR',
            checkIn,
            checkOut: checkIn + nights,
            guests,
          });
          assert.equal(
            lines.reduce((sum, line) => sum + line.amount, 0),
            total,
          );
          assert.ok(lines.every((line) => Number.isSafeInteger(line.amount)));
          assert.ok(total >= 0);
        },
      ),
    );
  });

  it('rounds each percentage half up', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        (cents, hundredths) => {
          const rates: Rates = {
            ...plainRates,
            nightly: (cents / 100).toFixed(2),
            taxes: [{ label: 'Tax', percent: hundredths / 100 }],
          };
          const [, tax] = priceStay({ rates, ...stay('2027-06-07', '2027-06-08') }).lines;
          // Hundredths of a percent of cents: 10,000 of them are one cent.
          const exact = BigInt(cents) * BigInt(hundredths);
          const difference = BigInt(tax?.amount ?? 0) * 10_000n - exact;
          assert.ok(-5000n < difference && difference <= 5000n, `${difference}`);
        },
      ),
    );
  });
});

/** Around the end of a year, where all digits of a date change. */
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
