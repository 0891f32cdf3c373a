import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainContext, plainListing } from '../../../test/support/plain-listing.ts';
import { DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { JsonClient } from '../../outbound/operator-client.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { createCatalogueReader } from './catalogue.ts';

const patient = new AbortController().signal;
const options = { timeoutMs: 1000, maxBytes: 1_000_000, signal: patient };

type Pages = Record<
  string,
  {
    references: readonly string[];
    etag?: string;
    next?: string;
    name?: string;
    amenities?: Record<string, string>;
  }
>;

/** A catalogue of pages that a test can change, with the requests made and the pages parsed. */
function setUp(pages: Pages, budget = DEFAULT_BRAND_BUDGET) {
  const asked: string[] = [];
  const parsed: number[] = [];
  const client: Pick<JsonClient, 'get'> = {
    async get(path, { etag }) {
      asked.push(path);
      const {
        references,
        etag: current,
        next,
        name,
        amenities = plainListing.amenities,
      } = pages[path.replace('/catalogue?page=', '')] ?? {
        references: [],
      };
      if (etag && etag === current) return { kind: 'unchanged' };
      const properties = references.map((reference) => ({
        ...plainListing,
        reference,
        name: name ?? `House ${reference}`,
        amenities,
      }));
      const text = JSON.stringify({ properties, next_page: next ?? null });
      return {
        kind: 'document',
        bytes: new TextEncoder().encode(text),
        digest: `digest of ${text}`,
        etag: current ?? null,
      };
    },
  };
  const intake = createInlineIntake(plainContext);
  const readCatalogue = createCatalogueReader({
    client: { ...client, post: () => assert.fail(), close: async () => undefined },
    context: plainContext,
    intake: {
      ...intake,
      run(order) {
        parsed.push(order.document.byteLength);
        return intake.run(order);
      },
    },
    budget,
  });
  const read = async () => {
    const { properties, rejections } = await readCatalogue(options);
    return {
      references: properties.map(({ reference }) => reference).join(' '),
      rejections: rejections.map(({ reference, field }) => `${reference} ${field}`),
    };
  };
  return { read, readCatalogue, asked, parsed };
}

const tooLarge = (about: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BookingSystemFailure, String(error));
  assert.equal(error.kind, 'too_large');
  assert.match(error.message, about);
  return true;
};

describe('a catalogue', () => {
  it('whose bytes have not changed is not parsed again, with an ETag or without', async () => {
    const pages: Pages = {
      '/catalogue': { references: ['a', 'b'], next: '2' },
      2: { references: ['c', 'bad one'], etag: '"2"' },
    };
    const { read, parsed } = setUp(pages);
    const first = await read();
    assert.deepEqual(first, { references: 'a b c', rejections: ['(no reference) reference'] });
    assert.equal(parsed.length, 2);
    assert.deepEqual(await read(), first);
    assert.equal(parsed.length, 2);
    pages['/catalogue'] = { references: ['a', 'd'], next: '2' };
    assert.equal((await read()).references, 'a d c');
    assert.equal(parsed.length, 3);
  });

  it('that repeats listings on other pages keeps the first, whichever page says so later', async () => {
    const pages: Pages = {
      '/catalogue': { references: ['a', 'a', 'b'], etag: '"1"', next: '2' },
      2: { references: ['b', 'c'], etag: '"2"' },
    };
    const { read } = setUp(pages);
    assert.deepEqual(await read(), { references: 'a b c', rejections: ['a reference', 'b reference'] });
    // The first page drops b, and the second is answered as unchanged.
    pages['/catalogue'] = { references: ['a'], etag: '"1b"', next: '2' };
    assert.deepEqual(await read(), { references: 'a b c', rejections: [] });
    // Now the first page takes c from the second, and gives it back.
    pages['/catalogue'] = { references: ['a', 'c'], etag: '"1c"', next: '2' };
    assert.deepEqual(await read(), { references: 'a c b', rejections: ['c reference'] });
    pages['/catalogue'] = { references: ['a'], etag: '"1d"', next: '2' };
    assert.deepEqual(await read(), { references: 'a b c', rejections: [] });
  });

  it('beyond its number of listings is not read to the end', async () => {
    const pages: Pages = {
      '/catalogue': { references: ['a', 'b'], next: '2' },
      2: { references: ['c', 'd'], next: '3' },
      3: { references: ['e'] },
    };
    const { readCatalogue, asked } = setUp(pages, { ...DEFAULT_BRAND_BUDGET, listings: 3 });
    await assert.rejects(
      readCatalogue(options),
      tooLarge(/at least 4 listings, more than its budget\.listings of 3/),
    );
    assert.equal(asked.length, 2);
    pages[2] = { references: ['c', 'b', 'a', 'b'] };
    assert.equal((await readCatalogue(options)).properties.length, 3, 'repeated ones do not count');
  });

  it('beyond its bytes is not read to the end, also when it is found unchanged', async () => {
    const pages: Pages = {
      '/catalogue': { references: ['a'], etag: '"1"', next: '2', name: 'x'.repeat(100) },
      2: { references: ['b'], etag: '"2"', name: 'y'.repeat(100) },
    };
    const { read, readCatalogue } = setUp(pages, { listings: 10, bytes: 2000 });
    assert.equal((await read()).references, 'a b');
    pages[2] = { references: ['b', 'c'], etag: '"2b"' };
    await assert.rejects(readCatalogue(options), tooLarge(/of listings, more than its budget\.megabytes/));
    pages[2] = { references: ['b'], etag: '"2"', name: 'y'.repeat(100) };
    assert.equal((await read()).references, 'a b', 'what was known before is still known');
  });

  it('that sends much and lists little is not read to the end', async () => {
    const pages: Pages = Object.fromEntries(
      ['/catalogue', '2', '3', '4', '5', '6', '7', '8', '9'].map((name, at) => [
        name,
        { references: ['bad one', 'bad two'], next: String(at + 2), etag: `"${at}"` },
      ]),
    );
    const { readCatalogue, asked } = setUp(pages, { listings: 10, bytes: 1500 });
    await assert.rejects(
      readCatalogue(options),
      tooLarge(/sends .* more than four times its budget\.megabytes/),
    );
    assert.ok(asked.length < 6, `${asked.length} pages`);
  });

  it('of a hundred pages full of nonsense keeps a thousand reports of it', async () => {
    const pages: Pages = Object.fromEntries(
      Array.from({ length: 99 }, (_, at) => [
        at === 0 ? '/catalogue' : String(at),
        { references: Array(50).fill('bad one'), ...(at < 98 ? { next: String(at + 1) } : {}) },
      ]),
    );
    const { readCatalogue } = setUp(pages);
    const { properties, rejections, notListed } = await readCatalogue(options);
    assert.deepEqual([properties.length, rejections.length, notListed], [0, 1000, 99 * 50 - 1000]);
  });

  it('counts by rule what its pages do not list, also of a page that has not changed', async () => {
    const references = Array.from({ length: 120 }, (_, at) => `casa-${at}`);
    const amenities = Object.fromEntries(Array.from('abcdefghi', (key) => [key, 'see www.evil.example']));
    const { readCatalogue, parsed } = setUp({ '/catalogue': { references, amenities, etag: '"1"' } });
    const first = await readCatalogue(options);
    assert.deepEqual([first.rejections.length, first.notListed], [1000, 0]);
    assert.deepEqual(first.counts, { carries_address: { refused: 0, repaired: 1080 } });
    assert.deepEqual((await readCatalogue(options)).counts, first.counts);
    assert.equal(parsed.length, 1);
  });
});
