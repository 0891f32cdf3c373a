import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { jsonAt } from './json-at.ts';
import { type QloappsOptions, startQloapps } from './qloapps.ts';

const HOMES = [
  aHome({
    id: 1,
    name: 'General Room',
    maxGuests: 4,
    amenities: ['wifi', 'telescope'],
    nightlyPrice: (day) => (day === '2027-06-02' ? 1333_33 : 1000_00),
    minimumStay: () => 2,
    maximumStay: 10,
    closedToArrival: () => true,
    cleaningFee: 250_00,
    taxPercent: 4,
  }),
  aHome({ id: 2, cleaningFee: 0 }),
  aHome({ id: 3, city: 'Porto', freeCancellationDays: null, minimumStay: () => 1 }),
];

describe('emulator of QloApps', () => {
  let time = 0;
  const started: Emulator[] = [];
  beforeEach(() => {
    time = Date.parse('2027-01-01T12:00:00Z');
  });
  after(async () => {
    for (const emulator of started) await emulator.close();
  });

  async function start(options: Partial<QloappsOptions> = {}) {
    const emulator = await startQloapps({ homes: HOMES, now: () => time, ...options });
    started.push(emulator);
    return emulator;
  }

  async function call(
    { url }: Emulator,
    path: string,
    { xml, key = 'EMULATEDQLOAPPSKEY00000000000001' }: { xml?: string; key?: string } = {},
  ) {
    const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
    const query = path.includes('?') ? '&output_format=JSON' : '?output_format=JSON';
    const response = await fetch(
      `${url}/api/${path}${query}`,
      xml === undefined ? { headers } : { method: 'POST', headers, body: xml },
    );
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  const question = (from: string, to: string, more = '', hotel = 1) =>
    `<qloapps><hotel_ari><id_hotel>${hotel}</id_hotel><date_from>${from}</date_from><date_to>${to}</date_to>${more}</hotel_ari></qloapps>`;
  const TYPE_ONE = '<id_room_type>21</id_room_type>';
  const occupancy = (adults: number) =>
    `<room_occupancy><adults>${adults}</adults><children>0</children></room_occupancy>`;
  const guests = (...rooms: number[]) =>
    `<associations><room_occupancies>${rooms.map(occupancy).join('')}</room_occupancies></associations>`;

  it('takes the key as the user name, and tells a wrong one from a misshapen one', async () => {
    const qlo = await start();
    assert.deepEqual(await call(qlo, 'hotels'), {
      status: 200,
      body: { hotels: [{ id: 1 }, { id: 2 }] },
    });
    assert.deepEqual(await call(qlo, 'hotels', { key: 'short' }), {
      status: 401,
      body: { errors: [{ code: 18, message: 'The key has a wrong format' }] },
    });
    const wrong = await call(qlo, 'hotels', { key: 'A'.repeat(32) });
    assert.deepEqual([wrong.status, jsonAt(wrong.body, 'errors.*.code')], [401, [20, 21]]);
    const without = await fetch(`${qlo.url}/api/hotels?output_format=JSON`);
    assert.deepEqual([without.status, await without.text()], [401, '401 Unauthorized']);
  });

  it('gives a permission for each resource', async () => {
    const qlo = await start({ withheld: ['room_type_features'] });
    assert.deepEqual(await call(qlo, 'room_type_features?display=full'), {
      status: 401,
      body: { errors: [{ code: 26, message: 'The key may not use "room_type_features"' }] },
    });
    const unknown = await call(qlo, 'nonsense');
    assert.deepEqual([unknown.status, jsonAt(unknown.body, 'errors.*.code')], [400, [27]]);
  });

  it('answers in XML unless JSON is asked for', async () => {
    const qlo = await start();
    const headers = {
      authorization: `Basic ${Buffer.from('EMULATEDQLOAPPSKEY00000000000001:').toString('base64')}`,
    };
    const response = await fetch(`${qlo.url}/api/hotels`, { headers });
    assert.equal(response.headers.get('content-type'), 'text/xml;charset=utf-8');
    assert.match(await response.text(), /<hotels><hotel><id><!\[CDATA\[1\]\]><\/id>/);
  });

  it('lists what the query asks for: cut, sorted, filtered; an empty list has no name', async () => {
    const qlo = await start();
    const idsOf = async (query: string) =>
      jsonAt((await call(qlo, `room_types?${query}`)).body, 'room_types.*.id');
    assert.deepEqual(await idsOf('limit=2'), [21, 22]);
    assert.deepEqual(await idsOf('limit=1,2'), [22, 23]);
    assert.deepEqual(await idsOf('sort=[id_DESC]'), [23, 22, 21]);
    assert.deepEqual(await idsOf('filter[id]=[21|23]'), [21, 23]);
    assert.deepEqual((await call(qlo, 'room_types?display=full&limit=9,2')).body, []);
    assert.deepEqual((await call(qlo, 'room_types?display=[id,name]&limit=1')).body, {
      room_types: [{ id: 21, name: 'General Room' }],
    });
    const byHotel = await call(qlo, 'room_types?filter[id_hotel]=1');
    assert.deepEqual([byHotel.status, jsonAt(byHotel.body, 'errors.0.code')], [500, 34]);
    assert.deepEqual(await call(qlo, 'room_types/99'), { status: 404, body: null });
  });

  it('describes hotels and their room types', async () => {
    const qlo = await start();
    const hotels = (await call(qlo, 'hotels?display=full')).body;
    const hotelMembers = [
      'id',
      'city',
      'id_country',
      'rating',
      'check_in',
      'check_out',
      'latitude',
      'active_refund',
    ];
    assert.deepEqual(
      hotelMembers.map((name) => jsonAt(hotels, `hotels.0.${name}`)),
      [1, 'Lisbon', 15, 3, '16:00', '10:00', '38.71670000', 1],
    );
    assert.equal(
      jsonAt(hotels, 'hotels.0.policies'),
      '<div>\n  <div>- Free cancellation until 14 days before arrival, then half of the total is kept.</div></div>',
    );
    assert.deepEqual(jsonAt(hotels, 'hotels.0.associations'), {
      room_types: [{ id: 21 }, { id: 22 }],
      hotel_refund_rules: [{ id: 1 }],
    });
    assert.deepEqual(jsonAt(hotels, 'hotels.1.associations'), { room_types: [{ id: 23 }] });
    const type = (await call(qlo, 'room_types/21')).body;
    assert.deepEqual(
      ['id_hotel', 'adults', 'children', 'price', 'active', 'show_at_front', 'description'].map((name) =>
        jsonAt(type, `room_type.${name}`),
      ),
      [1, 4, 3, '1000.000000', 1, 1, '<p>A quiet house above the harbour, five minutes from the ferry.</p>'],
    );
    assert.deepEqual(jsonAt(type, 'room_type.associations.images'), [{ id: 11 }, { id: 12 }]);
    assert.deepEqual(jsonAt(type, 'room_type.associations.room_type_features'), [{ id: 1 }, { id: 2 }]);
    const features = (await call(qlo, 'room_type_features?display=full')).body;
    assert.deepEqual(jsonAt(features, 'room_type_features.*.name'), [
      'Wi-Fi',
      'telescope',
      'Kitchen',
      'Washing machine',
    ]);
    assert.equal(jsonAt((await call(qlo, 'countries/15')).body, 'country.iso_code'), 'PT');
    assert.deepEqual(jsonAt((await call(qlo, 'hotel_rooms?display=[room_num]')).body, 'rooms.0'), {
      room_num: 'R1-1',
    });
    const rules = (await call(qlo, 'hotel_refund_rules?display=full')).body;
    assert.equal(jsonAt(rules, 'hotel_refund_rules.0.days'), '14');
  });

  it('shows pictures to the key, and to everybody on the website', async () => {
    const qlo = await start();
    const statusOf = async (path: string, headers = {}) =>
      (await fetch(`${qlo.url}${path}`, { headers })).status;
    const authorization = `Basic ${Buffer.from('EMULATEDQLOAPPSKEY00000000000001:').toString('base64')}`;
    assert.equal(await statusOf('/api/images/room_types/21/12', { authorization }), 200);
    assert.equal(await statusOf('/api/images/room_types/21/13', { authorization }), 404);
    assert.equal(await statusOf('/api/images/room_types/21/12'), 401);
    assert.equal(await statusOf('/img/p/1/2/12-large_default.jpg'), 200);
    assert.equal(await statusOf('/img/p/9/9/99.jpg'), 404);
  });

  it('prices a stay to the cent, whoever comes', async () => {
    const qlo = await start();
    const xml = question(
      '2027-06-01',
      '2027-06-04',
      `${TYPE_ONE}<get_available_rooms>1</get_available_rooms>${guests(9)}`,
    );
    assert.deepEqual(await call(qlo, 'hotel_ari', { xml }), {
      status: 200,
      body: {
        hotel_ari: {
          id_hotel: '1',
          date_from: '2027-06-01',
          date_to: '2027-06-04',
          currency: 'EUR',
          total_rooms: 1,
          total_available_rooms: 1,
          room_types: [
            {
              id_room_type: 21,
              base_price: 3583.33 / 3,
              base_price_with_tax: 3716.66 / 3,
              total_price: 3583.33,
              total_price_with_tax: 3716.66,
              name: 'General Room',
              rooms: {
                available: {
                  '101': {
                    id_room: 101,
                    id_product: 21,
                    id_hotel: 1,
                    room_num: 'R1-1',
                    room_comment: '',
                    max_adult: 4,
                    max_children: 3,
                    max_occupancy: 4,
                  },
                },
              },
            },
          ],
        },
      },
    });
    assert.deepEqual(qlo.priceOf(1, '2027-06-01', '2027-06-04', 2), { total: 3716_66, currency: 'EUR' });
    assert.deepEqual(qlo.priceOf(1, '2027-06-01', '2027-06-04', 9), { refused: 'too_many_guests' });
    const two = question('2027-06-01', '2027-06-04', TYPE_ONE + guests(2, 2));
    const ofTwo = (await call(qlo, 'hotel_ari', { xml: two })).body;
    assert.equal(jsonAt(ofTwo, 'hotel_ari.room_types.0.total_price'), 7166.66);
    assert.equal(jsonAt(ofTwo, 'hotel_ari.room_types.0.total_price_with_tax'), 7433.32);
  });

  it('prices all room types of a hotel in one call', async () => {
    const qlo = await start();
    const { body } = await call(qlo, 'hotel_ari', { xml: question('2027-06-01', '2027-06-04') });
    assert.deepEqual(jsonAt(body, 'hotel_ari.room_types.*.id_room_type'), [21, 22]);
    assert.deepEqual(jsonAt(body, 'hotel_ari.total_available_rooms'), 2);
  });

  it('leaves no room available when nights are taken or the stay has the wrong length', async () => {
    const qlo = await start();
    qlo.book(1, '2027-07-10', '2027-07-12');
    const availableIn = async (from: string, to: string) =>
      jsonAt(
        (await call(qlo, 'hotel_ari', { xml: question(from, to, TYPE_ONE) })).body,
        'hotel_ari.room_types.0.rooms.available',
      );
    assert.deepEqual(await availableIn('2027-07-11', '2027-07-14'), []);
    assert.deepEqual(await availableIn('2027-07-12', '2027-07-13'), []);
    assert.deepEqual(await availableIn('2027-07-12', '2027-07-30'), []);
    assert.deepEqual(Object.keys((await availableIn('2027-07-12', '2027-07-14')) as object), ['101']);
    assert.deepEqual(qlo.priceOf(1, '2027-07-11', '2027-07-14', 2), { refused: 'taken' });
    assert.deepEqual(qlo.priceOf(1, '2027-07-12', '2027-07-13', 2), { refused: 'minimum_stay' });
  });

  it('breaks the nights down without a word of the length of a stay', async () => {
    const qlo = await start();
    qlo.book(1, '2027-06-02', '2027-06-03');
    const xml = question(
      '2027-06-01',
      '2027-06-03',
      `${TYPE_ONE}<date_wise_breakdown>1</date_wise_breakdown>`,
    );
    const night = (from: string, to: string, total: number, withTax: number, free: boolean) => ({
      id_hotel: '1',
      date_from: from,
      date_to: to,
      currency: 'EUR',
      total_rooms: 1,
      room_types: [
        {
          id_room_type: 21,
          base_price: total,
          base_price_with_tax: withTax,
          total_price: total,
          total_price_with_tax: withTax,
          name: 'General Room',
          rooms: { available: free ? { '101': { id_room: 101, room_num: 'R1-1' } } : [] },
        },
      ],
      total_available_rooms: free ? 1 : 0,
    });
    assert.deepEqual((await call(qlo, 'hotel_ari', { xml })).body, {
      hotel_aris: [
        night('2027-06-01', '2027-06-02', 1250, 1290, true),
        night('2027-06-02', '2027-06-03', 1583.33, 1636.66, false),
      ],
    });
  });

  it('is available while one of several equal rooms is free for the whole stay', async () => {
    const qlo = await start({ roomsOfEach: 2 });
    qlo.book(1, '2027-07-10', '2027-07-12');
    assert.deepEqual(qlo.priceOf(1, '2027-07-10', '2027-07-12', 2), { total: 2330_00, currency: 'EUR' });
    qlo.book(1, '2027-07-11', '2027-07-13');
    assert.deepEqual(qlo.priceOf(1, '2027-07-10', '2027-07-13', 2), { refused: 'taken' });
    const roomsFor = async (from: string, to: string) =>
      Object.keys(
        jsonAt(
          (await call(qlo, 'hotel_ari', { xml: question(from, to, TYPE_ONE) })).body,
          'hotel_ari.room_types.0.rooms.available',
        ) as object,
      );
    assert.deepEqual(await roomsFor('2027-07-12', '2027-07-14'), ['101']);
    assert.deepEqual(await roomsFor('2027-07-11', '2027-07-13'), []);
    qlo.book(1, '2027-07-09', '2027-07-14');
    assert.deepEqual(qlo.priceOf(1, '2027-07-12', '2027-07-14', 2), { refused: 'taken' });
  });

  it('answers without room types for a hotel or a type that it does not know', async () => {
    const qlo = await start();
    assert.deepEqual(
      (await call(qlo, 'hotel_ari', { xml: question('2027-06-01', '2027-06-04', '', 77) })).body,
      {
        hotel_ari: { id_hotel: '77', date_from: '2027-06-01', date_to: '2027-06-04', currency: 'EUR' },
      },
    );
    const elsewhere = question('2027-06-01', '2027-06-04', TYPE_ONE, 2);
    assert.equal(
      jsonAt((await call(qlo, 'hotel_ari', { xml: elsewhere })).body, 'hotel_ari.room_types'),
      undefined,
    );
  });

  it('refuses bad input with its code', async () => {
    const qlo = await start();
    const codeOf = async (xml: string) => {
      const { status, body } = await call(qlo, 'hotel_ari', { xml });
      return [status, jsonAt(body, 'errors.0.code')];
    };
    assert.deepEqual(await codeOf(question('2027-06-04', '2027-06-01')), [400, 85]);
    assert.deepEqual(await codeOf(question('soon', '2027-06-01')), [400, 85]);
    assert.deepEqual(await codeOf('not xml'), [400, 85]);
    assert.deepEqual(await codeOf(''), [400, 85]);
    assert.deepEqual(await codeOf(question('2027-06-01', '2027-06-04', guests(0))), [400, 85]);
    assert.deepEqual(
      await codeOf('<qloapps><hotel_ari><id_hotel>1</id_hotel></hotel_ari></qloapps>'),
      [400, 41],
    );
    const got = await call(qlo, 'hotel_ari');
    assert.deepEqual([got.status, jsonAt(got.body, 'errors.0.code')], [405, 23]);
  });

  it('makes a booking although it answers with an error', async () => {
    const qlo = await start();
    const room = (from: string, to: string) =>
      `<qloapps><booking><id_property>1</id_property><associations><room_types><room_type><id_room_type>21</id_room_type><checkin_date>${from}</checkin_date><checkout_date>${to}</checkout_date><number_of_rooms>1</number_of_rooms></room_type></room_types></associations></booking></qloapps>`;
    const { status, body } = await call(qlo, 'bookings', { xml: room('2027-07-10', '2027-07-12') });
    assert.deepEqual([status, jsonAt(body, 'errors.0.code')], [500, 3]);
    assert.deepEqual(qlo.priceOf(1, '2027-07-10', '2027-07-12', 2), { refused: 'taken' });
    assert.equal((await call(qlo, 'bookings', { xml: room('2027-07-11', '2027-07-12') })).status, 400);
  });

  it('has no limit of its own, but a server in front of it may', async () => {
    const free = await start();
    for (let sent = 0; sent < 60; sent += 1) assert.equal((await call(free, 'hotels')).status, 200);
    const limited = await start({ limits: [{ requests: 1, perMs: 30_000 }] });
    await call(limited, 'hotels');
    const response = await fetch(`${limited.url}/api/hotels`);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '30']);
    assert.deepEqual(limited.budget, { exceeded: 1, refused: 1, most: [2] });
  });

  it('rejects the key once, as if it had been switched off', async () => {
    const qlo = await start();
    qlo.setFault('expired_token', 'quote');
    const xml = question('2027-06-01', '2027-06-04');
    const breakdown = question('2027-06-01', '2027-06-04', '<date_wise_breakdown>1</date_wise_breakdown>');
    const statuses = [];
    for (const body of [breakdown, xml, xml])
      statuses.push((await call(qlo, 'hotel_ari', { xml: body })).status);
    assert.deepEqual(statuses, [200, 401, 200]);
    assert.deepEqual(
      qlo.requests.map(({ kind }) => kind),
      ['calendar', 'quote', 'quote'],
    );
  });

  it('swaps the types of an answer, and leaves one without types as it is', async () => {
    const qlo = await start();
    qlo.setFault('wrong_types');
    assert.deepEqual((await call(qlo, 'hotels')).body, { hotels: { 0: { id: '1' }, 1: { id: '2' } } });
    assert.deepEqual(await call(qlo, 'room_types/99'), { status: 404, body: null });
  });

  it('has one currency', async () => {
    await assert.rejects(start({ homes: [aHome(), aHome({ id: 2, currency: 'USD' })] }), RangeError);
  });
});
