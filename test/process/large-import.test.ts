import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { importInsideAirbnb } from '../../src/cli/import/import-inside-airbnb.ts';
import { formatDay } from '../../src/stay/day.ts';
import { TODAY } from '../support/network.ts';

const HOMES = 2740;
const NIGHTS = 365;
/** It takes some seconds of one core. */
const MAX_CPU_MS = 30_000;
/** The columns of the nights take 13 MB; most of the rest is what a process has anyway. */
const MAX_RESIDENT_BYTES = 600 * 1024 * 1024;

it('a million nights in any order are imported in seconds, and never all in memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'large-import-'));
  t.after(() => rm(folder, { recursive: true }));
  const [listings, calendar] = [join(folder, 'large-listings.csv'), join(folder, 'calendar.csv')];
  const ids = Array.from({ length: HOMES }, (_, index) => String(700_000_000_000_000_000n + BigInt(index)));
  await writeFile(
    listings,
    [
      'id,name,picture_url,accommodates,price',
      ...ids.map((id) => `${id},Home,https://pictures.example/${id}.jpg,2,`),
    ].join('\n'),
  );
  const file = await open(calendar, 'w');
  await file.appendFile('listing_id,date,available,price,adjusted_price,minimum_nights,maximum_nights\n');
  for (let night = 0; night < NIGHTS; night += 1) {
    const rest = `${formatDay(18_000 + night)},${night % 3 === 0 ? 'f' : 't'},$${100 + (night % 40)}.00,,2,1125\n`;
    await file.appendFile(ids.map((id) => `${id},${rest}`).join(''));
  }
  await file.close();

  const before = process.cpuUsage();
  const imported = await importInsideAirbnb({
    listings,
    calendar,
    output: join(folder, 'out.jsonl'),
    today: TODAY,
  });
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual(
    [imported.properties, imported.calendars, imported.calendarRows, imported.rejections.length],
    [HOMES, HOMES, HOMES * NIGHTS, 0],
  );
  assert.ok(HOMES * NIGHTS >= 1_000_000);
  const cpuMs = (user + system) / 1000;
  t.diagnostic(`${cpuMs.toFixed(0)} ms of processor time`);
  assert.ok(cpuMs < MAX_CPU_MS, `${cpuMs} ms`);
  const residentBytes = process.resourceUsage().maxRSS * 1024;
  assert.ok(residentBytes < MAX_RESIDENT_BYTES, `${residentBytes} bytes`);
});
