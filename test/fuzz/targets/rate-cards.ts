import assert from 'node:assert/strict';
import { plainListing, plainRates } from '../../support/plain-listing.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { HORIZON, pricedCardFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const VALID_CARD = {
  properties: [
    {
      listing: plainListing,
      rates: {
        ...plainRates,
        weekend_nightly: '120.00',
        seasons: [{ from: '2027-04-01', to: '2027-06-01', nightly: '150.00', minimum_stay: 3 }],
        minimum_stay: 2,
        no_arrival_on: ['sun'],
        extra_guest: { above: 2, nightly: '15.00' },
        discounts: [{ nights: 7, percent: 10, label: 'Week' }],
        fees: [{ label: 'Cleaning', amount: '40.00', per: 'stay' }],
        taxes: [
          { label: 'VAT', percent: 6 },
          { label: 'City tax', amount: '2.00', per: 'guest_night', first_nights: 7 },
        ],
      },
      booked: [{ from: '2027-05-01', to: '2027-05-08' }],
      deposit: { amount: '200.00', refundable: true },
      due_on_site: { amount: '10.00', per: 'night' },
    },
    { listing: { ...plainListing, reference: 'casa-2' }, rates: plainRates, booked: [] },
  ],
};

/** Rate cards of operators without a booking system, and the prices made from them. */
export const rateCards: FuzzTarget = {
  name: 'rate-cards',
  weight: 8,
  // Of up to a quarter of a megabyte, and priced besides. It is read on a thread.
  maxCpuMs: 150,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const text = spelledJson(mutatedJson(VALID_CARD, random), random);
  const homes = timed(() => pricedCardFrom(text), text.length);
  for (const { calendar, price } of homes ?? []) {
    assert.equal(calendar.available.length, HORIZON.nights);
    if (!price) continue;
    assert.ok(Number.isSafeInteger(price.total));
    assert.equal(
      price.lines.reduce((sum, { amount }) => sum + amount, 0),
      price.total,
    );
  }
}
