import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import { type Beds24Options, startBeds24 } from './beds24.ts';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { jsonOf } from './json-of.ts';

const START = Date.parse('2027-03-10T12:00:00Z');
const DAY_MS = 86_400_000;

describe('the emulator of Beds24', () => {
  let clock = createFakeClock(START);
  let emulator: Emulator;
  let token = '';

  async function start(changes: Partial<Beds24Options> = {}) {
    emulator = await startBeds24({
      homes: [
        aHome({ id: 1, amenities: ['wifi', 'telescope'] }),
        aHome({ id: 2, maxGuests: 6, freeCancellationDays: null, maximumStay: null }),
        aHome({ id: 3, nightlyPrice: (day) => (day < '2027-05-02' ? 99_99 : 150_00) }),
      ],
      now: clock.now,
      ...changes,
    });
    token = (await authenticate('token', { refreshToken: emulator.credentials.refresh_token ?? '' })).body
      .token;
  }

  async function authenticate(path: string, headers: Record<string, string>) {
    const response = await fetch(`${emulator.url}/authentication/${path}`, { headers });
    return { status: response.status, body: await jsonOf(response) };
  }

  const get = (path: string, used = token) => fetch(`${emulator.url}/${path}`, { headers: { token: used } });
  const read = async (path: string) => jsonOf(await get(path));

  async function restart(changes: Partial<Beds24Options>) {
    await emulator.close();
    await start(changes);
  }

  beforeEach(async () => {
    clock = createFakeClock(START);
    await start();
  });
  afterEach(() => emulator.close());

  describe('tokens', () => {
    it('of a day come for a refresh token, which lapses after thirty days without use', async () => {
      const refreshToken = emulator.credentials.refresh_token ?? '';
      assert.deepEqual(await authenticate('token', { refreshToken }), {
        status: 200,
        body: { token: 'beds24-2', expiresIn: 86400 },
      });
      await clock.advance(DAY_MS);
      const expired = await get('properties');
      assert.equal(expired.status, 401);
      assert.deepEqual(await jsonOf(expired), {
        success: false,
        type: 'error',
        code: 401,
        error: 'Token not valid',
      });
      await clock.advance(30 * DAY_MS);
      assert.equal((await authenticate('token', { refreshToken })).status, 400);
    });

    it('and a refresh token come for an invite code, once', async () => {
      const code = emulator.credentials.invite_code ?? '';
      const { body } = await authenticate('setup', { code });
      assert.deepEqual(body, {
        token: 'beds24-2',
        expiresIn: 86400,
        refreshToken: 'emulated-beds24-refresh-token-of-the-invitation',
      });
      assert.equal((await authenticate('token', { refreshToken: body.refreshToken })).status, 200);
      assert.deepEqual(await authenticate('setup', { code }), {
        status: 400,
        body: { success: false, type: 'error', code: 400, error: 'Code not valid' },
      });
    });

    it('that live long need no renewal, but lapse after ninety days without use', async () => {
      const longLife = emulator.credentials.long_life_token ?? '';
      await clock.advance(80 * DAY_MS);
      assert.equal((await get('properties', longLife)).status, 200);
      await clock.advance(80 * DAY_MS);
      assert.equal((await get('properties', longLife)).status, 200);
      await clock.advance(91 * DAY_MS);
      assert.equal((await get('properties', longLife)).status, 401);
    });

    it('can be looked at, guessed in vain, and expired', async () => {
      assert.deepEqual((await authenticate('details', { token })).body.token.scopes, [
        'read:inventory',
        'read:properties',
      ]);
      assert.equal((await authenticate('details', { token: 'guess' })).body.validToken, false);
      assert.equal((await get('properties', 'guess')).status, 401);
      emulator.expireTokens();
      assert.equal((await get('properties')).status, 401);
    });
  });

  it('gives texts in the languages that are asked for', async () => {
    await restart({ textLanguage: 'de' });
    const languagesFor = async (query: string) =>
      (await read(`properties?id=200001&includeTexts=all${query}`)).data[0].texts.map(
        ({ language }: { language: string }) => language,
      );
    assert.deepEqual(await languagesFor('&includeLanguages=en'), []);
    assert.deepEqual(await languagesFor('&includeLanguages=en&includeLanguages=de'), ['de']);
    assert.deepEqual(await languagesFor('&includeLanguages=all'), ['de']);
  });

  it('describes a property with its room, and texts, offers and extras when they are asked for', async () => {
    const { data, ...envelope } = await read('properties?id=200001&includeTexts=all&includeOffers=true');
    assert.deepEqual(envelope, {
      success: true,
      type: 'property',
      count: 1,
      pages: { nextPageExists: false },
    });
    assert.deepEqual(data, [
      {
        id: 200001,
        name: 'Harbour House 1',
        propertyType: 'house',
        currency: 'EUR',
        address: '1 Harbour Road',
        city: 'Lisbon',
        state: '',
        country: 'PT',
        postcode: '',
        latitude: 38.7167,
        longitude: -9.1333,
        checkInStart: '16:00',
        checkInEnd: '24:00',
        checkOutEnd: '10:00',
        offerType: 'perRoom',
        bookingRules: {
          bookingType: 'autoConfirmed',
          vatRatePercentage: 6,
          allowGuestCancellation: { type: 'daysBeforeArrival', daysBeforeArrivalValue: 14 },
        },
        featureCodes: [['WIFI'], ['TELESCOPE']],
        texts: [
          {
            language: 'en',
            headline: 'Harbour House 1',
            propertyDescription: 'A quiet house above the harbour, five minutes from the ferry.',
            houseRules: '',
            generalPolicy: '',
            cancellationPolicy:
              'Free cancellation until 14 days before arrival, then half of the total is kept.',
            locationDescription: '',
          },
        ],
        offers: [
          { offerId: 1, enable: 'onlyIfAvailable', name: 'Standard', position: 1, bookingType: 'default' },
        ],
        roomTypes: [
          {
            id: 500001,
            propertyId: 200001,
            name: 'Harbour House 1',
            roomType: 'holidayHome',
            qty: 1,
            minPrice: 120,
            maxPeople: 4,
            maxAdult: null,
            maxChildren: null,
            minStay: 2,
            maxStay: 28,
            restrictionStrategy: 'firstNight',
            taxPercentage: 6,
            taxPerson: 0,
            rackRate: 120,
            cleaningFee: 60,
            securityDeposit: 200,
            roomSize: null,
            featureCodes: [
              ['BEDROOM', 'BED_DOUBLE'],
              ['BEDROOM', 'BED_DOUBLE'],
              ['BATHROOM', 'TOILET'],
            ],
            texts: [
              {
                language: 'en',
                displayName: 'Harbour House 1',
                roomDescription: 'A quiet house above the harbour, five minutes from the ferry.',
              },
            ],
          },
        ],
      },
    ]);
    const [bare] = (await read('properties?id=200002')).data;
    assert.deepEqual([bare.texts, bare.offers, bare.upsellItems], [undefined, undefined, undefined]);
    assert.deepEqual(bare.bookingRules.allowGuestCancellation, {
      type: 'never',
      daysBeforeArrivalValue: null,
    });
    assert.equal(emulator.referenceOf(1), '500001');
    assert.equal((await get('horses')).status, 404);
  });

  it('gives pages, and says whether there is a next one', async () => {
    await restart({ pageSize: 2 });
    const first = await read('properties?includeAllRooms=true');
    assert.deepEqual(first.pages, { nextPageExists: true });
    assert.equal(first.count, 2);
    const second = await read('properties?includeAllRooms=true&page=2');
    assert.deepEqual(
      second.data.map(({ id }: { id: number }) => id),
      [200003],
    );
    assert.deepEqual(second.pages, { nextPageExists: false });
  });

  describe('calendars', () => {
    beforeEach(() =>
      restart({
        homes: [
          aHome({
            nightlyPrice: (day) => (day < '2027-05-04' ? 120_00 : 99_50),
            closedToArrival: (day) => day === '2027-05-05',
            closedToDeparture: (day) => day >= '2027-05-05',
          }),
        ],
      }),
    );

    it('are spans of days that are alike in what was asked for', async () => {
      emulator.book(1, '2027-05-02', '2027-05-03');
      const includes = ['NumAvail', 'MinStay', 'MaxStay', 'Override', 'Prices'].map(
        (name) => `include${name}=true`,
      );
      const days = 'startDate=2027-05-01&endDate=2027-05-06';
      const { type, data } = await read(
        `inventory/rooms/calendar?${days}&roomId=500001&${includes.join('&')}`,
      );
      const span = (from: string, to: string, numAvail: number, override: string, price1: number) => ({
        from,
        to,
        numAvail,
        minStay: 2,
        maxStay: 28,
        override,
        price1,
      });
      assert.equal(type, 'calendar');
      assert.deepEqual(data, [
        {
          propertyId: 200001,
          roomId: 500001,
          calendar: [
            span('2027-05-01', '2027-05-01', 1, 'none', 120),
            span('2027-05-02', '2027-05-02', 0, 'none', 120),
            span('2027-05-03', '2027-05-03', 1, 'none', 120),
            span('2027-05-04', '2027-05-04', 1, 'none', 99.5),
            span('2027-05-05', '2027-05-05', 1, 'noCheckInOrCheckOut', 99.5),
            span('2027-05-06', '2027-05-06', 1, 'noCheckOut', 99.5),
          ],
        },
      ]);
      const avail = await read(`inventory/rooms/calendar?${days}&includeMinStay=true`);
      assert.deepEqual(avail.data[0].calendar, [{ from: '2027-05-01', to: '2027-05-06', minStay: 2 }]);
    });

    it('are empty when nothing is asked for, and need their days', async () => {
      const { data } = await read('inventory/rooms/calendar?startDate=2027-05-01&endDate=2027-05-06');
      assert.deepEqual(data, [{ propertyId: 200001, roomId: 500001, calendar: [] }]);
      assert.equal((await get('inventory/rooms/calendar?startDate=2027-05-01')).status, 400);
    });

    it('say on which days somebody can check in', async () => {
      emulator.book(1, '2027-05-03', '2027-05-04');
      const { data } = await read(
        'inventory/rooms/availability?propertyId=200001&startDate=2027-05-02&endDate=2027-05-05',
      );
      assert.deepEqual(data, [
        {
          roomId: 500001,
          propertyId: 200001,
          name: 'Harbour House 1',
          availability: { '2027-05-02': true, '2027-05-03': false, '2027-05-04': true, '2027-05-05': false },
        },
      ]);
    });
  });

  describe('offers', () => {
    const stay = 'arrival=2027-05-01&departure=2027-05-03';

    it('price many rooms in one call, to the cent', async () => {
      const { type, count, data } = await read(
        `inventory/rooms/offers?propertyId=200001&propertyId=200003&${stay}&numAdults=2`,
      );
      assert.deepEqual([type, count], ['offer', 2]);
      assert.deepEqual(data[1], {
        roomId: 500003,
        propertyId: 200003,
        offers: [{ offerId: 1, offerName: 'Standard', price: 324.99, unitsAvailable: 1 }],
      });
      assert.deepEqual(emulator.priceOf(3, '2027-05-01', '2027-05-03', 2), {
        total: 324_99,
        currency: 'EUR',
      });
      const bracketed = await read(`inventory/rooms/offers?roomId[]=500003&${stay}&numAdults=2`);
      assert.deepEqual(bracketed.data, [data[1]]);
    });

    it('are missing for what cannot be booked, without a reason', async () => {
      emulator.book(1, '2027-05-02', '2027-05-03');
      const offersFor = async (query: string) =>
        (await read(`inventory/rooms/offers?${query}`)).data.map(
          ({ offers }: { offers: unknown[] }) => offers.length,
        );
      assert.deepEqual(await offersFor(`${stay}&numAdults=2`), [0, 1, 1]);
      assert.deepEqual(await offersFor(`${stay}&numAdults=3&numChildren=2`), [0, 1, 0]);
      assert.deepEqual(await offersFor('arrival=2027-06-01&departure=2027-06-02&numAdults=2'), [0, 0, 0]);
    });

    it('may be two, of which one can be asked for', async () => {
      await restart({ offers: 'two' });
      const pricesFor = async (query: string) =>
        (await read(`inventory/rooms/offers?roomId=500001&${stay}&numAdults=2${query}`)).data[0].offers.map(
          ({ offerId, price }: { offerId: number; price: number }) => [offerId, price],
        );
      const both = await pricesFor('');
      assert.deepEqual(
        both.map(([offerId]: [number]) => offerId),
        [1, 2],
      );
      assert.ok(both[1][1] < both[0][1]);
      assert.deepEqual(await pricesFor('&offerId=2'), [both[1]]);
    });

    it('may hold the room alone, with the rest as obligatory extras', async () => {
      await restart({ offerPrices: 'room_only' });
      const { data } = await read(`inventory/rooms/offers?roomId=500001&${stay}&numAdults=2`);
      assert.equal(data[0].offers[0].price, 240);
      const [property] = (await read('properties?id=200001&includeUpsellItems=true')).data;
      assert.deepEqual(property.upsellItems, [
        {
          index: 1,
          enable: true,
          type: 'obligatoryCleaning',
          amount: 60,
          per: 'booking',
          period: 'oneTime',
          vat: 0,
        },
        {
          index: 2,
          enable: true,
          type: 'obligatoryPercentTax',
          amount: 6,
          per: 'booking',
          period: 'oneTime',
          vat: 0,
        },
      ]);
    });

    it('need a stay and guests', async () => {
      for (const query of [
        'departure=2027-05-03&numAdults=2',
        stay,
        'arrival=2027-05-03&departure=2027-05-03&numAdults=2',
      ]) {
        assert.equal((await get(`inventory/rooms/offers?${query}`)).status, 400, query);
      }
      assert.deepEqual(await read(`inventory/rooms/offers?${stay}`), {
        success: false,
        type: 'error',
        code: 400,
        error: 'numAdults is not valid',
      });
    });
  });

  describe('credits', () => {
    const limitsOf = ({ headers }: Response) =>
      ['x-five-min-limit-remaining', 'x-five-min-limit-resets-in', 'x-request-cost'].map((name) =>
        headers.get(name),
      );

    it('are decimals of a hundred in five minutes, and tokens cost too', async () => {
      assert.deepEqual(limitsOf(await get('properties')), ['98', '300', '1']);
      assert.deepEqual(limitsOf(await get('properties?includeTexts=all&includeOffers=true')), [
        '96.8',
        '300',
        '1.2',
      ]);
    });

    it('that are used up come back when the five minutes are over', async () => {
      await clock.advance(60_000);
      for (let count = 0; count < 99; count += 1) assert.equal((await get('properties')).status, 200);
      const refused = await get('properties');
      assert.equal(refused.status, 429);
      assert.deepEqual(limitsOf(refused), ['0', '240', '0']);
      assert.deepEqual(await jsonOf(refused), {
        success: false,
        type: 'error',
        code: 429,
        error: 'Credit limit exceeded',
      });
      await clock.advance(240_000);
      assert.equal((await get('properties')).status, 200);
      assert.deepEqual(emulator.budget, { exceeded: 1, refused: 1, most: [101] });
    });

    it('are named as in the description of the API when told so', async () => {
      await restart({ limitHeaders: 'openapi' });
      const { headers } = await get('properties');
      assert.deepEqual(
        [
          'X-FiveMinCreditLimit',
          'X-FiveMinCreditLimit-Remaining',
          'X-FiveMinCreditLimit-ResetsIn',
          'X-RequestCost',
        ].map((name) => headers.get(name)),
        ['100', '98', '300', '1'],
      );
    });
  });
});
