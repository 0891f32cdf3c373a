import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import { type Beds24Options, startBeds24 } from './beds24.ts';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { jsonOf } from './json-of.ts';

const START = Date.parse('2027-03-10T12:00:00Z');

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

  async function restart(changes: Partial<Beds24Options>) {
    await emulator.close();
    await start(changes);
  }

  beforeEach(async () => {
    clock = createFakeClock(START);
    await start();
  });
  afterEach(() => emulator.close());

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
  });

  describe('credits', () => {
    const limitsOf = ({ headers }: Response) =>
      ['x-five-min-limit-remaining', 'x-five-min-limit-resets-in', 'x-request-cost'].map((name) =>
        headers.get(name),
      );

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
  });
});
