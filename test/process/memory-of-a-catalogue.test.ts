import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../src/clock.ts';
import { createCatalogueReader } from '../../src/connectors/open/catalogue.ts';
import { createIntakeThreads } from '../../src/connectors/shared/intake/intake-threads.ts';
import { plainContext, plainListing } from '../support/plain-listing.ts';

const PAGES = 16;
const PAGE_BYTES = 15 * 1024 * 1024;
const HOMES_A_PAGE = 20;
const MAX_KEPT_BYTES_A_HOME = 10_000;
/** The page that was read last may still wait for a collection that a busy machine puts off. */
const MAX_OTHER_BYTES = PAGE_BYTES + 4 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The least of a few looks: memory that has moved to another thread is freed there, in that thread's own time. */
async function usedBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 10; look += 1) {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    least = Math.min(least, heapUsed + arrayBuffers);
    await setTimeout(50);
  }
  return least;
}

/** A few homes, and megabytes of listings that are held back. */
function pageOf(number: number) {
  const homes = Array.from({ length: HOMES_A_PAGE }, (_, at) => ({
    ...plainListing,
    reference: `casa-${number}-${at}`,
  }));
  const filler = { ...plainListing, reference: 'no reference', summary: 'x'.repeat(15_000) };
  const properties = [...homes, ...Array(900).fill(filler)];
  const text = JSON.stringify({ properties, next_page: number < PAGES ? String(number + 1) : null });
  return new TextEncoder().encode(text.padEnd(PAGE_BYTES));
}

test('of a catalogue as large as it may be, only the homes that are shown are kept', async (t) => {
  const intake = createIntakeThreads({ places: plainContext.places, clock: systemClock });
  t.after(() => intake.close());
  const readCatalogue = createCatalogueReader({
    client: {
      get: async (path) => ({
        kind: 'document',
        bytes: pageOf(Number(path.split('=')[1] ?? 1)),
        digest: path,
        etag: null,
      }),
    },
    async parse(document, signal, take) {
      const { places: _, ...parameters } = plainContext;
      const order = { task: 'catalogue_page', lane: 'background', brand: 'casas', document } as const;
      return (await intake.run({ ...order, parameters, signal, take })).summary;
    },
    // Four times as much may be sent, which the pages do.
    budget: { listings: 20_000, bytes: 64 * 2 ** 20 },
  });
  const options = { timeoutMs: 60_000, maxBytes: PAGE_BYTES, signal: new AbortController().signal };
  const before = await usedBytes();
  const reading = await readCatalogue(options);
  const keptBytes = (await usedBytes()) - before;
  const homes = reading.properties.length;
  t.diagnostic(
    `${homes} homes of ${(PAGES * PAGE_BYTES) / 2 ** 20} MiB: ${(keptBytes / 2 ** 20).toFixed(1)} MiB kept`,
  );
  assert.equal(homes, PAGES * HOMES_A_PAGE);
  assert.ok(keptBytes < homes * MAX_KEPT_BYTES_A_HOME + MAX_OTHER_BYTES, `${keptBytes} bytes are kept`);
});
