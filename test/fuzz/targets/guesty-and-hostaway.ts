import assert from 'node:assert/strict';
import type { CalendarReading, OperatorQuote } from '../../../src/quotes/booking-system.ts';
import { formatDay } from '../../../src/stay/day.ts';
import { TODAY } from '../../support/network.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { HORIZON, VENDOR_READERS } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const day = (after: number) => formatDay(TODAY + after);
const money = {
  currency: 'EUR',
  subTotalPrice: 660,
  totalTaxes: 80,
  invoiceItems: [
    { title: 'Accommodation fare', amount: 540, currency: 'EUR', type: 'ACCOMMODATION_FARE' },
    { title: 'Security deposit', amount: '300', type: 'SECURITY_DEPOSIT' },
    { title: 'State tax', amount: 80.5, type: 'TAX', isTax: true },
  ],
};
const picture = { original: 'https://casas.example/img/1.jpg', caption: 'The front' };
const component = (type: string, name: string, total: number, isIncludedInTotalPrice = 1) => ({
  type,
  name,
  title: name,
  total,
  isIncludedInTotalPrice,
  isMandatory: 1,
  isDeleted: 0,
});

/** A valid document for each reader, and what must hold of whatever is read of it. */
const DOCUMENTS: readonly {
  readonly document: unknown;
  read(text: string, random: InputRandom): () => unknown;
}[] = [
  {
    document: {
      results: [
        {
          _id: 'a1',
          title: 'House',
          accommodates: 4,
          address: { city: 'Lisboa', country: 'Portugal' },
          amenities: ['Wireless Internet', 'Moat'],
          pictures: [picture],
          prices: { currency: 'EUR' },
          reviews: { avg: 9, total: 3 },
          terms: { minNights: 2, cancellation: 'flexible' },
          defaultCheckInTime: '15:00',
        },
      ],
      pagination: { total: 1, cursor: { next: null } },
    },
    read: (text) => () => VENDOR_READERS.guestyListings(text),
  },
  {
    document: {
      results: [
        {
          _id: 'a1',
          prices: { currency: 'EUR', cleaningFee: 40 },
          nightlyRates: { [day(1)]: 90, [day(2)]: '95.5' },
        },
      ],
      pagination: { total: 1, cursor: { next: 'b' } },
    },
    read: (text) => () =>
      VENDOR_READERS.guestyRates(text)?.forEach(({ total }) => {
        assert.ok(total === null || (Number.isSafeInteger(total) && total > 0));
      }),
  },
  {
    document: [
      { date: day(1), status: 'available', minNights: 2, maxNights: 9, cta: false, ctd: true, price: 90 },
      { date: day(2), status: 'booked', minNights: null },
    ],
    read: (text) => () => VENDOR_READERS.guestyCalendar(text)?.forEach(checkCalendar),
  },
  {
    document: {
      expiresAt: '2027-03-01T12:30:00Z',
      rates: { ratePlans: [{ ratePlan: { money } }, { money }] },
    },
    read: (text) => () =>
      VENDOR_READERS.guestyQuote(text, 200)?.forEach((one) => {
        if (one.kind === 'quoted') checkQuote(one.quote);
      }),
  },
  {
    document: {
      error: {
        code: 'LISTING_IS_NOT_AVAILABLE',
        message: 'no',
        data: {
          errors: ['X'],
          moreDetails: { notApplicableRatePlans: [{ notApplicable: { minNights: true } }] },
        },
      },
    },
    read: (text) => () =>
      VENDOR_READERS.guestyQuote(text, 400)?.forEach(({ kind }) => {
        assert.ok(['refused', 'refused_without_reason', 'not_understood'].includes(kind));
      }),
  },
  {
    document: {
      status: 'success',
      result: [
        {
          id: 1,
          name: 'House',
          city: 'Lisboa',
          personCapacity: 4,
          cancellationPolicy: 'strict',
          currencyCode: 'EUR',
          checkInTimeStart: 15,
          listingAmenities: [{ amenityId: 2 }],
          listingImages: [{ url: picture.original, caption: 'x', sortOrder: 1 }],
          bookingEngineUrls: ['https://casas.example/1'],
        },
      ],
      count: 1,
    },
    read: (text) => () => VENDOR_READERS.hostawayListings(text),
  },
  {
    document: {
      status: 'success',
      result: [
        {
          id: 1,
          name: 'Firm',
          cancellationPolicyItem: [
            { refundAmount: '100', refundType: 'percentage', timeDelta: '-1209600', event: 'arrival' },
          ],
        },
      ],
    },
    read: (text) => () =>
      VENDOR_READERS.hostawayPolicies(text)?.forEach(([, { free_until }]) => {
        if (free_until) assert.match(free_until.time, /^([01]\d|2[0-3]):[0-5]\d$/);
      }),
  },
  {
    document: {
      status: 'success',
      result: [
        { date: day(1), isAvailable: 1, status: 'available', price: 90, minimumStay: 1, maximumStay: 1125 },
        { date: day(2), isAvailable: 0, status: 'reserved', closedOnArrival: 1, closedOnDeparture: null },
      ],
    },
    read: (text) => () => VENDOR_READERS.hostawayCalendar(text)?.forEach(checkCalendar),
  },
  {
    document: {
      status: 'success',
      result: {
        totalPrice: 1520,
        components: [
          component('price', 'baseRate', 900),
          component('tax', 'vat', 120),
          component('fee', 'damageDeposit', 500),
          component('tax', 'cityTax', 12, 0),
        ],
      },
    },
    read: (text, random) => () =>
      VENDOR_READERS.hostawayPrice(text, random.pick([200, 400, 404]))?.forEach((one) => {
        if (one.kind === 'priced') checkQuote(one.quote);
      }),
  },
  {
    document: { token_type: 'Bearer', expires_in: 86_400, access_token: 'abc' },
    read: (text) => () =>
      VENDOR_READERS.issuedToken(text)?.forEach(({ token, lifetimeMs }) => {
        assert.match(token, /^[\x21-\x7e]+$/);
        assert.ok(lifetimeMs > 0);
      }),
  },
];

/** What Guesty and Hostaway send. */
export const guestyAndHostaway: FuzzTarget = {
  name: 'guesty-and-hostaway',
  weight: 10,
  // A page of hundreds of listings, each of them with texts to clean or faults to name: 30 ms at most where nothing else runs.
  maxCpuMs: 90,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const { document, read } = random.pick(DOCUMENTS);
  const text = spelledJson(mutatedJson(document, random), random);
  timed(read(text, random), text.length);
}

function checkQuote({ total, lines, deposit, dueOnSite, heldUntil }: OperatorQuote): void {
  assert.ok(Number.isSafeInteger(total) && total > 0);
  const sum = lines.reduce((partial, { amount }) => partial + amount, 0);
  assert.ok(lines.length === 0 || sum === total);
  if (deposit) assert.ok(Number.isSafeInteger(deposit.amount) && deposit.amount > 0);
  if (dueOnSite) assert.ok(Number.isSafeInteger(dueOnSite) && dueOnSite > 0);
  if (heldUntil !== null) assert.ok(!Number.isNaN(new Date(heldUntil).getTime()));
}

function checkCalendar(reading: CalendarReading): void {
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0 && reading.faults.every(({ reason }) => reason.length < 200));
    return;
  }
  const { firstDay, ...columns } = reading.value;
  assert.equal(firstDay, HORIZON.from);
  for (const column of Object.values(columns)) assert.equal(column.length, HORIZON.nights);
  assert.ok(columns.minimumStay.every((nights) => nights >= 1));
}
