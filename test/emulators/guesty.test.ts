import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import type { Emulator } from './emulator.ts';
import { type GuestyOptions, startGuesty } from './guesty.ts';
import { aHome } from './homes.ts';
import { jsonOf } from './json-of.ts';

const START = Date.parse('2027-03-10T12:00:00Z');
const HARBOUR = '64b0c0de0000000000000001';

describe('the emulator of Guesty', () => {
  let clock = createFakeClock(START);
  let emulator: Emulator;
  let token = '';

  async function start(changes: Partial<GuestyOptions> = {}) {
    emulator = await startGuesty({
      homes: [
        aHome({ id: 1, amenities: ['wifi', 'pets_allowed', 'roof_terrace'] }),
        aHome({ id: 2, city: 'Porto', maxGuests: 6, rating: null }),
        aHome({ id: 3, nightlyPrice: (day) => (day < '2027-05-02' ? 99_99 : 150_00), taxPercent: 0 }),
      ],
      now: clock.now,
      ...changes,
    });
    token = (await requestToken()).body.access_token;
  }

  async function requestToken(form: Record<string, string> = {}) {
    const response = await fetch(new URL('/oauth2/token', emulator.url), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'booking_engine:api',
        ...emulator.credentials,
        ...form,
      }),
    });
    return { status: response.status, headers: response.headers, body: await jsonOf(response) };
  }

  const get = (path: string, bearer = token) =>
    fetch(`${emulator.url}/api/${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const read = async (path: string) => jsonOf(await get(path));
  const stay = {
    listingId: HARBOUR,
    checkInDateLocalized: '2027-05-01',
    checkOutDateLocalized: '2027-05-04',
    guestsCount: 2,
  };

  async function quote(changes: object = {}) {
    const response = await fetch(`${emulator.url}/api/reservations/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...stay, ...changes }),
    });
    return { status: response.status, body: await jsonOf(response) };
  }

  async function restart(changes: Partial<GuestyOptions>) {
    await emulator.close();
    await start(changes);
  }

  beforeEach(async () => {
    clock = createFakeClock(START);
    await start();
  });
  afterEach(() => emulator.close());

  describe('tokens', () => {
    it('are given for a day, to the right client and scope', async () => {
      assert.deepEqual((await requestToken()).body, {
        token_type: 'Bearer',
        expires_in: 86400,
        access_token: 'guesty-2',
        scope: 'booking_engine:api',
      });
      assert.equal((await requestToken({ client_secret: 'guess' })).status, 401);
      assert.equal((await requestToken({ scope: 'open-api' })).status, 400);
      await clock.advance(86_400_000);
      const expired = await get('listings');
      assert.equal(expired.status, 401);
      assert.deepEqual(await jsonOf(expired), {
        error: {
          code: 'UNAUTHORIZED',
          message: 'The access token is not valid.',
          data: { requestId: '7a63a0ef7470520b', moreDetails: {} },
        },
      });
    });

    it('are renewed three times in a day, and then no more', async () => {
      await clock.advance(3_600_000);
      for (const number of [2, 3, 4])
        assert.equal((await requestToken()).body.access_token, `guesty-${number}`);
      const refused = await requestToken();
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('retry-after'), String(23 * 3600));
      await clock.advance(23 * 3_600_000);
      assert.equal((await requestToken()).status, 200);
      assert.equal(emulator.tokensIssued(), 5);
    });

    it('that were expired are refused', async () => {
      emulator.expireTokens();
      assert.equal((await get('listings')).status, 401);
      assert.equal((await get('listings', (await requestToken()).body.access_token)).status, 200);
    });
  });

  it('lists listings in pages, with a cursor to the next', async () => {
    await restart({ pageSize: 2 });
    const first = await read('listings?limit=100');
    assert.deepEqual(
      first.results.map(({ title }: { title: string }) => title),
      ['Harbour House 1', 'Harbour House 2'],
    );
    assert.equal(first.pagination.total, 3);
    const second = await read(`listings?limit=100&cursor=${first.pagination.cursor.next}`);
    assert.deepEqual(
      second.results.map(({ title }: { title: string }) => title),
      ['Harbour House 3'],
    );
    assert.deepEqual(second.pagination, { total: 3, cursor: { next: null } });
    assert.equal((await get('listings?cursor=nowhere')).status, 400);
    assert.equal((await get('listings?limit=101')).status, 400);
  });

  it('describes a listing, with its terms when it is read alone', async () => {
    const urlOf = (name: string) => `http://${emulator.websiteHost}/pictures/1/${name}.png`;
    const picture = (name: string, caption: string) => {
      const url = urlOf(name);
      return { large: url, regular: url, thumbnail: url, caption };
    };
    const listing = {
      _id: HARBOUR,
      type: 'SINGLE',
      title: 'Harbour House 1',
      propertyType: 'House',
      roomType: 'Entire home/apt',
      accommodates: 4,
      bedrooms: 2,
      bathrooms: 1,
      beds: 2,
      address: { full: 'Lisbon, Portugal', city: 'Lisbon', country: 'Portugal', lat: 38.7167, lng: -9.1333 },
      timezone: 'Europe/Lisbon',
      amenities: ['Wireless Internet', 'Pets allowed', 'Roof terrace'],
      picture: picture('front', 'The house from the street'),
      pictures: [
        { original: urlOf('front'), ...picture('front', 'The house from the street') },
        { original: urlOf('living-room'), ...picture('living-room', 'The living room') },
      ],
      prices: { basePrice: 120, currency: 'EUR', cleaningFee: 60 },
      publicDescription: { summary: 'A quiet house above the harbour, five minutes from the ferry.' },
      reviews: { avg: 9.2, total: 38 },
      tags: [],
    };
    assert.deepEqual((await read('listings')).results[0], listing);
    assert.deepEqual(await read(`listings/${HARBOUR}`), {
      ...listing,
      terms: { minNights: 2, maxNights: 28 },
      defaultCheckInTime: '16:00',
      defaultCheckOutTime: '10:00',
    });
    assert.deepEqual((await read('listings?city=Porto')).results[0].reviews, { avg: null, total: 0 });
    assert.deepEqual((await read('listings?fields=title%20type')).results[0], {
      _id: HARBOUR,
      type: 'SINGLE',
      title: 'Harbour House 1',
    });
    assert.equal((await get('listings/64b0c0de00000000000000ff')).status, 404);
    await clock.advance(1000);
    assert.deepEqual(await read('listings/cities'), {
      results: [
        { country: 'Portugal', state: '', city: 'Lisbon' },
        { country: 'Portugal', state: '', city: 'Porto' },
      ],
    });
  });

  it('lists what is free for a stay, with its nights', async () => {
    emulator.book(1, '2027-05-02', '2027-05-03');
    const { results } = await read('listings?checkIn=2027-05-01&checkOut=2027-05-03&minOccupancy=4');
    assert.deepEqual(
      results.map(({ title }: { title: string }) => title),
      ['Harbour House 2', 'Harbour House 3'],
    );
    assert.deepEqual(results[1].nightlyRates, { '2027-05-01': 99.99, '2027-05-02': 150 });
    assert.deepEqual(results[1].allotment, { '2027-05-01': 1, '2027-05-02': 1 });
  });

  it('gives a calendar as a bare list of days, the last included', async () => {
    await restart({
      homes: [
        aHome({
          minimumStay: (day) => (day === '2027-03-12' ? 5 : 2),
          closedToArrival: (day) => day === '2027-03-10',
          closedToDeparture: (day) => day === '2027-03-11',
        }),
      ],
    });
    emulator.book(1, '2027-03-11', '2027-03-12');
    const day = (date: string, status: string, changes: object = {}) => ({
      date,
      minNights: 2,
      isBaseMinNights: true,
      status,
      cta: false,
      ctd: false,
      ...changes,
    });
    assert.deepEqual(await read(`listings/${HARBOUR}/calendar?from=2027-03-09&to=2027-03-12`), [
      day('2027-03-09', 'unavailable'),
      day('2027-03-10', 'available', { cta: true }),
      day('2027-03-11', 'booked', { ctd: true }),
      day('2027-03-12', 'available', { minNights: 5, isBaseMinNights: false }),
    ]);
    assert.equal((await get(`listings/${HARBOUR}/calendar?from=2027-03-09`)).status, 400);
  });

  describe('a quote', () => {
    const money = {
      currency: 'EUR',
      fareAccommodation: 360,
      fareAccommodationAdjusted: 360,
      fareCleaning: 60,
      totalFees: 60,
      subTotalPrice: 420,
      totalTaxes: 21.6,
      hostPayout: 430.8,
      invoiceItems: [
        {
          title: 'Accommodation fare',
          amount: 360,
          currency: 'EUR',
          type: 'ACCOMMODATION_FARE',
          normalType: 'AF',
        },
        { title: 'Cleaning fee', amount: 60, currency: 'EUR', type: 'CLEANING_FEE', normalType: 'CF' },
        { title: 'Tourism tax', amount: 21.6, currency: 'EUR', type: 'TAX', normalType: 'TOT', isTax: true },
      ],
    };
    const ratePlan = {
      _id: 'default-rateplan-id',
      name: 'Standard',
      type: 'nightly',
      mealPlans: [],
      cancellationPolicy: ['Free cancellation until 14 days before arrival, then half of the total is kept.'],
      money,
    };
    const days = ['2027-05-01', '2027-05-02', '2027-05-03'].map((date) => ({
      date,
      price: 120,
      currency: 'EUR',
      basePrice: 120,
    }));

    it('holds for a day, with the money inside the rate plan as it is live', async () => {
      const { status, body } = await quote();
      assert.equal(status, 200);
      assert.deepEqual(body, {
        _id: '65c0ffee0000000000000001',
        status: 'valid',
        createdAt: '2027-03-10T12:00:00.000Z',
        expiresAt: '2027-03-11T12:00:00.000Z',
        promotions: {},
        coupons: [],
        unitTypeId: HARBOUR,
        checkInDateLocalized: '2027-05-01',
        checkOutDateLocalized: '2027-05-04',
        guestsCount: 2,
        rates: { ratePlans: [{ ratePlan, days }] },
      });
      assert.deepEqual(emulator.priceOf(1, '2027-05-01', '2027-05-04', 2), {
        total: 441_60,
        currency: 'EUR',
      });
      assert.deepEqual(await read(`reservations/quotes/${body._id}`), body);
      await clock.advance(86_400_000);
      token = (await requestToken()).body.access_token;
      assert.equal((await read(`reservations/quotes/${body._id}`)).status, 'expired');
      assert.equal((await get('reservations/quotes/unknown')).status, 404);
    });

    it('has the money beside the days as it is documented', async () => {
      await restart({ answers: 'documented' });
      assert.deepEqual((await quote()).body.rates, { ratePlans: [{ ...ratePlan, days }] });
    });

    it('may have several rate plans, the dearer first', async () => {
      await restart({ ratePlans: 'two' });
      const plans = (await quote()).body.rates.ratePlans;
      const totals = plans.map(
        ({ ratePlan: { money } }: { ratePlan: { money: { invoiceItems: { amount: number }[] } } }) =>
          money.invoiceItems.reduce((sum, { amount }) => sum + amount, 0),
      );
      assert.deepEqual(totals, [477.6, 441.6]);
    });

    it('may state another policy for the standard plan, or none', async () => {
      for (const standardPolicy of [['non_refundable'], null]) {
        await restart({ ratePlans: 'two', standardPolicy });
        const plans = (await quote()).body.rates.ratePlans;
        assert.deepEqual(
          plans.map(
            ({ ratePlan: { cancellationPolicy } }: { ratePlan: { cancellationPolicy: unknown } }) =>
              cancellationPolicy,
          ),
          [ratePlan.cancellationPolicy, standardPolicy],
        );
      }
    });

    it('is to the cent, and has no item for what costs nothing', async () => {
      const { body } = await quote({ listingId: emulator.referenceOf(3) });
      const { invoiceItems } = body.rates.ratePlans[0].ratePlan.money;
      assert.deepEqual(
        invoiceItems.map(({ amount }: { amount: number }) => amount),
        [399.99, 60],
      );
    });

    it('is refused as it is live: one code for a stay that cannot be, with what does not apply', async () => {
      emulator.book(1, '2027-05-03', '2027-05-04');
      const refusal = (reason: string) => ({
        status: 400,
        body: {
          error: {
            code: 'LISTING_IS_NOT_AVAILABLE',
            message: 'The listing is not available for the stay',
            data: {
              requestId: '7a63a0ef7470520b',
              moreDetails: {
                notApplicableRatePlans: [
                  { ratePlanId: 'default-rateplan-id', notApplicable: { [reason]: true } },
                ],
              },
            },
          },
        },
      });
      assert.deepEqual(await quote(), refusal('closed'));
      assert.deepEqual(await quote({ checkOutDateLocalized: '2027-05-02' }), refusal('minNights'));
      assert.deepEqual(
        await quote({ checkInDateLocalized: '2027-06-01', checkOutDateLocalized: '2027-07-01' }),
        refusal('maxNights'),
      );
      const crowd = await quote({ checkOutDateLocalized: '2027-05-03', guestsCount: 5 });
      assert.deepEqual([crowd.status, crowd.body.error.code], [400, 'VALIDATION_ERROR']);
      const stranger = await quote({ listingId: '64b0c0de00000000000000ff' });
      assert.deepEqual([stranger.status, stranger.body.error.code], [403, 'FORBIDDEN']);
    });

    it('is refused as it is documented: a code for each reason', async () => {
      await restart({ answers: 'documented', limits: 'off' });
      emulator.book(1, '2027-05-03', '2027-05-04');
      const refusal = (error: string) => ({
        status: 400,
        body: {
          error_code: 'CREATE_RESERVATION_ERROR',
          message: 'Failed to create reservation',
          data: { errors: [error], requestId: '7a63a0ef7470520b' },
        },
      });
      assert.deepEqual(await quote(), refusal('LISTING_CALENDAR_BLOCKED'));
      assert.deepEqual(await quote({ checkOutDateLocalized: '2027-05-02' }), refusal('MIN_NIGHT_MISMATCH'));
      const crowd = await quote({ checkOutDateLocalized: '2027-05-03', guestsCount: 5 });
      assert.deepEqual([crowd.status, crowd.body.error_code], [400, 'WRONG_REQUEST_PARAMETERS']);
    });

    it('needs all that is required, and a stay that ends after it begins', async () => {
      assert.deepEqual((await quote({ listingId: undefined })).body.error.data.errors, [
        '"listingId" is required',
      ]);
      assert.deepEqual((await quote({ guestsCount: '2' })).body.error.data.errors, [
        '"guestsCount" is required',
      ]);
      assert.equal(
        (await quote({ checkOutDateLocalized: '2027-05-01' })).body.error.code,
        'WRONG_REQUEST_PARAMETERS',
      );
    });
  });

  it('says how much of each interval is left, and when to come back', async () => {
    const first = await get('listings');
    assert.deepEqual(
      [
        'limit-second',
        'remaining-second',
        'limit-minute',
        'remaining-minute',
        'limit-hour',
        'remaining-hour',
      ].map((name) => first.headers.get(`x-ratelimit-${name}`)),
      ['5', '4', '275', '274', '16500', '16499'],
    );
    for (let count = 0; count < 4; count += 1) await get('listings');
    const refused = await get('listings');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.deepEqual(await jsonOf(refused), { message: 'API rate limit exceeded' });
    await clock.advance(1000);
    assert.equal((await get('listings')).status, 200);
    assert.deepEqual(emulator.budget, { exceeded: 1, refused: 1, most: [6, 7, 7] });
  });

  it('knows what each request is for', async () => {
    await get('listings');
    await get(`listings/${HARBOUR}/calendar?from=2027-05-01&to=2027-05-02`);
    await quote();
    assert.deepEqual(
      emulator.requests.map(({ kind }) => kind),
      ['token', 'catalogue', 'calendar', 'quote'],
    );
  });
});
