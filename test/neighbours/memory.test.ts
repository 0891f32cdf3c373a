import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { callsOf, homes, startNeighbourhood } from '../support/neighbourhood.ts';

const PAGES = 16;
const MAX_READING_MS = 20_000;
const HOMES_PER_PAGE = 150;
const MAX_HEAP_GROWTH_BYTES = 64 * 2 ** 20;

test('a catalogue of great pages is not kept in memory', { timeout: 120_000 }, async (t) => {
  const here = await startNeighbourhood({ nodeOptions: ['--max-old-space-size=1024'] });
  t.after(() => here.close());
  const before = await here.heapBytes();
  // Every page lists the same homes again, with as much text as a listing may keep: 12 MB a page.
  const images = Array.from({ length: 40 }, (_, index) => ({
    url: `https://stay.example/${index}.jpg?${'x'.repeat(1900)}`,
    alt: 'A room',
    type: 'interior' as const,
  }));
  const properties = homes('hostile', HOMES_PER_PAGE, () => ({ images })).map(({ listing }) => listing);
  const listed = JSON.stringify(properties);
  let page = 0;
  here.hostile.misbehave = (path, response) => {
    if (path !== '/catalogue') return false;
    const number = page % PAGES;
    page += 1;
    const next = number === PAGES - 1 ? null : String(number + 1);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"properties":${listed},"next_page":${JSON.stringify(next)}}`);
    return true;
  };
  // A reading that is stopped at its budget never asks for all pages.
  await Promise.race([
    callsOf(here.hostile, '/catalogue', PAGES + 1),
    setTimeout(MAX_READING_MS, null, { ref: false }),
  ]);
  const grown = (await here.heapBytes()) - before;
  t.diagnostic(`the heap grew by ${(grown / 2 ** 20).toFixed(0)} MiB`);
  assert.ok(grown < MAX_HEAP_GROWTH_BYTES, `the heap grew by ${(grown / 2 ** 20).toFixed(0)} MiB`);
  const { body } = await here.modest.search();
  assert.ok(body.results.some(({ brand }: { brand: string }) => brand === 'Brand honest'));
});
