import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../src/clock.ts';
import type { IntakeOrder, IntakeTaskName } from '../../src/connectors/shared/intake/intake.ts';
import { createIntakeLane } from '../../src/connectors/shared/intake/intake-lane.ts';
import {
  createIntakeThreads,
  type IntakeThreadData,
} from '../../src/connectors/shared/intake/intake-threads.ts';
import { BookingSystemFailure } from '../../src/limits/booking-system-failure.ts';
import { plainContext, plainListing } from '../support/plain-listing.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Half of what a reading thread has, for documents of a quarter of the limits: the whole takes seconds to read. */
const SHARE = 1 / 4;
const HALF_THE_HEAP_MEGABYTES = 192;
/** What the code of a thread takes, whatever it reads. */
const CODE_MEGABYTES = 32;

const { places, ...context } = plainContext;
const ONE_CALENDAR = {
  horizon: { from: 20_666, nights: 500 },
  listing: { currency: 'EUR', maxGuests: 4, minimumStay: null, maximumStay: null },
};
const PARAMETERS: { readonly [Name in IntakeTaskName]: IntakeOrder<Name>['parameters'] } = {
  catalogue_page: context,
  rate_card: context,
  listings: context,
  plain_lines: { ...context, firstLine: 1 },
  calendars: {
    asked: ['a'],
    horizon: { from: 20_666, nights: 500 },
    currencies: new Map([['a', 'EUR']]),
  },
  quotes: { asked: ['a'], currency: 'EUR' },
  bookings_page: { brand: 'a', now: 0 },
  bookingsync_rentals: {
    ...context,
    language: 'en',
    accountId: null,
    amenities: new Map(),
    cancellationText: null,
  },
  bookingsync_amenities: null,
  bookingsync_calendars: {
    resource: 'rates',
    horizon: { from: 20_666, nights: 500 },
    currencies: new Map([['1', 'EUR']]),
  },
  bookingsync_search: { asked: ['1'], currency: 'EUR', language: 'en' },
  lodgify_properties: null,
  lodgify_room: null,
  lodgify_settings: null,
  lodgify_availability: { room: '1' },
  lodgify_rates: { horizon: { from: 20_666, nights: 500 } },
  lodgify_quote: {
    property: '1',
    checkIn: 20_700,
    checkOut: 20_707,
    currency: 'EUR',
    cancellationText: null,
  },
  issued_token: null,
  guesty_listings: { ...context, bookingMode: 'request', cancellationText: null },
  guesty_listing: { bookingMode: 'request', cancellationText: null },
  guesty_rates: { checkIn: 20_700, checkOut: 20_707, currency: 'EUR' },
  guesty_calendar: ONE_CALENDAR,
  guesty_quote: { status: 200, currency: 'EUR' },
  hostaway_listings: {
    ...context,
    amenityNames: new Map(),
    policies: new Map(),
    directPolicy: null,
    cancellationText: null,
  },
  hostaway_amenities: null,
  hostaway_policies: null,
  hostaway_calendar: ONE_CALENDAR,
  hostaway_price: { status: 200, currency: 'EUR' },
  availability_feed: { timeZone: 'Europe/Lisbon', since: 20_666 },
  beds24_token: null,
  beds24_properties: {
    ...context,
    language: 'en',
    cancellationText: null,
    pictureUrl: 'https://a.example/1.jpg',
  },
  beds24_calendars: {
    horizon: ONE_CALENDAR.horizon,
    rooms: new Map([['1', { ...ONE_CALENDAR.listing, deposit: null }]]),
  },
  beds24_offers: { asked: ['1'], currency: 'EUR', offerId: null },
  qloapps_hotels: null,
  qloapps_features: { name: 'hotel_features' },
  qloapps_room_types: {
    ...context,
    hotels: new Map([
      [
        '1',
        {
          id: '1',
          name: 'a',
          city: 'a',
          policies: 'a',
          checkIn: null,
          checkOut: null,
          features: [],
          bookableUntil: null,
          leadDays: null,
          isNonRefundable: false,
        },
      ],
    ]),
    hotelFeatures: null,
    roomTypeFeatures: null,
    currency: 'EUR',
    capacities: new Map(),
    picturesUrl: 'https://a.example',
    bookingMode: 'instant',
    cancellationText: null,
    leadDays: 0,
  },
  qloapps_capacities: null,
  qloapps_nights: { status: 200, asked: ['1'], horizon: ONE_CALENDAR.horizon, currency: 'EUR' },
  qloapps_prices: { asked: ['1'], guests: 2, currency: 'EUR' },
};
const TASKS = Object.keys(PARAMETERS) as readonly IntakeTaskName[];

const orderOf = <Name extends IntakeTaskName>(task: Name, text: string): IntakeOrder<Name> => ({
  task,
  lane: 'background',
  brand: 'acme',
  document: new TextEncoder().encode(text),
  parameters: PARAMETERS[task],
  signal: new AbortController().signal,
  take: () => undefined,
});

/** As many different entries as the document has room for. */
function manyOf(entry: (at: number) => string, { count = Number.POSITIVE_INFINITY } = {}): string {
  const entries: string[] = [];
  for (let bytes = 0, at = 0; at < count && bytes < MAX_BYTES - 200; at += 1) {
    const text = entry(at);
    entries.push(text);
    bytes += text.length + 1;
  }
  return entries.join();
}
const short = (at: number) => at.toString(36);
/** Members in ever new combinations: V8 describes each object by a map of its own. */
const neverAlike = (at: number) => `{"a${short(at % 1000)}":0,"b${short(Math.floor(at / 1000))}":0}`;

const BEYOND_THE_LIMITS: Readonly<Record<string, () => string>> = {
  'objects with a number for a name': () => manyOf(() => '{"34":0}'),
  'objects with several numbers for names': () => manyOf(() => '{"34":0,"1":0,"2":0}'),
  'objects with an escaped number for a name': () => manyOf(() => '{"\\u0033\\u0034":0}'),
  'empty objects': () => manyOf(() => '{}'),
  'lists in lists': () => manyOf(() => '[[]]'),
  'objects in objects': () => manyOf(() => '{"a":{}}'),
  'objects of which none is like another': () => manyOf(neverAlike),
  'objects with names of their own': () => manyOf((at) => `{"${short(at)}z":0}`),
  'objects called __proto__': () => manyOf(() => '{"__proto__":{}}'),
  'members of one name': () => `{${manyOf(() => '"a":0')}}`,
  'lists within each other': () => '['.repeat(MAX_BYTES / 2 - 100) + ']'.repeat(MAX_BYTES / 2 - 100),
  'lists that never end': () => '['.repeat(MAX_BYTES - 200),
  'short texts': () => manyOf((at) => `"${short(at)}"`),
  fractions: () => manyOf(() => '0.1'),
};

describe('a document that would cost more memory than there is', () => {
  const intake = createIntakeThreads({ places, clock: systemClock });
  after(() => intake.close());
  it('is refused before it is parsed', async () => {
    for (const [what, entries] of Object.entries(BEYOND_THE_LIMITS)) {
      await assert.rejects(
        intake.run(orderOf('catalogue_page', `{"properties":[${entries()}],"next_page":null}`)),
        (error) => error instanceof BookingSystemFailure && /^the document has more than/.test(error.message),
        what,
      );
    }
  });
});

describe('a document near all limits at once', () => {
  const numbered = manyOf(() => '{"34":0}', { count: 49_990 * SHARE });
  const others = manyOf(neverAlike, { count: 449_900 * SHARE });
  // One letter beyond Latin makes each of the others take two bytes.
  const costly = `["${'x'.repeat(6_000_000 * SHARE)}漢",${numbered},${others}]`;
  const documents: Readonly<Record<IntakeTaskName, string>> = {
    catalogue_page: `{"properties":[{"reference":"a","images":${costly}}],"next_page":null}`,
    rate_card: `{"properties":[{"listing":${JSON.stringify(plainListing)},"rates":{"seasons":${costly}},"booked":[]}]}`,
    listings: `[{"reference":"a","images":${costly}}]`,
    plain_lines: `{"type":"property","reference":"a","images":${costly}}`,
    calendars: `{"calendars":[{"property":"a","periods":${costly}}]}`,
    quotes: `{"quotes":[{"property":"a","status":"quoted","lines":${costly}}]}`,
    bookings_page: `{"bookings":[{"reference":"a","guest":${costly}}],"next_page":null}`,
    bookingsync_rentals: `{"rentals":[{"id":1,"photos":${costly}}]}`,
    bookingsync_amenities: `{"amenities":[{"id":1,"key":"a","title":${costly}}]}`,
    bookingsync_calendars: `{"rates":[{"links":{"rental":1},"minimum_stay":${costly}}]}`,
    lodgify_properties: `{"count":1,"items":[{"id":1,"rooms":${costly}}]}`,
    lodgify_room: `{"max_people":2,"amenities":{"room":${costly}}}`,
    lodgify_settings: `{"check_in_hour":15,"bookability":${costly}}`,
    lodgify_availability: `[{"room_type_id":1,"periods":${costly}}]`,
    lodgify_rates: `{"calendar_items":[{"date":null,"prices":${costly}}]}`,
    lodgify_quote: `[{"currency_code":"EUR","room_types":[{"price_types":[{"type":0,"prices":${costly}}]}]}]`,
    bookingsync_search: `{"rentals":[{"id":1,"currency":"EUR","final_price":1,"price_details":{"fees":${costly}}}]}`,
    issued_token: `{"access_token":"a","expires_in":60,"scope":${costly}}`,
    guesty_listings: `{"results":[{"_id":"a","pictures":${costly}}]}`,
    guesty_listing: `{"_id":"a","pictures":${costly}}`,
    guesty_rates: `{"results":[{"_id":"a","nightlyRates":${costly}}]}`,
    guesty_calendar: `{"days":${costly}}`,
    guesty_quote: `{"rates":{"ratePlans":[{"money":{"currency":"EUR","invoiceItems":${costly}}}]}}`,
    hostaway_listings: `{"status":"success","result":[{"id":1,"listingImages":${costly}}]}`,
    hostaway_amenities: `{"status":"success","result":${costly}}`,
    hostaway_policies: `{"status":"success","result":[{"id":1,"name":"a","cancellationPolicyItem":${costly}}]}`,
    hostaway_calendar: `{"status":"success","result":${costly}}`,
    hostaway_price: `{"status":"success","result":{"totalPrice":1,"components":${costly}}}`,
    // Beyond a mebibyte it is refused unread.
    availability_feed: `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\nDTSTART:20270710\nEND:VEVENT\n'.repeat(5000)}${'END:X\n'.repeat(80_000)}`,
    beds24_token: `{"token":"a","expiresIn":60,"scopes":${costly}}`,
    beds24_properties: `{"success":true,"data":[{"id":1,"roomTypes":[{"id":1,"featureCodes":${costly}}]}]}`,
    beds24_calendars: `{"success":true,"data":[{"roomId":1,"calendar":${costly}}]}`,
    beds24_offers: `{"success":true,"data":[{"roomId":1,"offers":${costly}}]}`,
    qloapps_hotels: `{"hotels":[{"id":1,"associations":{"hotel_features":${costly}}}]}`,
    qloapps_features: `{"hotel_features":[{"id":1,"name":"a","more":${costly}}]}`,
    qloapps_room_types: `{"room_types":[{"id":1,"id_hotel":1,"associations":{"images":${costly}}}]}`,
    qloapps_capacities: `{"hotel_ari":{"room_types":[{"id_room_type":1,"rooms":{"available":${costly}}}]}}`,
    qloapps_nights: `{"hotel_aris":[{"date_from":"2027-05-08","room_types":[{"id_room_type":1,"rooms":{"available":${costly}}}]}]}`,
    qloapps_prices: `{"hotel_ari":{"currency":"EUR","room_types":[{"id_room_type":1,"rooms":{"available":${costly}}}]}}`,
  };
  const lane = createIntakeLane({
    startWorker: () =>
      new Worker(new URL('../../src/connectors/shared/intake/intake.worker.ts', import.meta.url), {
        workerData: { places } satisfies IntakeThreadData,
        resourceLimits: { maxOldGenerationSizeMb: CODE_MEGABYTES + HALF_THE_HEAP_MEGABYTES * SHARE },
      }),
    clock: systemClock,
    maxTaskMs: 60_000,
    maxIdleMs: 60_000,
  });
  after(() => lane.close());
  for (const task of TASKS) {
    it(`takes less than half of its share of the memory: ${task}`, async () => {
      await lane.run(orderOf(task, documents[task]));
    });
  }
});
