import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainContext, plainListing } from '../../../test/support/plain-listing.ts';
import { DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { createCatalogueReader, readCataloguePage } from './catalogue.ts';

const options = { timeoutMs: 1000, maxBytes: 1_000_000, signal: new AbortController().signal };

type Page = { references: readonly string[]; etag?: string; next?: string; name?: string };

/** A catalogue of pages that a test can change, with the requests made and the pages parsed. */
function setUp(pages: Record<string, Page>, budget = DEFAULT_BRAND_BUDGET) {
  const asked: string[] = [];
  const counts = { parsed: 0 };
  const readCatalogue = createCatalogueReader({
    client: {
      async get(path, { etag }) {
        asked.push(path);
        const page = pages[path.replace('/catalogue?page=', '')] ?? { references: [] };
        if (etag && etag === page.etag) return { kind: 'unchanged' };
        const properties = page.references.map((reference) => ({
          ...plainListing,
          reference,
          name: page.name ?? `House ${reference}`,
        }));
        const text = JSON.stringify({ properties, next_page: page.next ?? null });
        const bytes = new TextEncoder().encode(text);
        return { kind: 'document', bytes, digest: `digest of ${text}`, etag: page.etag ?? null };
      },
    },
    async parse(document, _signal, take) {
      counts.parsed += 1;
      const page = readCataloguePage(document, plainContext, plainContext.places);
      for (;;) {
        const item = page.next();
        if (item.done) return item.value;
        take([item.value], weightOf(item.value));
      }
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
  return { read, readCatalogue, asked, counts };
}

test('a page whose bytes have not changed is not parsed again, with an ETag or without', async () => {
  const pages: Record<string, Page> = {
    '/catalogue': { references: ['a', 'b'], next: '2' },
    2: { references: ['c', 'bad one'], etag: '"2"' },
  };
  const { read, counts } = setUp(pages);
  const first = await read();
  assert.deepEqual(first, { references: 'a b c', rejections: ['(no reference) reference'] });
  assert.deepEqual([await read(), counts.parsed], [first, 2]);
  pages['/catalogue'] = { references: ['a', 'd'], next: '2' };
  assert.deepEqual([(await read()).references, counts.parsed], ['a d c', 3]);
});

test('of listings that several pages repeat the first counts, whichever page changes', async () => {
  const pages: Record<string, Page> = {
    '/catalogue': { references: ['a', 'b'], etag: '"1"', next: '2' },
    2: { references: ['b', 'c'], etag: '"2"' },
  };
  const { read } = setUp(pages);
  assert.deepEqual(await read(), { references: 'a b c', rejections: ['b reference'] });
  pages['/catalogue'] = { references: ['a'], etag: '"1b"', next: '2' };
  assert.deepEqual(await read(), { references: 'a b c', rejections: [] });
});

test('a catalogue beyond its budget is not read to the end, also when a page is found unchanged', async () => {
  const many = setUp(
    {
      '/catalogue': { references: ['a', 'b'], next: '2' },
      2: { references: ['c', 'd'], next: '3' },
      3: { references: ['e'] },
    },
    { ...DEFAULT_BRAND_BUDGET, listings: 3 },
  );
  await assert.rejects(many.readCatalogue(options), { kind: 'too_large', message: /budget\.listings of 3/ });
  assert.equal(many.asked.length, 2);

  const pages: Record<string, Page> = {
    '/catalogue': { references: ['a'], etag: '"1"', next: '2', name: 'x'.repeat(100) },
    2: { references: ['b'], etag: '"2"', name: 'y'.repeat(100) },
  };
  const long = setUp(pages, { listings: 10, bytes: 2000 });
  assert.equal((await long.read()).references, 'a b');
  pages[2] = { references: ['b', 'c'], etag: '"2b"' };
  await assert.rejects(long.readCatalogue(options), { kind: 'too_large', message: /budget\.megabytes/ });
  pages[2] = { references: ['b'], etag: '"2"', name: 'y'.repeat(100) };
  assert.equal((await long.read()).references, 'a b', 'the last complete reading is still known');

  const nonsense = Array.from({ length: 9 }, (_, at): [string, Page] => [
    at === 0 ? '/catalogue' : String(at),
    { references: ['bad one', 'bad two'], next: String(at + 1) },
  ]);
  const { readCatalogue, asked } = setUp(Object.fromEntries(nonsense), { listings: 10, bytes: 1500 });
  await assert.rejects(readCatalogue(options), {
    kind: 'too_large',
    message: /sends .* more than four times/,
  });
  assert.ok(asked.length < 6, `${asked.length} pages`);
});
