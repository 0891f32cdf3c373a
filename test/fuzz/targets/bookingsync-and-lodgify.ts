import assert from 'node:assert/strict';
import {
  type BookingsyncCalendarPart,
  bookingsyncCalendar,
} from '../../../src/connectors/bookingsync/calendar.ts';
import type { LodgifyAvailability, LodgifyRates } from '../../../src/connectors/lodgify/calendar.ts';
import { lodgifyCalendar } from '../../../src/connectors/lodgify/calendar.ts';
import type { CalendarReading, QuoteOutcome } from '../../../src/quotes/booking-system.ts';
import { formatDay } from '../../../src/stay/day.ts';
import { TODAY } from '../../support/network.ts';
import { plainContext } from '../../support/plain-listing.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { HORIZON, vendorAnswerFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const STAY = { checkIn: TODAY + 10, checkOut: TODAY + 17 };
const AVAILABILITY = [
  {
    room_type_id: 7,
    periods: [
      { start: formatDay(TODAY), end: formatDay(TODAY + 20), available: 1 },
      { start: formatDay(TODAY + 21), end: formatDay(TODAY + 30), available: 0 },
    ],
  },
];
const RATES = {
  calendar_items: [
    { date: null, is_default: true, prices: [{ min_stay: 2, max_stay: 0, price_per_day: 100 }] },
    { date: formatDay(TODAY + 3), prices: [{ min_stay: 3, max_stay: 14, price_per_day: 90.5 }] },
  ],
  rate_settings: { booking_window_days: 365 },
};

/** An answer as the vendor sends it, and what must be true of whatever is read from a broken one. */
type AnswerKind = { readonly valid: unknown; readonly check: (text: string) => void };

const ANSWERS: readonly AnswerKind[] = [
  {
    valid: { access_token: 'a'.repeat(64), token_type: 'bearer', expires_in: 7200, refresh_token: 'b' },
    check: (text) => {
      vendorAnswerFrom('issued_token', text, null);
    },
  },
  {
    valid: {
      rentals: [
        {
          id: 2,
          name: 'Mill',
          links: { account: 7, photos: [11], rental_cancelation_policy: 5, availability: 3 },
          sleeps_max: 9,
          website_url: { en: 'https://mill.example/2' },
          photos: [
            { id: 11, kind: 'bedroom', large_url: 'https://mill.example/1.jpg', description: { en: 'A' } },
          ],
          rental_cancelation_policy: { id: 5, body: 'No.', links: { rental_cancelation_policy_items: [1] } },
        },
      ],
      meta: { 'X-Total-Pages': '1' },
    },
    check: (text) => {
      vendorAnswerFrom('bookingsync_rentals', text, {
        ...plainContext,
        language: 'en',
        accountId: null,
        amenities: new Map(),
        cancellationText: null,
      });
    },
  },
  {
    valid: {
      availabilities: [{ links: { rental: 2 }, start_date: formatDay(TODAY), map: '0011230'.repeat(80) }],
    },
    check: (text) => checkBookingsyncCalendar(text, 'availabilities'),
  },
  {
    valid: {
      rates: [
        {
          links: { rental: 2 },
          start_date: formatDay(TODAY),
          end_date: formatDay(TODAY + 9),
          minimum_stay: 3,
          final_nightly_rate: '99.5',
          currency: 'EUR',
        },
      ],
    },
    check: (text) => checkBookingsyncCalendar(text, 'rates'),
  },
  {
    valid: {
      rentals: [
        {
          id: 11,
          currency: 'EUR',
          initial_price: 400,
          final_price: 514,
          damage_deposit: 200,
          price_details: {
            fees: [{ name: { en: 'Cleaning' }, required: true, price: '74.0', quantity: 1 }],
            taxes: [{ name: { en: 'VAT' }, amount: '40.0', included: false }],
          },
        },
      ],
    },
    check(text) {
      const found = vendorAnswerFrom('bookingsync_search', text, {
        asked: ['11'],
        currency: 'EUR',
        language: 'en',
      });
      for (const outcome of found ?? []) checkOutcome(outcome as QuoteOutcome, '11');
    },
  },
  {
    valid: {
      count: 1,
      items: [{ id: 9, name: 'Loft', city: 'Lisbon', rooms: [{ id: 7 }], currency_code: 'EUR' }],
    },
    check: (text) => {
      vendorAnswerFrom('lodgify_properties', text, null);
    },
  },
  {
    valid: {
      images: [{ text: 'Quay', url: '//a.example/1.jpg' }],
      amenities: { cooking: [{ name: 'CookingEatingOven' }] },
      max_people: 4,
      has_wifi: true,
      currency: { code: 'EUR' },
    },
    check: (text) => {
      vendorAnswerFrom('lodgify_room', text, null);
    },
  },
  {
    valid: { check_in_hour: 15, check_out_hour: 11, advance_notice_days: 2 },
    check: (text) => {
      vendorAnswerFrom('lodgify_settings', text, null);
    },
  },
  {
    valid: AVAILABILITY,
    check: (text) => checkLodgifyCalendar(text, JSON.stringify(RATES)),
  },
  {
    valid: RATES,
    check: (text) => checkLodgifyCalendar(JSON.stringify(AVAILABILITY), text),
  },
  {
    valid: [
      {
        total_including_vat: 980.5,
        property_id: 9,
        date_arrival: `${formatDay(STAY.checkIn)}T00:00:00`,
        date_departure: `${formatDay(STAY.checkOut)}T00:00:00`,
        currency_code: 'EUR',
        room_types: [
          {
            price_types: [
              { type: 0, description: 'Room Rate', prices: [{ description: 'RoomType', amount: 1000 }] },
              {
                type: 1,
                is_negative: true,
                description: 'Promotion',
                prices: [{ description: 'May', amount: -19.5 }],
              },
            ],
          },
        ],
        security_deposit: 100,
        amount_gross: 980.5,
        cancellation_policy_text: 'Half is kept.',
      },
    ],
    check(text) {
      const found = vendorAnswerFrom('lodgify_quote', text, {
        property: '9',
        ...STAY,
        currency: 'EUR',
        cancellationText: null,
      });
      for (const outcome of (found ?? []) as readonly QuoteOutcome[]) checkOutcome(outcome, '9');
    },
  },
];

/** Answers of the vendors whose documents are put together from several calls. */
export const vendorAnswers: FuzzTarget = {
  name: 'bookingsync-and-lodgify',
  weight: 12,
  maxCpuMs: 25,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const { valid, check } = random.pick(ANSWERS);
  const answer = spelledJson(mutatedJson(valid, random), random);
  timed(() => check(answer), answer.length);
}

function checkOutcome(outcome: QuoteOutcome, asked: string): void {
  assert.equal(outcome.reference, asked);
  if (outcome.kind !== 'quoted') return;
  const { total, lines, deposit } = outcome.quote;
  assert.ok(Number.isSafeInteger(total) && total > 0);
  const sum = lines.reduce((partial, { amount }) => partial + amount, 0);
  assert.ok(lines.length === 0 || sum === total);
  for (const { label } of lines) assert.ok(label.length > 0 && [...label].length <= 120);
  if (deposit) assert.ok(Number.isSafeInteger(deposit.amount) && deposit.amount > 0);
}

function checkBookingsyncCalendar(text: string, resource: 'availabilities' | 'rates'): void {
  const parts = vendorAnswerFrom('bookingsync_calendars', text, {
    resource,
    horizon: HORIZON,
    currencies: new Map([['2', 'EUR']]),
  });
  if (!parts) return;
  const nights = { kind: 'availabilities', rental: '2', signs: '0'.repeat(HORIZON.nights) } as const;
  const all = [...(resource === 'availabilities' ? [] : [nights]), ...parts] as BookingsyncCalendarPart[];
  checkCalendar(bookingsyncCalendar(all, HORIZON, { minimumStay: 2 }));
}

function checkLodgifyCalendar(availability: string, rates: string): void {
  const periods = vendorAnswerFrom('lodgify_availability', availability, { room: '7' });
  const priced = vendorAnswerFrom('lodgify_rates', rates, { horizon: HORIZON });
  if (!periods || !priced) return;
  const [availabilityRead, ratesRead] = [periods[0], priced[0]] as [LodgifyAvailability, LodgifyRates];
  checkCalendar(lodgifyCalendar(availabilityRead, ratesRead, HORIZON, 'EUR'));
}

function checkCalendar(reading: CalendarReading): void {
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0);
    return;
  }
  const { firstDay, ...columns } = reading.value;
  assert.equal(firstDay, HORIZON.from);
  for (const column of Object.values(columns)) assert.equal(column.length, HORIZON.nights);
  assert.ok(reading.value.minimumStay.every((nights) => nights >= 1));
}
