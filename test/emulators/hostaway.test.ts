import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { HOSTAWAY_LIMITS_SINCE_AUGUST_2026, type HostawayOptions, startHostaway } from './hostaway.ts';
import { jsonAt } from './json-at.ts';

const HOMES = [
  aHome({
    id: 1,
    amenities: ['wifi', 'telescope'],
    nightlyPrice: (day) => (day === '2027-03-03' ? 135_50 : 120_00),
    closedToArrival: (day) => day === '2027-03-04',
    closedToDeparture: (day) => day === '2027-03-05',
  }),
  aHome({ id: 2, maxGuests: 2, rating: null, freeCancellationDays: null }),
  aHome({ id: 3, deposit: 0, cleaningFee: 0, taxPercent: 0 }),
];
const GOOD_FORM =
  'grant_type=client_credentials&client_id=61148&client_secret=emulated-hostaway-key&scope=general';

describe('emulator of Hostaway', () => {
  let time = 0;
  const started: Emulator[] = [];
  beforeEach(() => {
    time = Date.parse('2027-01-01T12:00:00Z');
  });
  after(async () => {
    for (const emulator of started) await emulator.close();
  });

  async function start(options: Partial<HostawayOptions> = {}) {
    const emulator = await startHostaway({ homes: HOMES, now: () => time, limits: 'off', ...options });
    started.push(emulator);
    return emulator;
  }

  async function askForToken({ url }: Emulator, form = GOOD_FORM) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${url}/accessTokens`, { method: 'POST', headers, body: form });
    return { status: response.status, body: await response.json() };
  }

  async function tokenOf(emulator: Emulator): Promise<string> {
    const token = String(jsonAt((await askForToken(emulator)).body, 'access_token'));
    time += 1000;
    return token;
  }

  async function call(emulator: Emulator, token: string, path: string, body?: object) {
    const response = await fetch(`${emulator.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const stay = (startingDate: string, endingDate: string, numberOfGuests = 2) => ({
    startingDate,
    endingDate,
    numberOfGuests,
    version: 2,
  });

  it('gives a token for the account, and none for another', async () => {
    const hostaway = await start();
    assert.deepEqual(await askForToken(hostaway), {
      status: 200,
      body: { token_type: 'Bearer', expires_in: 15897600, access_token: 'emulated-hostaway-token-1' },
    });
    assert.deepEqual(await askForToken(hostaway, GOOD_FORM.replace('emulated', 'wrong')), {
      status: 401,
      body: { error: 'invalid_client', message: 'Client authentication failed' },
    });
    assert.equal((await askForToken(hostaway, GOOD_FORM.replace('general', 'all'))).status, 400);
    assert.equal(hostaway.tokensIssued(), 1);
  });

  it('lets a token in only a second after it was given', async () => {
    const hostaway = await start();
    const token = String(jsonAt((await askForToken(hostaway)).body, 'access_token'));
    time += 999;
    const early = await call(hostaway, token, '/listings');
    assert.deepEqual([early.status, early.body], [403, { status: 'fail', result: 'Access denied.' }]);
    time += 1;
    assert.equal((await call(hostaway, token, '/listings')).status, 200);
  });

  it('answers 403 to a token that is missing, expired, withdrawn or too old', async () => {
    const hostaway = await start();
    const statusWith = async (token: string) => (await call(hostaway, token, '/amenities')).status;
    assert.equal(await statusWith('unknown'), 403);
    const first = await tokenOf(hostaway);
    hostaway.expireTokens();
    assert.equal(await statusWith(first), 403);
    const second = await tokenOf(hostaway);
    assert.equal(await statusWith(second), 200);
    const response = await fetch(`${hostaway.url}/accessTokens?token=${second}`, { method: 'DELETE' });
    assert.deepEqual(await response.json(), { status: 'success', result: [] });
    assert.equal(await statusWith(second), 403);
    const third = await tokenOf(hostaway);
    time += 15_897_600_000;
    assert.equal(await statusWith(third), 403);
  });

  it('pages by offset and says how many there are', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    const { body } = await call(hostaway, token, '/listings?limit=2&offset=2');
    const { result, ...envelope } = body as { result: unknown };
    assert.deepEqual(envelope, { status: 'success', limit: 2, offset: 2, count: 3, page: 2, totalPages: 2 });
    assert.deepEqual(jsonAt(result, '*.id'), [40003]);
    const small = await start({ pageSize: 1 });
    const first = await call(small, await tokenOf(small), '/listings?limit=100');
    assert.deepEqual(jsonAt(first.body, 'result.*.id'), [40001]);
    assert.equal(jsonAt(first.body, 'totalPages'), 3);
  });

  it('describes a listing, with its resources only when asked', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    const bare = (await call(hostaway, token, '/listings/40001')).body;
    assert.deepEqual(
      ['listingImages', 'listingAmenities', 'bookingEngineUrls'].map((name) =>
        jsonAt(bare, `result.${name}`),
      ),
      [[], [], []],
    );
    assert.deepEqual(
      ['averageReviewRating', 'personCapacity', 'currencyCode', 'checkInTimeStart', 'checkOutTime'].map(
        (name) => jsonAt(bare, `result.${name}`),
      ),
      [9.2, 4, 'EUR', 16, 10],
    );
    const query = 'includeResources=1&attachObjects[]=bookingEngineUrls';
    const full = (await call(hostaway, token, `/listings?${query}`)).body;
    assert.deepEqual(jsonAt(full, 'result.0.listingImages.1'), {
      id: 101,
      caption: 'The living room',
      vrboCaption: 'The living room',
      airbnbCaption: 'The living room',
      url: `http://${hostaway.websiteHost}/pictures/1/living-room.png`,
      sortOrder: 2,
    });
    assert.deepEqual(jsonAt(full, 'result.0.bookingEngineUrls'), [
      `http://${hostaway.websiteHost}/homes/40001`,
    ]);
    const names = (await call(hostaway, token, '/amenities')).body;
    const ids = jsonAt(full, 'result.0.listingAmenities.*.amenityId') as number[];
    const nameOf = new Map(
      (jsonAt(names, 'result') as { id: number; name: string }[]).map((a) => [a.id, a.name]),
    );
    assert.deepEqual(
      ids.map((id) => nameOf.get(id)),
      ['Wireless Internet', 'telescope'],
    );
  });

  it('refunds by the policy of the listing', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    assert.deepEqual((await call(hostaway, token, '/cancellationPolicies/4001')).body, {
      status: 'success',
      result: {
        id: 4001,
        accountId: 61148,
        name: 'Free cancellation until 14 days before arrival, then half of the total is kept.',
        cancellationPolicyItem: [
          {
            id: '40011',
            cancellationPolicyId: '4001',
            refundAmount: '100',
            refundType: 'percentage',
            refundField: 'totalPrice',
            timeDelta: '-1209600',
            event: 'arrival',
          },
        ],
      },
    });
    const all = (await call(hostaway, token, '/cancellationPolicies')).body;
    assert.deepEqual(jsonAt(all, 'result.1.cancellationPolicyItem'), []);
    assert.equal((await call(hostaway, token, '/cancellationPolicies/9')).status, 404);
  });

  it('has a review for each that was counted', async () => {
    const hostaway = await start();
    const { body } = await call(hostaway, await tokenOf(hostaway), '/reviews?limit=2&offset=37');
    assert.equal(jsonAt(body, 'count'), 76);
    assert.deepEqual(jsonAt(body, 'result.*.listingMapId'), [40001, 40003]);
    assert.deepEqual(jsonAt(body, 'result.*.rating'), [9.2, 9.2]);
  });

  it('keeps a calendar of single days, guests only when asked for', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    hostaway.book(1, '2027-03-03', '2027-03-04');
    const path = '/listings/40001/calendar?startDate=2027-03-02&endDate=2027-03-05';
    const { body } = await call(hostaway, token, path);
    assert.deepEqual(jsonAt(body, 'result.1'), {
      id: 10001,
      date: '2027-03-03',
      isAvailable: 0,
      isProcessed: 1,
      status: 'reserved',
      price: 135.5,
      minimumStay: 2,
      maximumStay: 28,
      closedOnArrival: null,
      closedOnDeparture: null,
      note: null,
      countAvailableUnits: null,
      availableUnitsToSell: null,
      countPendingUnits: null,
      countBlockingReservations: null,
      countBlockedUnits: null,
      desiredUnitsToSell: null,
      reservations: [],
    });
    assert.deepEqual(jsonAt(body, 'result.*.isAvailable'), [1, 0, 1, 1]);
    assert.deepEqual(jsonAt(body, 'result.*.closedOnArrival'), [null, null, 1, null]);
    assert.deepEqual(jsonAt(body, 'result.*.closedOnDeparture'), [null, null, null, 1]);
    const withGuests = (await call(hostaway, token, `${path}&includeResources=1`)).body;
    assert.equal(jsonAt(withGuests, 'result.1.reservations.0.guestName'), 'Gustavo Guest-Private');
  });

  it('finds the listings that are free for a stay, and those that changed', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    hostaway.book(1, '2027-03-03', '2027-03-04');
    const idsOf = async (query: string) =>
      jsonAt((await call(hostaway, token, `/listings?${query}`)).body, 'result.*.id');
    const dates = 'availabilityDateStart=2027-03-02&availabilityDateEnd=2027-03-05';
    assert.deepEqual(await idsOf(dates), [40002, 40003]);
    assert.deepEqual(await idsOf(`${dates}&availabilityGuestNumber=3`), [40003]);
    assert.deepEqual(
      await idsOf('availabilityDateStart=2027-03-04&availabilityDateEnd=2027-03-06'),
      [40001, 40002, 40003],
    );
    assert.deepEqual(await idsOf('latestActivityStart=2027-01-01'), [40001]);
    assert.deepEqual(await idsOf('match=House 2'), [40002]);
  });

  it('prices a stay to the cent, with the deposit inside the total', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    const path = '/listings/40001/calendar/priceDetails';
    const { status, body } = await call(hostaway, token, path, stay('2027-03-02', '2027-03-05'));
    const component = (type: string, name: string, title: string, value: number, included = 1) => ({
      id: null,
      listingFeeSettingId: null,
      type,
      name,
      title,
      alias: null,
      quantity: null,
      value,
      total: value,
      isIncludedInTotalPrice: included,
      isOverriddenByUser: 0,
      isQuantitySelectable: 0,
      isMandatory: null,
      isDeleted: 0,
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: 'success',
      result: {
        totalPrice: 658.03,
        originalTotalPrice: 0,
        selectedComponentsAmount: 0,
        components: [
          component('price', 'baseRate', 'Base rate', 375.5),
          component('fee', 'cleaningFee', 'Cleaning fee', 60),
          component('tax', 'vat', 'VAT / GST', 22.53),
          component('fee', 'damageDeposit', 'Damage deposit', 200),
        ],
        extraComponents: [],
        selectedComponents: [],
      },
    });

    const apart = await start({ depositInTotal: false });
    const other = await call(apart, await tokenOf(apart), path, stay('2027-03-02', '2027-03-06'));
    assert.equal(jsonAt(other.body, 'result.totalPrice'), 585.23);
    assert.deepEqual(
      jsonAt(other.body, 'result.components.3'),
      component('fee', 'damageDeposit', 'Damage deposit', 200, 0),
    );
    assert.deepEqual(hostaway.priceOf(1, '2027-03-02', '2027-03-06', 2), { total: 585_23, currency: 'EUR' });
    const simple = (
      await call(hostaway, token, '/listings/40003/calendar/priceDetails', stay('2027-03-02', '2027-03-04'))
    ).body;
    assert.deepEqual(jsonAt(simple, 'result.components.*.name'), ['baseRate']);
  });

  it('prices nights that are taken unless it is told to look', async () => {
    const [blind, careful] = [await start(), await start({ priceDetails: 'checks_the_stay' })];
    const path = '/listings/40001/calendar/priceDetails';
    for (const hostaway of [blind, careful]) hostaway.book(1, '2027-03-03', '2027-03-04');
    const taken = stay('2027-03-02', '2027-03-06');
    assert.equal((await call(blind, await tokenOf(blind), path, taken)).status, 200);
    assert.deepEqual(blind.priceOf(1, '2027-03-02', '2027-03-06', 2), { refused: 'taken' });
    const token = await tokenOf(careful);
    const refusal = await call(careful, token, path, taken);
    assert.deepEqual(
      [refusal.status, refusal.body],
      [400, { status: 'fail', result: 'The stay is not possible: taken.' }],
    );
    const short = await call(careful, token, path, stay('2027-04-02', '2027-04-03'));
    assert.equal(jsonAt(short.body, 'result'), 'The stay is not possible: minimum_stay.');
  });

  it('fails with a text for what it cannot read or find', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    const path = '/listings/40001/calendar/priceDetails';
    assert.deepEqual((await call(hostaway, token, path, stay('2027-03-05', '2027-03-02'))).body, {
      status: 'fail',
      result: 'The dates are not valid.',
    });
    assert.equal(
      (await call(hostaway, token, path, { ...stay('2027-03-02', '2027-03-05'), version: 1 })).status,
      400,
    );
    const unknown = await call(hostaway, token, '/listings/40099');
    assert.deepEqual([unknown.status, unknown.body], [404, { status: 'fail', result: 'Listing not found.' }]);
  });

  it('allows 15 requests in ten seconds and then says when to come back', async () => {
    const hostaway = await start({ limits: 'documented' });
    const token = await tokenOf(hostaway);
    time += 10_000;
    for (let sent = 0; sent < 15; sent += 1) {
      assert.equal((await call(hostaway, token, '/amenities')).status, 200);
    }
    time += 4_000;
    const { status, headers, body } = await call(hostaway, token, '/amenities');
    assert.equal(status, 429);
    assert.deepEqual(body, {
      status: 'fail',
      message: 'The account or the address has made too many requests.',
    });
    assert.deepEqual(
      ['limit', 'remaining', 'applied', 'retry-after'].map((name) => headers.get(`x-ratelimit-${name}`)),
      ['15', '0', 'ip', String((time + 6_000) / 1000)],
    );
    assert.deepEqual(hostaway.budget, { exceeded: 1, refused: 1, most: [16, 16] });
    time += 6_000;
    assert.equal((await call(hostaway, token, '/amenities')).status, 200);
  });

  it('counts prices apart under the newer limits', async () => {
    const hostaway = await start({ limits: HOSTAWAY_LIMITS_SINCE_AUGUST_2026 });
    const token = await tokenOf(hostaway);
    await call(hostaway, token, '/amenities');
    await call(hostaway, token, '/listings/40001/calendar/priceDetails', stay('2027-03-02', '2027-03-05'));
    assert.deepEqual(hostaway.budget.most, [2, 1]);
  });

  it('lets every token expire in the middle of a run, once', async () => {
    const hostaway = await start();
    const token = await tokenOf(hostaway);
    hostaway.setFault('expired_token');
    assert.equal((await call(hostaway, token, '/listings')).status, 403);
    assert.equal((await call(hostaway, token, '/listings')).status, 403);
    assert.equal((await call(hostaway, await tokenOf(hostaway), '/listings')).status, 200);
    assert.deepEqual(
      hostaway.requests.map(({ kind }) => kind),
      ['token', 'catalogue', 'catalogue', 'token', 'catalogue'],
    );
  });
});
