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

  beforeEach(async () => {
    clock = createFakeClock(START);
    emulator = await start();
    token = (await requestToken({ grant_type: 'client_credentials' })).body.access_token;
  });
  afterEach(() => emulator.close());

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
