import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import { startBookingsync } from './bookingsync.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import { aHome } from './homes.ts';
import { jsonOf } from './json-of.ts';

const START = Date.parse('2027-03-10T12:00:00Z');

describe('the emulator of BookingSync', () => {
  let clock = createFakeClock(START);
  let emulator: Emulator;
  let token = '';

  const start = (changes: Partial<EmulatorOptions> = {}) =>
    startBookingsync({
      homes: [
        aHome({ id: 1, amenities: ['wifi', 'pool', 'telescope'] }),
        aHome({
          id: 2,
          city: 'Porto',
          maxGuests: 6,
          bedrooms: 3,
          taxPercent: 0,
          cleaningFee: 0,
          rating: null,
        }),
        aHome({ id: 3, nightlyPrice: (day) => (day < '2027-05-02' ? 99_99 : 150_00) }),
      ],
      now: clock.now,
      ...changes,
    });

  async function requestToken(form: Record<string, string>) {
    const response = await fetch(new URL('/oauth/token', emulator.url), {
      method: 'POST',
      body: new URLSearchParams({ ...emulator.credentials, ...form }),
    });
    return { status: response.status, body: await jsonOf(response) };
  }

  const get = (path: string, bearer = token) =>
    fetch(`${emulator.url}/${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const read = async (path: string) => jsonOf(await get(path));
  const idsOf = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id);

  beforeEach(async () => {
    clock = createFakeClock(START);
    emulator = await start();
    token = (await requestToken({ grant_type: 'client_credentials' })).body.access_token;
  });
  afterEach(() => emulator.close());

  describe('tokens', () => {
    it('of the application carry the public scope for two hours', async () => {
      assert.deepEqual(await requestToken({ grant_type: 'client_credentials' }), {
        status: 200,
        body: {
          access_token: 'bookingsync-public-2',
          token_type: 'bearer',
          expires_in: 7200,
          scope: 'public',
          created_at: START / 1000,
        },
      });
      assert.equal((await get('rentals')).status, 200);
      await clock.advance(7_200_000);
      assert.equal((await get('rentals')).status, 401);
    });

    it('of an account are refreshed with a new refresh token each time', async () => {
      const first = await requestToken({ grant_type: 'refresh_token' });
      assert.deepEqual(first, {
        status: 200,
        body: {
          access_token: 'bookingsync-account-1',
          token_type: 'bearer',
          expires_in: 7200,
          refresh_token: 'emulated-bookingsync-refresh-1',
          scope: 'public rates_read',
        },
      });
      assert.equal(
        (await requestToken({ grant_type: 'refresh_token' })).status,
        401,
        'the old one is used up',
      );
      const next = await requestToken({
        grant_type: 'refresh_token',
        refresh_token: first.body.refresh_token,
      });
      assert.equal(next.body.access_token, 'bookingsync-account-2');
    });

    it('are refused to a wrong secret, and the API to a wrong token', async () => {
      assert.deepEqual(await requestToken({ grant_type: 'client_credentials', client_secret: 'guess' }), {
        status: 401,
        body: { error: 'invalid_client' },
      });
      const refused = await get('rentals', 'guess');
      assert.equal(refused.status, 401);
      assert.equal(refused.headers.get('content-type'), 'application/vnd.api+json; charset=utf-8');
      assert.deepEqual(await jsonOf(refused), { errors: [{ code: 'unauthorized' }] });
    });

    it('that were expired are refused like those that are too old', async () => {
      emulator.expireTokens();
      assert.equal((await get('rentals')).status, 401);
      token = (await requestToken({ grant_type: 'client_credentials' })).body.access_token;
      assert.equal((await get('rentals')).status, 200);
    });
  });

  it('describes a rental with its decimals in text and its texts by language', async () => {
    const { rentals, links, meta } = await read('rentals/40001');
    const [rental] = rentals;
    assert.equal(rentals.length, 1);
    assert.equal(emulator.referenceOf(1), '40001');
    assert.deepEqual(rental.links.photos, [4000100, 4000101]);
    assert.deepEqual(
      {
        ...Object.fromEntries(
          ['id', 'name', 'description', 'city', 'country_code', 'lat', 'lng', 'currency'].map((name) => [
            name,
            rental[name],
          ]),
        ),
        ...Object.fromEntries(
          ['sleeps_max', 'bedrooms_count', 'bathrooms_count', 'checkin_time', 'checkout_time'].map((name) => [
            name,
            rental[name],
          ]),
        ),
        ...Object.fromEntries(
          ['reviews_average_rating', 'reviews_count', 'base_rate', 'absolute_min_stay', 'updated_at'].map(
            (name) => [name, rental[name]],
          ),
        ),
      },
      {
        id: 40001,
        name: 'Harbour House 1',
        description: { en: 'A quiet house above the harbour, five minutes from the ferry.' },
        city: 'Lisbon',
        country_code: 'PT',
        lat: 38.7167,
        lng: -9.1333,
        currency: 'EUR',
        sleeps_max: 4,
        bedrooms_count: 2,
        bathrooms_count: 1,
        checkin_time: 16,
        checkout_time: 10,
        reviews_average_rating: '4.6',
        reviews_count: 38,
        base_rate: '120.0',
        absolute_min_stay: 2,
        updated_at: '2027-03-10T12:00:00Z',
      },
    );
    assert.equal(rental.website_url.en, `http://${emulator.websiteHost}/homes/40001`);
    assert.equal(links['rentals.photos'], `${emulator.url}/photos/{rentals.photos}`);
    assert.equal(links['rentals.availability'], `${emulator.url}/availabilities/{rentals.availability}`);
    assert.equal(meta['X-Total-Count'], '1');
    const [unrated] = (await read('rentals/40002')).rentals;
    assert.deepEqual([unrated.reviews_average_rating, unrated.reviews_count], [null, 0]);
    assert.equal((await get('rentals/7')).status, 404);
    assert.equal((await get('horses')).status, 404);
  });

  it('keeps pictures, amenities and policies apart, each with the number of its rental', async () => {
    const photo = (await read('photos/4000100')).photos[0];
    assert.deepEqual(photo.links, { account: 7, rental: 40001 });
    assert.deepEqual(photo.description, { en: 'The house from the street' });
    assert.equal(photo.large_url, `http://${emulator.websiteHost}/pictures/1/front.png`);

    const { amenities } = await read('amenities');
    assert.deepEqual(amenities[0], { id: 1, key: 'internet', title: { en: 'Internet' } });
    assert.deepEqual(amenities[7], { id: 8, key: 'telescope', title: { en: 'Telescope' } });
    const { rentals_amenities } = await read('rentals_amenities');
    assert.deepEqual(
      rentals_amenities.slice(0, 3).map(({ links }: { links: object }) => links),
      [
        { amenity: 1, rental: 40001 },
        { amenity: 2, rental: 40001 },
        { amenity: 8, rental: 40001 },
      ],
    );

    const { rental_cancelation_policies: policies } = await read('rental_cancelation_policies');
    assert.equal(
      policies[0].body,
      'Free cancellation until 14 days before arrival, then half of the total is kept.',
    );
    const { rental_cancelation_policy_items: items } = await read('rental_cancelation_policy_items/4000100');
    assert.deepEqual([items[0].eligible_days, items[0].penalty_percentage], [14, '50.0']);
    const { destinations } = await read('destinations');
    assert.deepEqual(
      destinations.map(({ name }: { name: object }) => name),
      [{ en: 'Lisbon' }, { en: 'Porto' }],
    );
  });

  it('gives pages with links in the header and in the body', async () => {
    await emulator.close();
    emulator = await start({ pageSize: 2 });
    token = (await requestToken({ grant_type: 'client_credentials' })).body.access_token;
    const first = await get('rentals?per_page=50');
    const url = (page: number) => `${emulator.url}/rentals?per_page=50&page=${page}`;
    assert.equal(
      first.headers.get('link'),
      `<${url(1)}>; rel="first", <${url(2)}>; rel="next", <${url(2)}>; rel="last"`,
    );
    assert.equal(first.headers.get('x-total-pages'), '2');
    const { rentals, meta } = await jsonOf(first);
    assert.deepEqual(idsOf(rentals), [40001, 40002]);
    assert.deepEqual(meta, {
      Link: { first: url(1), next: url(2), last: url(2) },
      'X-Total-Pages': '2',
      'X-Total-Count': '3',
      'X-Per-Page': '2',
    });
    const second = await read('rentals?page=2&per_page=2');
    assert.deepEqual(idsOf(second.rentals), [40003]);
    assert.equal(second.meta.Link.next, undefined);
    assert.deepEqual((await read('rentals?page=3')).rentals, []);
  });

  it('trims records to the fields asked for, and includes associations', async () => {
    const { rentals } = await read('rentals/40001?fields=id,name,availability&include=availability');
    assert.deepEqual(Object.keys(rentals[0]).sort(), ['availability', 'id', 'links', 'name']);
    assert.equal(rentals[0].availability.map.length, 1096);
  });

  it('draws a map of the nights that are taken, from the first of the month or from a day', async () => {
    emulator.book(1, '2027-03-12', '2027-03-14');
    const [availability] = (await read('availabilities/40001')).availabilities;
    assert.equal(availability.start_date, '2027-03-01');
    assert.equal(availability.map, `${'0'.repeat(11)}11${'0'.repeat(1083)}`);
    const [later] = (await read('availabilities/40001?from=20270313&boolean=true')).availabilities;
    assert.deepEqual([later.start_date, later.map.slice(0, 3)], ['2027-03-13', '100']);
  });

  it('draws a map of arrivals and departures, and one of rates for those who may see it', async () => {
    await emulator.close();
    const home = aHome({
      closedToArrival: (day) => day === '2027-03-05',
      closedToDeparture: (day) => day === '2027-03-06',
    });
    emulator = await start({ homes: [home] });
    token = (await requestToken({ grant_type: 'client_credentials' })).body.access_token;
    emulator.book(1, '2027-03-02', '2027-03-04');
    const [changes] = (await read('change_overs')).change_overs;
    // The 2nd: out only. The 3rd: nothing. The 4th: in only.
    assert.equal(changes.map.slice(0, 7), 'COXIOIC');

    assert.equal((await get('nightly_rate_maps')).status, 403);
    token = (await requestToken({ grant_type: 'refresh_token' })).body.access_token;
    const [rates] = (await read('nightly_rate_maps')).nightly_rate_maps;
    assert.equal(rates.start_date, '2027-03-09');
    assert.equal(rates.rates_map, Array(1096).fill(120).join(','));
    assert.equal(rates.minimum_stays_map, Array(1096).fill(2).join(','));
  });

  it('lists rates by span of days', async () => {
    const { rates } = await read('rates?rental_id=40003');
    assert.deepEqual(
      rates.map(({ start_date, end_date, final_nightly_rate, minimum_stay }: Record<string, unknown>) => [
        start_date,
        end_date,
        final_nightly_rate,
        minimum_stay,
      ]),
      [
        ['2027-03-10', '2027-05-01', '99.99', 2],
        ['2027-05-02', '2028-03-09', '150.0', 2],
      ],
    );
  });

  it('says what has changed since a time', async () => {
    await clock.advance(60_000);
    emulator.book(2, '2027-04-01', '2027-04-02');
    const { availabilities, meta } = await read('availabilities?updated_since=2027-03-10T12:00:30Z');
    assert.deepEqual(idsOf(availabilities), [40002]);
    assert.deepEqual(meta.deleted_ids, []);
  });

  describe('the live quote', () => {
    const stay = 'start_at=2027-05-01&end_at=2027-05-03';

    it('prices many rentals in one call, to the cent', async () => {
      const { rentals } = await read(`rentals/search?${stay}&adults=2&rental_id=40001,40003`);
      assert.deepEqual(idsOf(rentals), [40001, 40003]);
      assert.deepEqual(rentals[1], {
        links: { rentals_fees: `${emulator.url}/rentals_fees/{rentals.rentals_fees}` },
        id: 40003,
        currency: 'EUR',
        damage_deposit: 200,
        initial_price: 249.99,
        final_price: 324.99,
        price_to_pay_now: 97.5,
        taxes: [{ name: { en: 'VAT' }, percentage: '6.0', amount: '15.0' }],
        price_details: {
          taxes: [
            {
              name: { en: 'VAT' },
              percentage: '6.0',
              amount: '15.0',
              taxable_type: 'Rental',
              taxable_id: 40003,
              tax_id: 1,
              included: false,
            },
          ],
          fees: [
            {
              name: { en: 'Cleaning' },
              required: true,
              price: '60.0',
              quantity: 1,
              id: 3,
              rentals_fee_id: 40003,
            },
          ],
        },
      });
      assert.deepEqual(emulator.priceOf(3, '2027-05-01', '2027-05-03', 2), {
        total: 324_99,
        currency: 'EUR',
      });
    });

    it('leaves out what cannot be booked, without a reason', async () => {
      emulator.book(1, '2027-05-02', '2027-05-03');
      assert.deepEqual(idsOf((await read(`rentals/search?${stay}&adults=2`)).rentals), [40002, 40003]);
      const oneNight = 'start_at=20270501&end_at=20270502';
      assert.deepEqual((await read(`rentals/search?${oneNight}&adults=2`)).rentals, []);
    });

    it('refuses a large party by its guests, not by its adults', async () => {
      const adults = await read(`rentals/search?${stay}&adults=5`);
      assert.deepEqual(idsOf(adults.rentals), [40001, 40002, 40003]);
      const guests = await read(`rentals/search?${stay}&adults=5&guests=5`);
      assert.deepEqual(idsOf(guests.rentals), [40002]);
    });

    it('shows the unavailable without a price when asked, and reads times as days', async () => {
      emulator.book(1, '2027-05-02', '2027-05-03');
      const times = 'start_at=2027-05-01T16:00:00Z&end_at=2027-05-03T10:00:00Z';
      const { rentals } = await read(`rentals/search?${times}&include_not_available=true&city=Lisbon`);
      assert.deepEqual(
        rentals.map(({ id, final_price }: Record<string, unknown>) => [id, final_price]),
        [
          [40001, null],
          [40003, 324.99],
        ],
      );
    });
  });

  it('says how much of the hour is left, and refuses beyond it', async () => {
    await emulator.close();
    emulator = await start({ limits: [{ requests: 2, perMs: 3_600_000 }] });
    token = (await requestToken({ grant_type: 'client_credentials' })).body.access_token;
    const limitsOf = ({ headers }: Response) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
    assert.deepEqual(limitsOf(await get('rentals')), ['2', '1', String(START / 1000 + 3600)]);
    await clock.advance(10_000);
    assert.deepEqual(limitsOf(await get('rentals')), ['2', '0', String(START / 1000 + 3610)]);
    const refused = await get('rentals');
    assert.equal(refused.status, 429);
    assert.deepEqual(limitsOf(refused), ['2', '0', String(START / 1000 + 3600)]);
    assert.deepEqual(await jsonOf(refused), { errors: [{ code: 'API v3 rate limit exceeded.' }] });
    assert.deepEqual(
      emulator.requests.map(({ kind, status }) => [kind, status]),
      [
        ['token', 200],
        ['catalogue', 200],
        ['catalogue', 200],
        ['catalogue', 429],
      ],
    );
  });
});
