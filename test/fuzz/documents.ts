import assert from 'node:assert/strict';
import type { Property } from '../../src/catalogue/catalogue.ts';
import { bookingsyncCalendar } from '../../src/connectors/bookingsync/calendar.ts';
import { calendarOf } from '../../src/connectors/rate-card/calendar.ts';
import { canBook, priceStay } from '../../src/connectors/rate-card/quote.ts';
import type {
  IntakeItem,
  IntakeParameters,
  IntakeTaskName,
} from '../../src/connectors/shared/intake/intake.ts';
import type { IntakeTask } from '../../src/connectors/shared/intake/parse-document.ts';
import { INTAKE_TASKS } from '../../src/connectors/tasks.ts';
import { BookingSystemFailure } from '../../src/limits/booking-system-failure.ts';
import type { CalendarReading, Horizon, OperatorQuote } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { TODAY } from '../support/network.ts';
import { plainContext, plainListing, plainRates } from '../support/plain-listing.ts';
import { mutatedJson, spelledJson } from './odd-json.ts';
import type { FuzzTarget } from './run-target.ts';

const HORIZON: Horizon = { from: TODAY, nights: 540 };
const day = (after: number) => formatDay(TODAY + after);
const { places: _, ...context } = plainContext;
const stayUrl = 'https://casas.example/{reference}';
const encoder = new TextEncoder();

type Kind = { readonly task: IntakeTaskName; readonly valid: unknown; readonly read: (text: string) => void };

/** A valid document of a task, and what must hold of whatever is read of a broken one. */
function kind<Name extends IntakeTaskName>(
  task: Name,
  parameters: IntakeParameters<Name>,
  valid: unknown,
  check: (item: IntakeItem<Name>, items: readonly IntakeItem<Name>[]) => void = () => undefined,
): Kind {
  const task_ = INTAKE_TASKS[task] as IntakeTask<unknown, unknown, unknown>;
  return {
    task,
    valid,
    read(text) {
      let items: IntakeItem<Name>[];
      try {
        items = [...task_(encoder.encode(text), parameters, plainContext.places)] as IntakeItem<Name>[];
      } catch (failure) {
        // A document may be refused as a whole.
        if (failure instanceof BookingSystemFailure) return;
        throw failure;
      }
      for (const item of items) check(item, items);
    },
  };
}

/** Control, invisible and direction characters, which no text for a model may hold. */
const HIDDEN = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

function checkProperty(property: Property): void {
  for (const [member, length] of Object.entries({ name: 120, location: 120, summary: 300 })) {
    const text = String(Reflect.get(property, member));
    assert.ok([...text].length <= length, `${member} is at most ${length} long`);
    assert.doesNotMatch(text, HIDDEN);
  }
  assert.ok(property.name.length > 0);
  assert.match(property.id, /^casas:[A-Za-z0-9._-]{1,64}$/);
  assert.ok(Number.isInteger(property.maxGuests) && property.maxGuests >= 1 && property.maxGuests <= 100);
  for (const address of [property.url, ...property.images.map(({ url }) => url)]) {
    assert.ok(plainContext.hosts.includes(new URL(address).host), `${address} is on a host of the brand`);
  }
  for (const [key, label] of Object.entries(property.amenities ?? {})) {
    assert.match(key, /^[a-z0-9_-]{1,64}$/);
    assert.doesNotMatch(label, HIDDEN);
  }
}

function checkFound({ property }: { readonly property: Property | null }): void {
  if (property) checkProperty(property);
}

function checkCalendar(reading: CalendarReading): void {
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0 && reading.faults.every(({ reason }) => reason.length < 250));
    for (const { value = '' } of reading.faults) assert.match(value, /^[^\p{C}]{0,80}$/u);
    return;
  }
  const { firstDay, ...columns } = reading.value;
  assert.equal(firstDay, HORIZON.from);
  for (const column of Object.values(columns)) assert.equal(column.length, HORIZON.nights);
  assert.ok(columns.minimumStay.every((nights) => nights >= 1));
  for (const flags of [columns.available, columns.closedToArrival, columns.closedToDeparture]) {
    assert.ok(flags.every((flag) => flag <= 1));
  }
}

function checkQuote({ total, lines, deposit, dueOnSite, heldUntil }: OperatorQuote): void {
  assert.ok(Number.isSafeInteger(total) && total > 0);
  for (const { label, amount } of lines) {
    assert.ok(label.length > 0 && [...label].length <= 120 && Number.isSafeInteger(amount));
  }
  for (const besides of [deposit?.amount, dueOnSite]) {
    assert.ok((besides ?? null) === null || (Number.isSafeInteger(besides) && Number(besides) >= 0));
  }
  if (heldUntil !== null) assert.ok(!Number.isNaN(new Date(heldUntil).getTime()));
}

/** Of vendors, whose lines are read only if they add up; those of the open protocol are judged later. */
function checkPriced(one: { readonly kind: string; readonly quote?: OperatorQuote }): void {
  if (!one.quote) return;
  checkQuote(one.quote);
  const sum = one.quote.lines.reduce((partial, { amount }) => partial + amount, 0);
  assert.ok(one.quote.lines.length === 0 || sum === one.quote.total);
}

const checkToken = ({ token, lifetimeMs }: IntakeItem<'issued_token'>) => {
  assert.match(token, /^[\x21-\x7e]+$/);
  assert.ok(lifetimeMs > 0);
};

const quoted = (property: string, more: object = {}) => ({
  property,
  status: 'quoted',
  currency: 'EUR',
  total: '412.50',
  ...more,
});

const OPEN: readonly Kind[] = [
  kind('catalogue_page', context, { properties: [plainListing], next_page: null }, checkProperty),
  kind(
    'calendars',
    { asked: ['a', 'b'], horizon: HORIZON, currencies: new Map(['a', 'b'].map((name) => [name, 'EUR'])) },
    {
      calendars: ['a', 'b'].map((property) => ({
        property,
        periods: [
          { from: day(-3), to: day(20), available: true, price: '50.00', minimum_stay: 2 },
          { from: day(20), to: day(30), available: false, closed_to_departure: true },
          { from: day(30), to: day(900), available: true, maximum_stay: 14, closed_to_arrival: true },
        ],
      })),
    },
    ([, reading], items) => {
      assert.equal(items.length, 2);
      checkCalendar(reading);
    },
  ),
  kind(
    'quotes',
    { asked: ['a', 'b', 'c'], currency: 'EUR' },
    {
      quotes: [
        quoted('a', {
          lines: [
            { label: '3 nights', amount: '420.00' },
            { label: 'Discount', amount: '-7.50' },
          ],
          held_until: '2027-03-01T12:30:00Z',
          deposit: { amount: '200.00', refundable: true },
          due_on_site: '12.00',
        }),
        { property: 'b', status: 'unavailable', reason: 'booked' },
        quoted('c'),
      ],
    },
    (outcome, items) => {
      assert.deepEqual(items.map(({ reference }) => reference).sort(), ['a', 'b', 'c']);
      if (outcome.kind === 'quoted') checkQuote(outcome.quote);
    },
  ),
  kind(
    'bookings_page',
    { brand: 'casas', now: Date.UTC(2026, 10, 17) },
    {
      bookings: [
        {
          reference: 'B-1',
          quote: 'nxq_0123456789abcdefghijkl',
          status: 'booked',
          booked_at: '2026-11-01T12:30:00Z',
          amount: '532.00',
          currency: 'EUR',
          guest: { name: 'Ana' },
        },
      ],
      next_page: null,
    },
    (booking) => {
      const members = ['amount', 'bookedAt', 'brand', 'currency', 'nxq', 'reference', 'status'];
      assert.deepEqual(Object.keys(booking).sort(), members);
      assert.match(booking.reference, /^[\w./-]{1,64}$/);
      assert.match(booking.nxq ?? 'nxq_x', /^nxq_[\w-]{1,64}$/);
      assert.ok(Number.isSafeInteger(booking.amount) && booking.amount >= 0);
    },
  ),
  kind(
    'rate_card',
    context,
    {
      properties: [
        {
          listing: plainListing,
          rates: {
            ...plainRates,
            weekend_nightly: '120.00',
            seasons: [{ from: '2027-04-01', to: '2027-06-01', nightly: '150.00', minimum_stay: 3 }],
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
      ],
    },
    ({ property, rates, booked }) => {
      checkProperty(property);
      const { currency, maxGuests, leadDays } = property;
      const stay = { checkIn: TODAY + 40, checkOut: TODAY + 47, guests: 2 };
      canBook({ rates, currency, booked, maxGuests, leadDays, today: TODAY, ...stay });
      assert.equal(
        calendarOf({ rates, booked, currency, horizon: HORIZON }).available.length,
        HORIZON.nights,
      );
      try {
        const { total, lines } = priceStay({ rates, currency, ...stay });
        assert.ok(Number.isSafeInteger(total));
        assert.equal(
          lines.reduce((sum, { amount }) => sum + amount, 0),
          total,
        );
      } catch (fault) {
        // A price that is too large to be exact; the booking system answers it as a failure.
        if (!(fault instanceof RangeError)) throw fault;
      }
    },
  ),
];

const bookingsyncMaps = { horizon: HORIZON, currencies: new Map([['2', 'EUR']]) };
const FREE = { kind: 'availabilities', rental: '2', signs: '0'.repeat(HORIZON.nights) } as const;

const BOOKINGSYNC: readonly Kind[] = [
  kind('issued_token', null, { access_token: 'a', token_type: 'bearer', expires_in: 7200 }, checkToken),
  kind(
    'bookingsync_rentals',
    { ...context, language: 'en', accountId: null, amenities: new Map(), cancellationText: null },
    {
      rentals: [
        {
          id: 2,
          name: 'Mill',
          city: 'Lisbon',
          currency: 'EUR',
          links: { account: 7, availability: 3 },
          sleeps_max: 9,
          website_url: { en: 'https://casas.example/2' },
          photos: [{ id: 11, kind: 'bedroom', large_url: 'https://casas.example/1.jpg' }],
          rental_cancelation_policy: { id: 5, body: 'No.', preset: 'moderate' },
        },
      ],
    },
    checkFound,
  ),
  kind('bookingsync_amenities', null, { amenities: [{ id: 1, key: 'sauna' }] }),
  kind(
    'bookingsync_calendars',
    { resource: 'availabilities', ...bookingsyncMaps },
    { availabilities: [{ links: { rental: 2 }, start_date: day(0), map: '0011230'.repeat(80) }] },
    (_part, parts) => checkCalendar(bookingsyncCalendar(parts, HORIZON, { minimumStay: 2 })),
  ),
  kind(
    'bookingsync_calendars',
    { resource: 'rates', ...bookingsyncMaps },
    {
      rates: [
        {
          links: { rental: 2 },
          start_date: day(0),
          end_date: day(9),
          minimum_stay: 3,
          final_nightly_rate: '99.5',
          currency: 'EUR',
        },
      ],
    },
    (part) => checkCalendar(bookingsyncCalendar([FREE, part], HORIZON, { minimumStay: 2 })),
  ),
  kind(
    'bookingsync_search',
    { asked: ['11'], currency: 'EUR', language: 'en' },
    {
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
    checkPriced,
  ),
];

const room = { id_room: 1, max_adult: 2, max_children: 2, max_occupancy: 4 };
const roomType = {
  id_room_type: 1,
  total_price: 5000,
  total_price_with_tax: 5200.5,
  rooms: { available: { 1: room } },
};

const QLOAPPS: readonly Kind[] = [
  kind('qloapps_hotels', null, { hotels: [{ id: 1, hotel_name: 'Hotel', city: 'Lisboa', active: 1 }] }),
  kind(
    'qloapps_nights',
    { status: 200, asked: ['1'], horizon: HORIZON, currency: 'EUR' },
    {
      hotel_aris: [
        { date_from: day(1), room_types: [roomType] },
        { date_from: day(2), room_types: [{ ...roomType, rooms: { available: [] } }] },
      ],
    },
    ([, reading]) => checkCalendar(reading),
  ),
  kind(
    'qloapps_prices',
    { asked: ['1', '2'], guests: 2, currency: 'EUR' },
    { hotel_ari: { currency: 'EUR', room_types: [roomType] } },
    checkPriced,
  ),
];

const beds24Page = (data: unknown) => ({ success: true, pages: { nextPageExists: false }, data });

/** One listing, one calendar and one price of each of the other vendors. */
const OTHERS: readonly Kind[] = [
  kind(
    'beds24_properties',
    { ...context, stayUrl, language: 'en', cancellationText: null, pictureUrl: `${stayUrl}.jpg` },
    beds24Page([
      {
        id: 1,
        name: 'House',
        currency: 'EUR',
        city: 'Lisboa',
        bookingRules: { bookingType: 'autoConfirmed' },
        featureCodes: [['WIFI']],
        texts: [{ language: 'en', cancellationPolicy: 'Free until a week before arrival.' }],
        roomTypes: [{ id: 1, name: 'Room', roomType: 'double', maxPeople: 4, securityDeposit: 200 }],
      },
    ]),
    checkFound,
  ),
  kind(
    'beds24_offers',
    { asked: ['1', '2'], currency: 'EUR', offerId: null },
    beds24Page([{ roomId: 1, offers: [{ offerId: 1, price: 630.5, unitsAvailable: 1 }] }]),
    (one) => assert.ok(one.kind !== 'priced' || (Number.isSafeInteger(one.total) && one.total > 0)),
  ),
  kind(
    'guesty_listings',
    { ...context, stayUrl, bookingMode: 'request', cancellationText: null },
    {
      results: [
        {
          _id: 'a1',
          title: 'House',
          accommodates: 4,
          address: { city: 'Lisboa' },
          amenities: ['Wireless Internet', 'Moat'],
          pictures: [{ original: 'https://casas.example/img/1.jpg', caption: 'The front' }],
          prices: { currency: 'EUR' },
          terms: { minNights: 2, cancellation: 'flexible' },
        },
      ],
      pagination: { total: 1, cursor: { next: null } },
    },
    checkFound,
  ),
  kind(
    'guesty_quote',
    { status: 200, currency: 'EUR' },
    {
      expiresAt: '2027-03-01T12:30:00Z',
      rates: {
        ratePlans: [
          {
            money: {
              currency: 'EUR',
              subTotalPrice: 660,
              totalTaxes: 80,
              invoiceItems: [
                { title: 'Accommodation fare', amount: 540, type: 'ACCOMMODATION_FARE' },
                { title: 'Security deposit', amount: '300', type: 'SECURITY_DEPOSIT' },
                { title: 'State tax', amount: 80.5, type: 'TAX', isTax: true },
              ],
            },
          },
        ],
      },
    },
    checkPriced,
  ),
  kind(
    'hostaway_listings',
    {
      ...context,
      stayUrl,
      amenityNames: new Map([['2', 'Kitchen']]),
      policies: new Map(),
      directPolicy: null,
      cancellationText: null,
    },
    {
      status: 'success',
      result: [
        {
          id: 1,
          name: 'House',
          city: 'Lisboa',
          personCapacity: 4,
          cancellationPolicy: 'strict',
          currencyCode: 'EUR',
          listingAmenities: [{ amenityId: 2 }],
          listingImages: [{ url: 'https://casas.example/img/1.jpg', caption: 'x', sortOrder: 1 }],
        },
      ],
      count: 1,
    },
    checkFound,
  ),
  kind(
    'hostaway_price',
    { status: 200, currency: 'EUR' },
    {
      status: 'success',
      result: {
        totalPrice: 1020,
        components: ['baseRate', 'vat'].map((name, at) => ({
          type: at === 0 ? 'price' : 'tax',
          name,
          title: name,
          total: at === 0 ? 900 : 120,
          isIncludedInTotalPrice: 1,
        })),
      },
    },
    checkPriced,
  ),
  kind(
    'lodgify_rates',
    { horizon: HORIZON },
    {
      calendar_items: [
        { date: null, is_default: true, prices: [{ min_stay: 2, max_stay: 0, price_per_day: 100 }] },
        { date: day(3), prices: [{ min_stay: 3, max_stay: 14, price_per_day: 90.5 }] },
      ],
    },
  ),
  kind(
    'lodgify_quote',
    { property: '9', checkIn: TODAY + 10, checkOut: TODAY + 17, currency: 'EUR', cancellationText: null },
    [
      {
        total_including_vat: 980.5,
        property_id: 9,
        date_arrival: day(10),
        date_departure: day(17),
        currency_code: 'EUR',
        room_types: [{ price_types: [{ type: 0, prices: [{ description: 'Room', amount: 980.5 }] }] }],
        amount_gross: 980.5,
      },
    ],
    checkPriced,
  ),
];

const target = (name: string, weight: number, maxCpuMs: number, kinds: readonly Kind[]): FuzzTarget => ({
  name,
  weight,
  maxCpuMs,
  open: () => ({
    run(random, timed) {
      const { valid, read } = random.pick(kinds);
      const text = spelledJson(mutatedJson(valid, random), random);
      timed(() => read(text), text.length);
    },
  }),
});

/** Documents of operators, each read by the task of the intake that reads it. */
export const DOCUMENTS: readonly FuzzTarget[] = [
  target('open-protocol', 30, 150, OPEN),
  target('bookingsync', 10, 90, BOOKINGSYNC),
  target('qloapps', 8, 90, QLOAPPS),
  target('other-vendors', 16, 90, OTHERS),
];
