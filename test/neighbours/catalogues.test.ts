import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sliceOf } from '../support/compare-slices.ts';
import { inAttempts, wasHeldLittle } from '../support/longest-hold.ts';
import { callsOf, homes, startNeighbourhood } from '../support/neighbourhood.ts';

/** Whatever an operator sends, the others do not wait longer than this for the event loop. */
const MAX_HOLD_MS = 50;
const REPEATED_WORDS = 'a bright room near the old harbour, ';
const textOf = (length: number) => REPEATED_WORDS.repeat(length / REPEATED_WORDS.length).slice(0, length);

test('a catalogue of 800 homes and 15 MiB of text never holds the event loop', {
  timeout: 240_000,
}, async (t) => {
  const here = await startNeighbourhood();
  t.after(() => here.close());
  const listings = homes('hostile', 800, () => ({
    cancellation: { summary: textOf(15_000) },
    summary: textOf(1900),
    location: textOf(1900),
  })).map(({ listing }) => listing);
  const bytes = Buffer.from(JSON.stringify({ properties: listings, next_page: null }));
  await inAttempts(async () => {
    here.hostile.misbehave = (path, response) => {
      if (path !== '/catalogue') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(bytes);
      return true;
    };
    await callsOf(here.hostile, '/catalogue');
    const { errors } = await sliceOf(25, async () => {
      const { body } = await here.modest.search();
      return body.results?.some(({ brand }: { brand: string }) => brand === 'Brand honest') ?? false;
    });
    // The next reading begins only after this one has been taken in.
    await callsOf(here.hostile, '/catalogue');
    wasHeldLittle(t, { what: 'a catalogue', maxMs: MAX_HOLD_MS, heldMs: await here.longestHoldMs() });
    assert.equal(errors, 0, 'the honest homes stay in the results');
  });
});
