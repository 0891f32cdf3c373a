import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf, homes, startNeighbourhood } from '../support/neighbourhood.ts';

const PAGES = 12;
const HOMES_PER_PAGE = 8;
const MAX_HEAP_GROWTH_BYTES = 96 * 2 ** 20;

test('a catalogue of great pages is not kept in memory', { timeout: 120_000 }, async (t) => {
  const here = await startNeighbourhood({ nodeOptions: ['--max-old-space-size=1024'] });
  t.after(() => here.close());
  const before = await here.heapBytes();
  // Nearly all of a page is pictures beyond those that are shown.
  const images = Array.from({ length: 500 }, (_, index) => ({
    url: `https://stay.example/${index}.jpg?${'x'.repeat(1900)}`,
    alt: 'A room',
    type: 'interior' as const,
  }));
  let page = 0;
  here.hostile.misbehave = (path, response) => {
    if (path !== '/catalogue') return false;
    const number = page % PAGES;
    page += 1;
    const properties = homes(`page-${number}`, HOMES_PER_PAGE, () => ({ images })).map(
      ({ listing }) => listing,
    );
    const next = number === PAGES - 1 ? null : String(number + 1);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ properties, next_page: next }));
    return true;
  };
  await callsOf(here.hostile, '/catalogue', PAGES);
  await callsOf(here.hostile, '/catalogue');
  const grown = (await here.heapBytes()) - before;
  t.diagnostic(`the heap grew by ${(grown / 2 ** 20).toFixed(0)} MiB`);
  assert.ok(grown < MAX_HEAP_GROWTH_BYTES, `the heap grew by ${(grown / 2 ** 20).toFixed(0)} MiB`);
  const { body } = await here.modest.search();
  assert.ok(body.results.some(({ brand }: { brand: string }) => brand === 'Brand honest'));
});
