import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { plainListing } from '../../../test/support/plain-listing.ts';
import { describeImportFault } from './import-job.ts';
import { importPlain, type PlainImport } from './import-plain.ts';

const home = (reference: string, changes: object = {}) => ({
  type: 'property',
  ...plainListing,
  reference,
  ...changes,
});
const period = (from: string, to: string, changes: object = {}) => ({
  from,
  to,
  available: true,
  price: '80.00',
  ...changes,
});
const calendar = (property: string, ...periods: object[]) => ({ type: 'calendar', property, periods });
const HEADER = { type: 'header', format: 'staywire-plain', version: 1 };
const MAY = period('2027-05-01', '2027-06-01');

async function imported(
  t: TestContext,
  lines: readonly unknown[],
  options: Partial<Parameters<typeof importPlain>[0]> = {},
): Promise<PlainImport & { readonly written: readonly unknown[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'import-plain-'));
  t.after(() => rm(folder, { recursive: true }));
  const [input, output] = [join(folder, 'homes.jsonl'), join(folder, 'out.jsonl')];
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  await writeFile(input, options.input === 'gzip' ? gzipSync(text) : text);
  try {
    const summary = await importPlain({ ...options, input, output });
    const written = (await readFile(output, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { ...summary, written };
  } finally {
    const others = (await readdir(folder)).filter((name) => !['homes.jsonl', 'out.jsonl'].includes(name));
    assert.deepEqual(others, [], 'nothing half done is left');
  }
}

const faultsOf = ({ rejections }: PlainImport) => rejections.map(describeImportFault);

describe('an import of the plain format', () => {
  for (const packing of ['plain', 'gzip']) {
    it(`writes homes, then their calendars as one, whatever the order of the lines (${packing})`, async (t) => {
      const result = await imported(
        t,
        [
          HEADER,
          calendar('b', period('2027-06-01', '2027-06-03', { minimum_stay: 2 })),
          home('a', { unknown_member: 7 }),
          '',
          calendar('a', MAY),
          calendar('b', MAY),
          home('b'),
        ],
        { input: packing },
      );
      assert.deepEqual(faultsOf(result), []);
      assert.deepEqual([result.properties, result.calendars, result.calendarRows], [2, 2, 3]);
      assert.deepEqual(result.written, [
        { ...HEADER, source: 'homes.jsonl' },
        home('a'),
        home('b'),
        calendar('a', MAY),
        calendar('b', MAY, period('2027-06-01', '2027-06-03', { minimum_stay: 2 })),
      ]);
      assert.deepEqual(result.found, {
        cities: new Map([['lisbon-pt', { listings: 2, currencies: { EUR: 2 } }]]),
        hosts: [{ host: 'casas.example', pages: 2, pictures: 2 }],
      });
    });
  }

  it('holds back a home that no sync would offer, with its calendar', async (t) => {
    const result = await imported(t, [
      home('good', { name: 'Loft @Eilandje' }),
      home('bad', { name: 'Book at https://cheap.example' }),
      calendar('good', MAY),
      calendar('bad', MAY),
    ]);
    assert.deepEqual(faultsOf(result), [
      'homes.jsonl:2: name carries a web or e-mail address: Book at https://cheap.example',
    ]);
    assert.deepEqual([result.properties, result.calendars], [1, 1]);
  });

  it('holds back a bad line alone, and says where it is and what is wrong', async (t) => {
    const result = await imported(t, [
      home('good'),
      calendar('good', MAY),
      '{"type":"property",',
      home('too-many', { max_guests: 101 }),
      calendar('too-many', MAY),
      home('good'),
      HEADER,
      home('lonely'),
      calendar('nobody', MAY),
      home('overlap'),
      calendar('overlap', MAY),
      calendar('overlap', period('2027-05-31', '2027-06-02')),
      home('fine-price'),
      calendar('fine-price', period('2027-05-01', '2027-05-02', { price: '80.005' })),
      home('half'),
      calendar('half', MAY),
      calendar('half', period('2027-06-31', '2027-07-02')),
    ]);
    assert.deepEqual(faultsOf(result), [
      'homes.jsonl:3: the line is not JSON',
      'homes.jsonl:4: max_guests is 101, must be a whole number from 1 to 100',
      'homes.jsonl:6: reference was listed before; the first listing counts: good',
      'homes.jsonl:7: type belongs to the first line',
      'homes.jsonl:17: periods/0/from is not a day: 2027-06-31',
      'homes.jsonl:9: property is not a home of this file: nobody',
      'homes.jsonl:8: the file has no calendar for it',
      'homes.jsonl:11: periods has two periods with the same night',
      'homes.jsonl:14: periods/price is finer than EUR or too large: 80.005',
    ]);
    assert.deepEqual([result.properties, result.calendars], [5, 1]);
    assert.deepEqual(result.rejectionCounts, {
      not_json: 1,
      out_of_range: 1,
      listed_twice: 1,
      misplaced_header: 1,
      no_such_day: 1,
      not_in_catalogue: 1,
      calendar_missing: 1,
      calendar_overlap: 1,
      price_too_fine: 1,
    });
    assert.deepEqual(
      result.written.slice(1).map((line) => Reflect.get(Object(line), 'reference') ?? 'calendar'),
      ['good', 'lonely', 'overlap', 'fine-price', 'half', 'calendar'],
    );
  });

  it('takes the example of its page as it is', async (t) => {
    const page = await readFile(new URL('../../../docs/plain-format.md', import.meta.url), 'utf8');
    const [, example = ''] = /```jsonl\n(.*?)\n```/s.exec(page) ?? [];
    const result = await imported(t, example.split('\n'));
    assert.deepEqual(faultsOf(result), []);
    assert.deepEqual([result.properties, result.calendars, result.calendarRows], [1, 1, 2]);
  });

  it('refuses a file of another version as a whole', async (t) => {
    await assert.rejects(imported(t, [{ ...HEADER, version: 2 }, home('a')]), {
      name: 'ImportFailure',
      message: /^homes\.jsonl:1: version /,
    });
  });

  it('counts what it does not list', async (t) => {
    const result = await imported(t, Array(1500).fill('x'));
    assert.equal(result.rejections.length, 1000);
    assert.deepEqual(result.rejectionCounts, { not_json: 1500 });
  });

  it('tells how far it is, and ends when it is told to', async (t) => {
    const told: number[] = [];
    await imported(t, [home('a')], {
      onProgress: ({ bytesRead, totalBytes }) => told.push(bytesRead / totalBytes),
    });
    assert.deepEqual(told, [1]);
    const controller = new AbortController();
    const stopped = imported(t, [home('a')], {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await assert.rejects(stopped, { name: 'AbortError' });
  });

  it('says which file is not there', async () => {
    await assert.rejects(importPlain({ input: '/nowhere/homes.jsonl', output: '/nowhere/out' }), {
      name: 'ImportFailure',
      message: 'there is no file /nowhere/homes.jsonl',
    });
  });
});
