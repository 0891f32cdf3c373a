import assert from 'node:assert/strict';
import type { CalendarReading } from '../../../src/quotes/booking-system.ts';
import { formatDay } from '../../../src/stay/day.ts';
import { TODAY } from '../../support/network.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { HORIZON, BEDS24_AND_QLOAPPS_READERS as READERS } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

type VendorDocument = {
  readonly document: unknown;
  readonly read: (text: string, random: InputRandom) => () => void;
};

const day = (after: number) => formatDay(TODAY + after);
const page = (data: unknown) => ({ success: true, count: 1, pages: { nextPageExists: false }, data });
const room = { id_room: 1, room_num: '101', max_adult: 2, max_children: 2, max_occupancy: 4 };
const roomType = {
  id_room_type: 1,
  total_price: 5000,
  total_price_with_tax: 5200.5,
  rooms: { available: { 1: room } },
};

const DOCUMENTS: readonly VendorDocument[] = [
  {
    document: { token: 'abc', expiresIn: 86_400 },
    read: (text) => () =>
      READERS.beds24Token(text)?.forEach(({ token, lifetimeMs }) => {
        assert.match(token, /^[\x21-\x7e]+$/);
        assert.ok(lifetimeMs > 0);
      }),
  },
  {
    document: page([
      {
        id: 1,
        name: 'House',
        currency: 'EUR',
        city: 'Lisboa',
        country: 'PT',
        checkInStart: '15:00',
        checkOutEnd: '24:00',
        bookingRules: {
          bookingType: 'autoConfirmed',
          bookingNearType: 'blackoutPeriod',
          bookingNearTypeDays: 3,
        },
        featureCodes: [['WIFI'], ['BEDROOM', 'BED_KING']],
        texts: [{ language: 'en', cancellationPolicy: 'Free until a week before arrival.' }],
        roomTypes: [
          {
            id: 1,
            name: 'Room',
            roomType: 'double',
            maxPeople: 4,
            maxAdult: null,
            securityDeposit: 200,
          },
        ],
      },
    ]),
    read: (text) => () => READERS.beds24Properties(text),
  },
  {
    document: page([
      {
        roomId: 1,
        calendar: [
          { from: day(0), to: day(40), numAvail: 1, minStay: 2, maxStay: 14, override: 'none', price1: 90 },
          { from: day(41), to: day(900), numAvail: 0, override: 'noCheckInOrCheckOut' },
        ],
      },
    ]),
    read: (text) => () =>
      READERS.beds24Calendars(text)?.forEach(([, reading]) => {
        checkCalendar(reading);
      }),
  },
  {
    document: page([{ roomId: 1, offers: [{ offerId: 1, price: 630.5, unitsAvailable: 1 }] }]),
    read: (text) => () =>
      READERS.beds24Offers(text)?.forEach((one) => {
        if (one.kind === 'priced') assert.ok(Number.isSafeInteger(one.total) && one.total > 0);
      }),
  },
  {
    document: {
      hotels: [
        {
          id: 1,
          hotel_name: 'Hotel',
          city: 'Lisboa',
          active: 1,
          check_in: '14:00',
          use_global_max_order_date: 0,
          max_order_date: '2027-11-15',
          use_global_preparation_time: 0,
          preparation_time: 5,
          active_refund: 1,
          associations: { hotel_features: [{ id: '1' }], hotel_refund_rules: [{ id: 1 }] },
        },
      ],
    },
    read: (text) => () =>
      READERS.qloappsHotels(text)?.forEach(({ id }) => {
        assert.match(id, /^\d{1,10}$/);
      }),
  },
  {
    document: {
      room_types: [
        {
          id: 1,
          id_hotel: 1,
          adults: 2,
          name: 'Room',
          active: 1,
          id_default_image: 12,
          description_short: '<p>With a view.</p>',
          associations: { images: [{ id: 12 }], room_type_features: [{ id: 2 }] },
        },
      ],
    },
    read: (text) => () => READERS.qloappsRoomTypes(text),
  },
  {
    document: { hotel_features: [{ id: 1, name: 'Spa', active: 1 }] },
    read: (text) => () => READERS.qloappsFeatures(text),
  },
  {
    document: {
      hotel_refund_rules: [
        {
          id: 1,
          payment_type: 2,
          days: '14',
          deduction_value_full_pay: '0.000000',
          deduction_value_adv_pay: '50.000000',
          name: 'Two weeks',
          description: '<p>All is refunded.</p>',
        },
      ],
    },
    read: (text) => () =>
      READERS.qloappsRefundRules(text)?.forEach(([, { days }]) => {
        assert.ok(Number.isFinite(days));
      }),
  },
  {
    document: { hotel_ari: { currency: 'EUR', room_types: [roomType] } },
    read: (text) => () =>
      READERS.qloappsCapacities(text)?.forEach(([, adults]) => {
        assert.ok(Number.isSafeInteger(adults));
      }),
  },
  {
    document: {
      hotel_aris: [
        { date_from: day(1), room_types: [roomType] },
        { date_from: day(2), room_types: [{ ...roomType, rooms: { available: [] } }] },
      ],
    },
    read: (text, random) => () =>
      READERS.qloappsNights(text, random.pick([200, 500]))?.forEach(([, reading]) => {
        checkCalendar(reading);
      }),
  },
  {
    document: { hotel_ari: { id_hotel: '1', currency: 'EUR', room_types: [roomType] } },
    read: (text) => () => {
      const prices = READERS.qloappsPrices(text);
      if (!prices) return;
      assert.deepEqual(prices.map(({ reference }) => reference).sort(), ['1', '2']);
      for (const price of prices) {
        if (price.kind !== 'priced') continue;
        const { total, lines } = price.quote;
        assert.ok(Number.isSafeInteger(total) && total > 0);
        const sum = lines.reduce((partial, { amount }) => partial + amount, 0);
        assert.ok(lines.length === 0 || sum === total);
      }
    },
  },
];

/** What Beds24 and QloApps send. */
export const beds24AndQloapps: FuzzTarget = {
  name: 'beds24-and-qloapps',
  weight: 10,
  // A page of hundreds of listings, each of them with texts to clean or faults to name: 30 ms at most where nothing else runs.
  maxCpuMs: 60,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const { document, read } = random.pick(DOCUMENTS);
  const text = spelledJson(mutatedJson(document, random), random);
  timed(read(text, random), text.length);
}

function checkCalendar(reading: CalendarReading): void {
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0 && reading.faults.every(({ reason }) => reason.length < 250));
    return;
  }
  const { firstDay, ...columns } = reading.value;
  assert.equal(firstDay, HORIZON.from);
  for (const column of Object.values(columns)) assert.equal(column.length, HORIZON.nights);
  assert.ok(columns.minimumStay.every((nights) => nights >= 1));
}
