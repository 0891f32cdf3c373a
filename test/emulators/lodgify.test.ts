import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { jsonAt } from './json-at.ts';
import { type LodgifyOptions, startLodgify } from './lodgify.ts';

const HOMES = [
  aHome({
    id: 6,
    name: 'Loft',
    maxGuests: 4,
    amenities: ['wifi', 'pool', 'telescope'],
    nightlyPrice: (day) => (day === '2027-03-03' ? 135_50 : 120_00),
    minimumStay: (day) => (day === '2027-07-01' ? 7 : 2),
    maximumStay: 28,
    closedToArrival: (day) => day === '2027-03-10',
    closedToDeparture: (day) => day === '2027-03-08',
    cleaningFee: 60_00,
    taxPercent: 6,
    deposit: 200_00,
  }),
  aHome({ id: 7, rating: null, cleaningFee: 0, taxPercent: 0, deposit: 0 }),
  aHome({ id: 8 }),
];

describe('emulator of Lodgify', () => {
  let time = 0;
  let lodgify: Emulator;
  let others: Emulator[] = [];
  before(async () => {
    lodgify = await start({});
  });
  beforeEach(() => {
    time = Date.parse('2027-01-01T12:00:00Z');
  });
  after(async () => {
    for (const emulator of others) await emulator.close();
    others = [];
  });

  async function start(options: Partial<LodgifyOptions>): Promise<Emulator> {
    const emulator = await startLodgify({ homes: HOMES, now: () => time, ...options });
    others.push(emulator);
    return emulator;
  }

  async function get(path: string, key = 'emulated-lodgify-key', emulator = lodgify) {
    const response = await fetch(`${emulator.url}${path}`, { headers: { 'X-ApiKey': key } });
    return { status: response.status, body: await response.json() };
  }

  const quotePath = (arrival: string, departure: string, people = 2) =>
    `/v2/quote/430006?arrival=${arrival}&departure=${departure}` +
    `&roomTypes[0].Id=498006&roomTypes[0].People=${people}`;

  it('accepts the key and refuses any other in the vendor’s envelope', async () => {
    assert.equal((await get('/v2/properties')).status, 200);
    assert.deepEqual(await get('/v2/properties', 'another'), {
      status: 500,
      body: {
        message: 'Not authorized',
        code: 999,
        correlation_id: '5b0ad3c1-0000-4000-8000-000000000001',
        event_id: '9d41c7e2-0000-4000-8000-000000000001',
      },
    });
  });

  it('can use the statuses that some clients expect', async () => {
    const plain = await start({ statuses: 'by_kind' });
    assert.equal((await get('/v2/properties', 'another', plain)).status, 401);
    assert.equal((await get('/v2/properties/1', undefined, plain)).status, 404);
    plain.book(6, '2027-03-01', '2027-03-03');
    assert.equal((await get(quotePath('2027-03-01', '2027-03-04'), undefined, plain)).status, 400);
  });

  it('pages from 1 and counts when asked to', async () => {
    const first = await get('/v2/properties?page=1&size=2&includeCount=true');
    assert.equal(jsonAt(first.body, 'count'), 3);
    assert.deepEqual(jsonAt(first.body, 'items.*.id'), [430006, 430007]);
    const second = await get('/v2/properties?page=2&size=2');
    assert.equal(jsonAt(second.body, 'count'), null);
    assert.deepEqual(jsonAt(second.body, 'items.*.id'), [430008]);
    assert.deepEqual(jsonAt((await get('/v2/properties?page=3&size=2')).body, 'items'), []);
    const small = await start({ pageSize: 1 });
    assert.deepEqual(
      jsonAt((await get('/v2/properties?size=50', undefined, small)).body, 'items.*.id'),
      [430006],
    );
  });

  it('describes a property, its room type and its settings', async () => {
    const property = (await get('/v2/properties/430006?includeInOut=false')).body;
    assert.deepEqual(jsonAt(property, 'rooms'), [{ id: 498006, name: 'Loft' }]);
    assert.equal(
      jsonAt(property, 'description'),
      '<p>A quiet house above the harbour, five minutes from the ferry.</p>',
    );
    assert.equal(jsonAt(property, 'country'), 'Portugal');
    assert.equal(jsonAt(property, 'image_url'), `//${lodgify.websiteHost}/pictures/6/front.png?f=32`);
    assert.equal(jsonAt(property, 'rating'), 4.6);
    assert.equal(jsonAt((await get('/v2/properties/430007')).body, 'rating'), 0);

    const room = (await get('/v1/properties/430006/rooms/498006')).body;
    assert.deepEqual(jsonAt(room, 'images.1'), {
      text: 'The living room',
      url: `//${lodgify.websiteHost}/pictures/6/living-room.png?f=32`,
    });
    assert.deepEqual(
      [
        jsonAt(room, 'max_people'),
        jsonAt(room, 'bedrooms'),
        jsonAt(room, 'has_wifi'),
        jsonAt(room, 'has_parking'),
        jsonAt(room, 'pets_allowed'),
      ],
      [4, 2, true, false, null],
    );
    assert.deepEqual(jsonAt(room, 'amenities.outside'), [
      { name: 'OutsideSwimmingPool', prefix: null, bracket: null, text: 'Swimming pool' },
    ]);
    assert.deepEqual(jsonAt(room, 'amenities.miscellaneous'), [
      { name: 'MiscellaneousTelescope', prefix: null, bracket: null, text: 'telescope' },
    ]);
    assert.equal(jsonAt((await get('/v1/properties/430006/rooms/498007')).body, 'code'), 997);

    const settings = (await get('/v2/rates/settings?houseId=430006')).body;
    assert.deepEqual(
      [jsonAt(settings, 'check_in_hour'), jsonAt(settings, 'check_out_hour'), jsonAt(settings, 'vat')],
      [16, 10, 0],
    );
  });

  it('writes availability as periods whose last day is included', async () => {
    const own = await start({});
    own.book(6, '2027-01-17', '2027-01-21');
    const period = (start: string, end: string, available: number, bookings: object[] = []) => ({
      start,
      end,
      available,
      closed_period: null,
      bookings,
      channel_calendars: [],
    });
    const path = 'start=2027-01-01&end=2027-01-31';
    assert.deepEqual(
      (await get(`/v2/availability/430006/498006?${path}&includeDetails=false`, undefined, own)).body,
      [
        {
          user_id: 510120,
          property_id: 430006,
          room_type_id: 498006,
          periods: [
            period('2027-01-01', '2027-01-16', 1),
            period('2027-01-17', '2027-01-20', 0),
            period('2027-01-21', '2027-01-31', 1),
          ],
        },
      ],
    );
    const detailed = (await get(`/v2/availability/430006?${path}&includeDetails=true`, undefined, own)).body;
    assert.deepEqual(jsonAt(detailed, '0.periods.1.bookings'), [{ id: 5670006, status: 'Booked' }]);
    assert.equal(jsonAt((await get(`/v2/availability?${path}`, undefined, own)).body, 'length'), 3);
  });

  it('gives a rate for each day, after the default', async () => {
    const range = 'StartDate=2027-03-02&EndDate=2027-03-03';
    const { body } = await get(`/v2/rates/calendar?RoomTypeId=498006&HouseId=430006&${range}`);
    assert.deepEqual(jsonAt(body, 'calendar_items'), [
      { date: null, is_default: true, prices: [{ min_stay: 2, max_stay: 28, price_per_day: 120 }] },
      { date: '2027-03-02', is_default: false, prices: [{ min_stay: 2, max_stay: 28, price_per_day: 120 }] },
      {
        date: '2027-03-03',
        is_default: false,
        prices: [{ min_stay: 2, max_stay: 28, price_per_day: 135.5 }],
      },
    ]);
    assert.equal(jsonAt(body, 'rate_settings.currency_code'), 'EUR');
  });

  it('quotes to the cent, with the deposit beside the total', async () => {
    const { status, body } = await get(quotePath('2027-03-02', '2027-03-05', 3));
    assert.equal(status, 200);
    assert.deepEqual(body, [
      {
        total_including_vat: 458.03,
        total_excluding_vat: null,
        total_vat: null,
        property_id: 430006,
        date_arrival: '2027-03-02T00:00:00',
        date_departure: '2027-03-05T00:00:00',
        currency_code: 'EUR',
        room_types: [
          {
            room_type_id: 498006,
            name: 'Loft',
            people: 3,
            price_types: [
              {
                type: 0,
                is_negative: false,
                description: 'Room Rate',
                prices: [
                  {
                    uid: 'RoomRate-RoomType-498006-Stay',
                    description: 'RoomType',
                    amount: 375.5,
                    fee_type: null,
                    room_rate_type: 0,
                  },
                ],
                subtotal: 375.5,
              },
              {
                type: 2,
                is_negative: false,
                description: 'Fees',
                prices: [
                  {
                    uid: 'Fee-RoomType-498006-Cleaning-79548',
                    description: 'Cleaning',
                    amount: 60,
                    fee_type: 0,
                    room_rate_type: null,
                  },
                ],
                subtotal: 60,
              },
              {
                type: 4,
                is_negative: false,
                description: 'Taxes',
                prices: [
                  {
                    uid: 'Tax-RoomRate-RoomType-498006-Stay-26918',
                    description: 'Local Tax',
                    amount: 22.53,
                    fee_type: null,
                    room_rate_type: null,
                  },
                ],
                subtotal: 22.53,
              },
            ],
            subtotal: 458.03,
          },
        ],
        add_ons: [],
        other_items: [],
        add_ons_subtotal: 0,
        rate_policy_user_id: null,
        scheduled_payments: [{ type: 'Payment', date_due: 'On agreement', amount: 458.03, is_current: true }],
        scheduled_damage_protection: [],
        security_deposit: 200,
        total_scheduled_payments: 458.03,
        total_to_collect_manually: 0,
        amount_gross: 458.03,
        rental_agreement: 'd5958e3f-0000-4000-8000-8b16136860ab',
        cancellation_policy_text:
          'Free cancellation until 14 days before arrival, then half of the total is kept.',
        security_deposit_text: 'A damage deposit is due before arrival.',
        is_verification: false,
      },
    ]);
    assert.deepEqual(lodgify.priceOf(6, '2027-03-02', '2027-03-05', 3), { total: 458_03, currency: 'EUR' });
  });

  it('binds the parameters of a quote whatever their case', async () => {
    const path =
      '/v2/quote/430006?arrival=2027-03-02&departure=2027-03-05&roomTypes[0].id=498006' +
      '&roomTypes[0].guest_breakdown.adults=2&roomTypes[0].guest_breakdown.children=1';
    assert.equal(jsonAt((await get(path)).body, '0.room_types.0.people'), 3);
  });

  it('splits off the tax for an account whose prices are without it', async () => {
    const exclusive = await start({ vatExclusivePercent: 20 });
    const { body } = await get(quotePath('2027-03-02', '2027-03-05'), undefined, exclusive);
    assert.deepEqual(
      ['total_including_vat', 'total_excluding_vat', 'total_vat', 'amount_gross'].map((name) =>
        jsonAt(body, `0.${name}`),
      ),
      [null, 381.69, 76.34, 458.03],
    );
  });

  it('refuses a stay with the code of its reason', async () => {
    const own = await start({});
    own.book(6, '2027-05-01', '2027-05-03');
    const codeOf = async (path: string) => jsonAt((await get(path, undefined, own)).body, 'code');
    assert.equal(await codeOf(quotePath('2027-05-02', '2027-05-05')), 911);
    assert.equal(await codeOf(quotePath('2027-03-02', '2027-03-03')), 902);
    assert.equal(await codeOf(quotePath('2027-07-01', '2027-07-05')), 902);
    assert.equal(await codeOf(quotePath('2027-06-01', '2027-07-15')), 901);
    assert.equal(await codeOf(quotePath('2027-03-10', '2027-03-14')), 909);
    assert.equal(await codeOf(quotePath('2027-03-05', '2027-03-08')), 910);
    assert.equal(await codeOf(quotePath('2027-03-02', '2027-03-05', 5)), 940);
    assert.equal(await codeOf(quotePath('2027-03-05', '2027-03-02')), 996);
    assert.equal(await codeOf('/v2/quote/430006?arrival=2027-03-02&departure=2027-03-05'), 996);
    assert.equal(await codeOf(quotePath('2027-03-02', '2027-03-05').replace('430006', '430099')), 997);
    assert.deepEqual(own.priceOf(6, '2027-05-02', '2027-05-05', 2), { refused: 'taken' });

    const vague = await start({ refusals: 'unknown' });
    assert.equal(
      jsonAt((await get(quotePath('2027-03-02', '2027-03-03'), undefined, vague)).body, 'code'),
      666,
    );
  });

  it('has a limit for each version of the API', async () => {
    const own = await start({});
    const ask = (path: string) => get(path, undefined, own).then(({ status }) => status);
    const statuses = [];
    for (let sent = 0; sent < 601; sent += 1) statuses.push(await ask('/v1/properties/430006/rooms/498006'));
    assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [600, 429]);
    assert.equal(await ask('/v2/properties/430006'), 200);
    assert.deepEqual(own.budget, { exceeded: 1, refused: 1, most: [601, 1] });
    time += 60_000;
    assert.equal(await ask('/v1/properties/430006/rooms/498006'), 200);
  });

  it('explains a 429 in its message, without a header', async () => {
    const own = await start({ limits: [{ requests: 1, perMs: 60_000 }] });
    await get('/v2/properties', undefined, own);
    const response = await fetch(`${own.url}/v2/properties`);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), null);
    assert.deepEqual(await response.json(), { message: 'More than 1 requests in 60 seconds were made.' });
  });

  it('rejects the key once, as if it had been withdrawn', async () => {
    const own = await start({});
    own.setFault('expired_token', 'quote');
    assert.equal((await get('/v2/properties', undefined, own)).status, 200);
    assert.equal(
      jsonAt((await get(quotePath('2027-03-02', '2027-03-05'), undefined, own)).body, 'code'),
      999,
    );
    assert.equal((await get(quotePath('2027-03-02', '2027-03-05'), undefined, own)).status, 200);
    assert.deepEqual(
      own.requests.map(({ kind }) => kind),
      ['catalogue', 'quote', 'quote'],
    );
  });
});
