import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { type LodgifyOptions, startLodgify } from './lodgify.ts';

const HOMES = [
  aHome({
    id: 6,
    name: 'Loft',
    maxGuests: 4,
    amenities: ['wifi', 'pool', 'telescope'],
    nightlyPrice: (day) => (day === '2027-03-03' ? 135_50 : 120_00),
    minimumStay: (day) => (day === '2027-07-01' ? 7 : 2),
    maximumStay: 28,
    closedToArrival: (day) => day === '2027-03-10',
    closedToDeparture: (day) => day === '2027-03-08',
    cleaningFee: 60_00,
    taxPercent: 6,
    deposit: 200_00,
  }),
  aHome({ id: 7, rating: null, cleaningFee: 0, taxPercent: 0, deposit: 0 }),
  aHome({ id: 8 }),
];

describe('emulator of Lodgify', () => {
  let time = 0;
  let lodgify: Emulator;
  let others: Emulator[] = [];
  before(async () => {
    lodgify = await start({});
  });
  beforeEach(() => {
    time = Date.parse('2027-01-01T12:00:00Z');
  });
  after(async () => {
    for (const emulator of others) await emulator.close();
    others = [];
  });

  async function start(options: Partial<LodgifyOptions>): Promise<Emulator> {
    const emulator = await startLodgify({ homes: HOMES, now: () => time, ...options });
    others.push(emulator);
    return emulator;
  }

  async function get(path: string, key = 'emulated-lodgify-key', emulator = lodgify) {
    const response = await fetch(`${emulator.url}${path}`, { headers: { 'X-ApiKey': key } });
    return { status: response.status, body: await response.json() };
  }

  it('has a limit for each version of the API', async () => {
    const own = await start({});
    const ask = (path: string) => get(path, undefined, own).then(({ status }) => status);
    const statuses = [];
    for (let sent = 0; sent < 601; sent += 1) statuses.push(await ask('/v1/properties/430006/rooms/498006'));
    assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [600, 429]);
    assert.equal(await ask('/v2/properties/430006'), 200);
    assert.deepEqual(own.budget, { exceeded: 1, refused: 1, most: [601, 1] });
    time += 60_000;
    assert.equal(await ask('/v1/properties/430006/rooms/498006'), 200);
  });

  it('explains a 429 in its message, without a header', async () => {
    const own = await start({ limits: [{ requests: 1, perMs: 60_000 }] });
    await get('/v2/properties', undefined, own);
    const response = await fetch(`${own.url}/v2/properties`);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), null);
    assert.deepEqual(await response.json(), { message: 'More than 1 requests in 60 seconds were made.' });
  });
});
