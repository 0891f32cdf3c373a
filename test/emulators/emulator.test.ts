import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { bearerOf, jsonAnswer } from './exchange.ts';
import { aHome } from './homes.ts';
import { createTokens } from './tokens.ts';
import { createWorld } from './world.ts';

const START = Date.parse('2027-03-01T12:00:00Z');
const HONEST = { homes: [{ id: 1, name: 'Harbour House' }], price: '420.00' };

describe('an emulator', () => {
  let clock = createFakeClock(START);
  let emulator: Emulator;

  /** A vendor with one catalogue behind a token, and two limits. */
  function start(limits?: 'documented' | 'off' | readonly { requests: number; perMs: number }[]) {
    const options = { homes: [aHome()], now: clock.now, ...(limits ? { limits } : {}) };
    const tokens = createTokens({ prefix: 'sample', lifeMs: 60_000, now: clock.now });
    return startEmulator({
      options,
      world: createWorld(options.homes, clock.now),
      name: 'sample',
      basePath: '/v1',
      credentials: { key: 'sample-key' },
      documentedLimits: [
        { requests: 2, perMs: 1000 },
        { requests: 3, perMs: 10_000 },
      ],
      kindOf: ({ path }) => (path === '/v1/token' ? 'token' : 'catalogue'),
      costOf: ({ path }) => (path === '/v1/token' ? 0 : 1),
      route(request) {
        if (request.path === '/v1/token') return jsonAnswer(200, { token: tokens.issue() });
        return tokens.judge(bearerOf(request)) === 'valid'
          ? jsonAnswer(200, HONEST)
          : jsonAnswer(401, 'expired');
      },
      tooManyRequests: ({ resetsInMs }) =>
        jsonAnswer(429, 'slow down', { 'retry-after': String(resetsInMs / 1000) }),
      expiredToken: () => jsonAnswer(401, 'expired'),
      tokensIssued: tokens.issued,
      expireTokens: tokens.expireAll,
      referenceOf: (id) => `home-${id}`,
    });
  }

  const get = (path: string, token = 'sample-1', init: RequestInit = {}) =>
    fetch(`${emulator.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      ...init,
    });

  beforeEach(async () => {
    clock = createFakeClock(START);
    emulator = await start('off');
    await get('/token');
  });
  afterEach(() => emulator.close());

  it('prices a stay from the home alone, and refuses what is booked', () => {
    // 3 × 120 + 60 + 6 % of 360.
    assert.deepEqual(emulator.priceOf(1, '2027-04-01', '2027-04-04', 2), { total: 441_60, currency: 'EUR' });
    emulator.book(1, '2027-04-03', '2027-04-05');
    assert.deepEqual(emulator.priceOf(1, '2027-04-01', '2027-04-04', 2), { refused: 'taken' });
    assert.deepEqual(emulator.priceOf(1, '2027-04-05', '2027-04-08', 2), { total: 441_60, currency: 'EUR' });
  });

  it('counts what a limit that is off would have refused', async () => {
    for (let count = 0; count < 4; count += 1) assert.equal((await get('/homes')).status, 200);
    assert.deepEqual(emulator.budget, { exceeded: 2, refused: 0, most: [4, 4] });
  });

  describe('with its documented limits', () => {
    beforeEach(async () => {
      await emulator.close();
      emulator = await start();
      await get('/token');
    });

    it('refuses what comes too soon in any window, and forgives it when the window has moved on', async () => {
      const statuses: number[] = [];
      const ask = async () => {
        const response = await get('/homes');
        statuses.push(response.status);
        return response.headers.get('retry-after');
      };
      await ask();
      await clock.advance(600);
      await ask();
      assert.equal(await ask(), '0.4');
      await clock.advance(401);
      await ask();
      assert.equal(await ask(), '8.999');
      await clock.advance(9000);
      await ask();
      assert.deepEqual(statuses, [200, 200, 429, 200, 429, 200]);
      assert.deepEqual(emulator.budget, { exceeded: 2, refused: 2, most: [4, 5] });
    });
  });
});
