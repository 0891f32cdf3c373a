import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import type { Emulator } from './emulator.ts';
import { type GuestyOptions, startGuesty } from './guesty.ts';
import { aHome } from './homes.ts';
import { jsonOf } from './json-of.ts';

const START = Date.parse('2027-03-10T12:00:00Z');

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

  beforeEach(async () => {
    clock = createFakeClock(START);
    await start();
  });
  afterEach(() => emulator.close());

  describe('tokens', () => {
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
});
