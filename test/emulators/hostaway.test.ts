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

  it('lets a token in only a second after it was given', async () => {
    const hostaway = await start();
    const token = String(jsonAt((await askForToken(hostaway)).body, 'access_token'));
    time += 999;
    const early = await call(hostaway, token, '/listings');
    assert.deepEqual([early.status, early.body], [403, { status: 'fail', result: 'Access denied.' }]);
    time += 1;
    assert.equal((await call(hostaway, token, '/listings')).status, 200);
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
});
