import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { parseDay } from '../../src/stay/day.ts';
import { convertCity } from '../../tools/inside-airbnb/convert.ts';
import { randomForInput } from '../fuzz/input-random.ts';
import { walkToTheEnd } from '../support/guided-walk.ts';
import { networkFile, TODAY } from '../support/network.ts';
import { writeSyntheticCity } from '../support/synthetic-city.ts';
import { startTestService } from '../support/test-service.ts';

const HOMES = 40;
const NIGHTS = 120;
const WALKS = 40;

async function serve(t: TestContext, file: string) {
  const network = {
    ...networkFile([]),
    places: [
      {
        id: 'harbour-town',
        name: 'Harbour Town',
        kind: 'city',
        time_zone: 'America/New_York',
        currency: 'USD',
      },
    ],
    brands: [
      {
        source: 'imported',
        name: 'Imported homes',
        all_in_totals: false,
        places: { 'Harbour Town': 'harbour-town' },
        website: {
          hosts: ['www.airbnb.com', 'a0.muscache.com'],
          stay_parameters: { check_in: 'check_in', check_out: 'check_out', guests: 'adults' },
        },
        booking_system: { kind: 'imported', file } as { kind: string },
      },
    ],
  } as Parameters<typeof startTestService>[0]['network'];
  const service = await startTestService({
    network,
    settings: { rateLimit: 10_000_000, maxSessions: 1_000_000 },
  });
  t.after(() => service.close());
  return service;
}

it('a converted city of either layout keeps its homes and nights, and searches of it have no dead end', async (t) => {
  for (const layout of ['new', 'old'] as const) {
    const folder = await mkdtemp(join(tmpdir(), 'imported-city-'));
    t.after(() => rm(folder, { recursive: true }));
    const firstDay = parseDay('2019-03-02') ?? 0;
    const files = await writeSyntheticCity(folder, { layout, homes: HOMES, firstDay, seed: 7 });
    const faults: string[] = [];
    const options = {
      ...files,
      currency: 'USD',
      from: TODAY,
      onFault: (fault: string) => faults.push(fault),
    };
    const lines = await Array.fromAsync(convertCity(options));
    assert.deepEqual(faults, [], layout);
    const parsed = lines.map((line) => JSON.parse(line));
    const ofType = (wanted: string) => parsed.filter(({ type }) => type === wanted);
    assert.equal(ofType('property').length, HOMES, layout);
    const periods = ofType('calendar').flatMap((line) => line.periods);
    const nights = periods.map(({ from, to }) => (parseDay(to) ?? 0) - (parseDay(from) ?? 0));
    assert.equal(
      nights.reduce((sum, count) => sum + count, 0),
      HOMES * NIGHTS,
      layout,
    );
    assert.equal(Math.min(...periods.map(({ from }) => parseDay(from) ?? 0)), TODAY, layout);

    const file = join(folder, 'homes.jsonl');
    await writeFile(file, lines.join('\n'));
    const service = await serve(t, file);
    for (let index = 0; index < WALKS; index += 1) {
      const random = randomForInput(2027, layout, index);
      const choices = { next: () => ({ done: false as const, value: random.integer(1_000_000) }) };
      await walkToTheEnd(service, random.oneIn(2) ? 'imported' : undefined, choices);
    }
  }
});

it('a row that cannot be converted is left out and named, and the others are converted', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'imported-city-'));
  t.after(() => rm(folder, { recursive: true }));
  const [listings, calendar] = [join(folder, 'old-york-listings.csv'), join(folder, 'calendar.csv')];
  const home = (id: string, guests: string, picture = 'https://a0.muscache.com/1.jpg') =>
    `${id},Home,${guests},${picture},"{TV,""Half a moon""}","$1,100.00"`;
  await writeFile(
    listings,
    [
      'id,name,accommodates,picture_url,amenities,price',
      ...[home('1', '2'), home('1', '2'), home('2', 'many'), home('3', '2', ''), 'short,row'],
    ].join('\n'),
  );
  await writeFile(
    calendar,
    [
      'listing_id,date,available,price',
      ...['1,2024-11-05,t,', '1,2024-11-06,t,$90.50', '1,2024-11-06,t,$90.50', '1,2024-02-30,t,'],
      ...['1,2024-11-07,maybe,', '1,2024-11-08,t,gratis', '1,2024-11-09,f,$90.50', '9,2024-11-05,t,'],
    ].join('\n'),
  );
  const faults: string[] = [];
  const onFault = (fault: string) => faults.push(fault);
  const lines = await Array.fromAsync(
    convertCity({ listings, calendar, currency: 'USD', from: TODAY, onFault }),
  );
  assert.deepEqual(
    faults.map((fault) => fault.split(': ')[0]),
    [
      ...[3, 4, 5, 6].map((line) => `old-york-listings.csv:${line}`),
      ...[4, 5, 6, 7].map((line) => `calendar.csv:${line}`),
    ],
  );
  const [, property, nights, ...others] = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    [property.place, property.amenities, others],
    ['Old York', { television: 'Television' }, []],
  );
  assert.deepEqual(
    nights.periods.map(({ available, price }: Record<string, unknown>) => [available, price]),
    [
      [true, '1100.00'],
      [true, '90.50'],
      [false, '90.50'],
    ],
  );
});
