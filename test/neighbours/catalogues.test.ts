import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertUnharmed, sliceOf } from '../support/compare-slices.ts';
import { inAttempts, wasHeldLittle } from '../support/longest-hold.ts';
import { callsOf, homes, type Neighbourhood, startNeighbourhood } from '../support/neighbourhood.ts';

/** Whatever an operator sends, nobody else waits longer than this for the event loop. */
const MAX_HOLD_MS = 50;
const REPEATED_WORDS = 'a bright room near the old harbour, ';
const textOf = (length: number) => REPEATED_WORDS.repeat(length / REPEATED_WORDS.length).slice(0, length);
const page = (listings: readonly unknown[]) =>
  Buffer.from(JSON.stringify({ properties: listings, next_page: null }));
const pictures = (count: number, altLength: number) =>
  Array.from({ length: count }, (_, index) => ({
    url: `https://stay.example/${index}.jpg`,
    alt: textOf(altLength),
    type: 'interior' as const,
  }));

describe('a catalogue never holds the event loop', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood();
  });
  after(() => here.close());

  const pages: readonly (readonly [string, Buffer])[] = [
    [
      'with 800 listings and 15 MiB of text',
      page(
        homes('hostile', 800, () => ({
          cancellation: { summary: textOf(15_000) },
          summary: textOf(1900),
          location: textOf(1900),
        })).map(({ listing }) => listing),
      ),
    ],
    [
      'of an honest brand with 40 pictures for each of 1,000 homes',
      page(homes('hostile', 1000, () => ({ images: pictures(40, 60) })).map(({ listing }) => listing)),
    ],
  ];
  for (const [what, bytes] of pages) {
    it(what, { timeout: 120_000 }, (t) =>
      inAttempts(async () => {
        here.hostile.misbehave = (path, response) => {
          if (path !== '/catalogue') return false;
          response.writeHead(200, { 'content-type': 'application/json' }).end(bytes);
          return true;
        };
        await callsOf(here.hostile, '/catalogue');
        const { errors } = await sliceOf(25, searchesHonestly(here));
        // The next reading begins only after this one has been taken in.
        await callsOf(here.hostile, '/catalogue');
        wasHeldLittle(t, { what, maxMs: MAX_HOLD_MS, heldMs: await here.longestHoldMs() });
        assert.equal(errors, 0, 'the honest homes stay in the results');
      }),
    );
  }
});

describe('prices with long labels', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood({ hostile: homes('hostile', 20) });
  });
  after(() => here.close());

  it('neither hold the loop nor slow the others down', (t) =>
    inAttempts(async () => {
      const lines = Array.from({ length: 20 }, (_, index) => ({
        label: textOf(1900),
        amount: index === 0 ? '110.00' : '0.00',
      }));
      const noisyQuote: typeof here.hostile.quote = (reference, { currency }) => ({
        property: reference,
        status: 'quoted',
        currency,
        total: '110.00',
        lines,
      });
      const quietQuote = here.hostile.quote;
      await assertUnharmed(
        () => {
          here.hostile.quote = quietQuote;
          return sliceOf(15, searchesHonestly(here));
        },
        async () => {
          here.hostile.quote = noisyQuote;
          return sliceOf(15, searchesHonestly(here));
        },
      );
      wasHeldLittle(t, {
        what: 'prices with long labels',
        maxMs: MAX_HOLD_MS,
        heldMs: await here.longestHoldMs(),
      });
    }));
});

function searchesHonestly({ modest }: Neighbourhood): () => Promise<boolean> {
  return async () => {
    const { body } = await modest.search();
    return body.results?.some(({ brand }: { brand: string }) => brand === 'Brand honest') ?? false;
  };
}
