import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type InsideAirbnbImport, importInsideAirbnb } from '../../src/cli/import/import-inside-airbnb.ts';
import { describeImportFault } from '../../src/cli/import/import-job.ts';
import { importPlain } from '../../src/cli/import/import-plain.ts';
import { STAY_PARAMETERS_OF_PAGES } from '../../src/cli/import/inside-airbnb/listings.ts';
import { parseDay } from '../../src/stay/day.ts';
import { randomForInput } from '../fuzz/input-random.ts';
import { walkToTheEnd } from '../support/guided-walk.ts';
import { networkFile, TODAY } from '../support/network.ts';
import { type CityLayout, writeSyntheticCity } from '../support/synthetic-city.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const CITY_FOLDER = process.env.STAYWIRE_TEST_CITY;

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'imported-city-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function serve(t: TestContext, imported: InsideAirbnbImport, file: string): Promise<TestService> {
  const { city, found } = imported;
  const network = {
    ...networkFile([]),
    places: [{ ...city, kind: 'city' as const, time_zone: 'America/New_York' }],
    brands: [
      {
        source: 'imported',
        name: 'Imported homes',
        all_in_totals: false,
        website: {
          hosts: found.hosts.map(({ host }) => host),
          stay_parameters: STAY_PARAMETERS_OF_PAGES,
        },
        booking_system: { kind: 'imported', file },
      },
    ],
  };
  const service = await startTestService({
    network,
    settings: { rateLimit: 10_000_000, maxSessions: 1_000_000 },
  });
  t.after(() => service.close());
  return service;
}

async function walk(service: TestService, walks: number, name: string): Promise<void> {
  for (let index = 0; index < walks; index += 1) {
    const random = randomForInput(2027, name, index);
    const choices = { next: () => ({ done: false as const, value: random.integer(1_000_000) }) };
    await walkToTheEnd(service, random.oneIn(2) ? 'imported' : undefined, choices);
  }
}

describe('a city that was imported', () => {
  for (const [layout, walks] of [
    ['new', 40],
    ['old', 40],
  ] as const satisfies [CityLayout, number][]) {
    it(`has no dead end in ${walks} walks, from files of the ${layout} layout`, async (t) => {
      const folder = await temporaryFolder(t);
      const firstDay = parseDay('2019-03-02') ?? 0;
      const files = await writeSyntheticCity(folder, { layout, homes: 40, firstDay, seed: 7 });
      const output = join(folder, 'imports', 'city.jsonl');
      const imported = await importInsideAirbnb({ ...files, output, today: TODAY });
      assert.deepEqual(imported.rejections.map(describeImportFault), []);
      assert.deepEqual([imported.properties, imported.calendars, imported.calendarRows], [40, 40, 40 * 120]);
      assert.deepEqual(imported.unmappedAmenities.map(({ amenity }) => amenity).sort(), [
        'A 55" TV',
        'Moon view',
      ]);
      await walk(await serve(t, imported, output), walks, layout);
    });
  }

  it('is written the same when its file is imported again in the plain format', async (t) => {
    const folder = await temporaryFolder(t);
    const files = await writeSyntheticCity(folder, { layout: 'new', homes: 12, firstDay: TODAY, seed: 8 });
    const [once, twice] = [join(folder, 'once.jsonl'), join(folder, 'twice.jsonl')];
    const first = await importInsideAirbnb({ ...files, output: once, today: TODAY });
    const second = await importPlain({ input: once, output: twice });
    assert.deepEqual(second.rejections, []);
    assert.deepEqual([second.properties, second.calendars], [first.properties, first.calendars]);
    assert.deepEqual(second.found, first.found);
    assert.deepEqual([...first.found.cities], [['harbour-town', { listings: 12, currencies: { USD: 12 } }]]);
    const lines = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(1);
    assert.deepEqual(await lines(twice), await lines(once));
  });
});

describe('a real city', () => {
  const WALKS = 1000;
  it(`has no dead end in ${WALKS} walks`, { timeout: 600_000 }, async (t) => {
    if (CITY_FOLDER === undefined) {
      t.skip('!! NOT TESTED: a real city. Set STAYWIRE_TEST_CITY to a folder with its two files.');
      return;
    }
    const [listings, calendar] = ['listings', 'calendar'].map(
      (name) => globSync(join(CITY_FOLDER, `*${name}.csv.gz`))[0] ?? join(CITY_FOLDER, `${name}.csv.gz`),
    );
    assert.ok(listings && calendar);
    const output = join(await temporaryFolder(t), 'city.jsonl');
    const imported = await importInsideAirbnb({ listings, calendar, output, today: TODAY });
    const { properties, calendarRows, milliseconds, rejectionCounts } = imported;
    t.diagnostic(`${properties} homes and ${calendarRows} nights in ${milliseconds} ms`);
    t.diagnostic(`held back: ${JSON.stringify(rejectionCounts)}`);
    assert.ok(properties > 0 && calendarRows > properties);
    await walk(await serve(t, imported, output), WALKS, 'a real city');
  });
});
