import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Emulator } from './emulator.ts';
import { aHome } from './homes.ts';
import { type QloappsOptions, startQloapps } from './qloapps.ts';

const HOMES = [
  aHome({
    id: 1,
    name: 'General Room',
    maxGuests: 4,
    amenities: ['wifi', 'telescope'],
    nightlyPrice: (day) => (day === '2027-06-02' ? 1333_33 : 1000_00),
    minimumStay: () => 2,
    maximumStay: 10,
    closedToArrival: () => true,
    cleaningFee: 250_00,
    taxPercent: 4,
  }),
  aHome({ id: 2, cleaningFee: 0 }),
  aHome({ id: 3, city: 'Porto', freeCancellationDays: null, minimumStay: () => 1 }),
];

describe('emulator of QloApps', () => {
  let time = 0;
  const started: Emulator[] = [];
  beforeEach(() => {
    time = Date.parse('2027-01-01T12:00:00Z');
  });
  after(async () => {
    for (const emulator of started) await emulator.close();
  });

  async function start(options: Partial<QloappsOptions> = {}) {
    const emulator = await startQloapps({ homes: HOMES, now: () => time, ...options });
    started.push(emulator);
    return emulator;
  }

  async function call(
    { url }: Emulator,
    path: string,
    { xml, key = 'EMULATEDQLOAPPSKEY00000000000001' }: { xml?: string; key?: string } = {},
  ) {
    const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
    const query = path.includes('?') ? '&output_format=JSON' : '?output_format=JSON';
    const response = await fetch(
      `${url}/api/${path}${query}`,
      xml === undefined ? { headers } : { method: 'POST', headers, body: xml },
    );
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  it('has no limit of its own, but a server in front of it may', async () => {
    const free = await start();
    for (let sent = 0; sent < 60; sent += 1) assert.equal((await call(free, 'hotels')).status, 200);
    const limited = await start({ limits: [{ requests: 1, perMs: 30_000 }] });
    await call(limited, 'hotels');
    const response = await fetch(`${limited.url}/api/hotels`);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '30']);
    assert.deepEqual(limited.budget, { exceeded: 1, refused: 1, most: [2] });
  });
});
