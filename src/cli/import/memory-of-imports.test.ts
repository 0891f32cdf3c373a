import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createSeenHomes } from './import-job.ts';

/** In all more than the heap may hold, in rows that are almost as long as a row may be. */
const ROWS = 100;
const ROW_LENGTH = 1_000_000;
const MAX_HEAP_MB = 80;

const LISTINGS = 'id,name,picture_url,accommodates,amenities,price,description';
const CALENDAR = 'listing_id,date,available,price,notes';
const HOME = '7,Home,https://a0.muscache.com/7.jpg,2,[],$50.00,';
const NIGHT = '7,2020-01-01,t,$50.00,';
const FILLER = 'x'.repeat(ROW_LENGTH);

const IMPORTING = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ module, options }) => {
    const { importInsideAirbnb, importPlain } = await import(module);
    const { properties, rejections } = await (importInsideAirbnb ?? importPlain)(options);
    parentPort.postMessage({ properties, rejections });
  });`;

type Imported = {
  readonly properties: number;
  readonly rejections: readonly { readonly reference: string | null; readonly value?: string }[];
};

const rows = (row: (number: string, index: number) => string) =>
  Array.from({ length: ROWS }, (_, index) => row(String(index).padStart(20, '0'), index));

const CASES: Readonly<
  Record<string, { readonly listings: readonly string[]; readonly calendar: readonly string[] }>
> = {
  'ids of homes that are refused for something else': {
    listings: rows((number) => `${number}${FILLER},Home,https://a.example/1.jpg,0,[],$50.00,`),
    calendar: [NIGHT],
  },
  'homes that are refused, beside long texts': {
    listings: rows((number) => `${number},Home,https://a.example/1.jpg,0,[],$50.00,${FILLER}`),
    calendar: [NIGHT],
  },
  'prices of homes': {
    listings: rows((number) => `${number},Home,https://a0.muscache.com/7.jpg,2,[],${FILLER},`),
    calendar: [NIGHT],
  },
  'amenities of homes': {
    listings: rows(
      (number) => `${number},Home,https://a0.muscache.com/7.jpg,2,"[""${number}${FILLER}""]",$50.00,`,
    ),
    calendar: [NIGHT],
  },
  'amenities of homes, as old files write them': {
    listings: rows(
      (number) => `${number},Home,https://a0.muscache.com/7.jpg,2,{Moat ${number}},$50.00,${FILLER}`,
    ),
    calendar: [NIGHT],
  },
  'ids of calendar rows without a home': {
    listings: [HOME],
    calendar: rows((number) => `${number}${FILLER},2020-01-01,t,$50.00,`),
  },
  'calendar rows without a home, beside long texts': {
    listings: [HOME],
    calendar: rows((number) => `${number},2020-01-01,t,$50.00,${FILLER}`),
  },
  'calendar rows of homes, beside long texts': {
    listings: rows((number) => `${number},Home,https://a0.muscache.com/7.jpg,2,[],$50.00,`),
    calendar: rows((number) => `${number},2020-01-01,t,$50.00,${FILLER}`),
  },
  'prices of nights': {
    listings: [HOME],
    calendar: rows((number) => `7,2020-01-01,t,${number}${FILLER},`),
  },
  'prices of nights, beside long texts': {
    listings: [HOME],
    calendar: rows((_, index) => `7,2020-01-01,t,$1000000.${100_000 + index},${FILLER}`),
  },
};

describe('an import of a file that is made to fill the memory', () => {
  // One for all, because most of the time goes by while it starts.
  let worker: Worker | undefined;
  after(() => worker?.terminate());

  function started(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    worker ??= new Worker(IMPORTING, { eval: true, resourceLimits }).once('error', () => {
      worker = undefined;
    });
    return worker;
  }

  /** Rejects where the import does not fit into the heap. */
  async function importedInSmallHeap(
    t: TestContext,
    module: 'import-inside-airbnb' | 'import-plain',
    files: Readonly<Record<string, readonly string[]>>,
  ): Promise<Imported> {
    const folder = mkdtempSync(join(tmpdir(), 'staywire-memory-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const paths = Object.entries(files).map(([name, lines]) => {
      const path = join(folder, name);
      writeFileSync(path, lines.join('\n'));
      return [name, path];
    });
    const options = {
      ...{ today: 20_000, currency: 'USD', city: 'Albany', output: join(folder, 'out.jsonl') },
      ...Object.fromEntries(paths),
    };
    const importer = started();
    const answer = once(importer, 'message');
    importer.postMessage({ module: new URL(`./${module}.ts`, import.meta.url).href, options });
    const [imported] = await answer;
    return imported;
  }
  for (const [name, { listings, calendar }] of Object.entries(CASES)) {
    it(`keeps no more than it needs: ${name}`, async (t) => {
      const { properties, rejections } = await importedInSmallHeap(t, 'import-inside-airbnb', {
        listings: [LISTINGS, HOME, ...listings],
        calendar: [CALENDAR, NIGHT, ...calendar],
      });
      assert.ok(properties >= 1);
      for (const { reference, value } of rejections) {
        assert.ok((reference?.length ?? 0) <= 64);
        assert.ok((value?.length ?? 0) <= 80);
      }
    });
  }

  it('keeps no more than it needs: lines of the plain format', async (t) => {
    const period = (number: string) => ({ from: number + FILLER, to: '2027-01-02', available: true });
    const { rejections } = await importedInSmallHeap(t, 'import-plain', {
      input: rows((number) =>
        JSON.stringify({ type: 'calendar', property: `home-${number}`, periods: [period(number)] }),
      ),
    });
    assert.equal(rejections.length, 2 * ROWS);
  });

  it('remembers a hundred thousand homes that were refused, and no more', () => {
    const homes = createSeenHomes();
    for (let index = 0; index <= 100_000; index += 1) homes.refuse(`home-${index}`);
    assert.deepEqual([homes.isRefused('home-99999'), homes.isRefused('home-100000')], [true, false]);
  });
});
