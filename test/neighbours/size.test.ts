import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homes, startNeighbourhood } from '../support/neighbourhood.ts';

const MAX_ENVELOPE_BYTES = 150 * 1024;
/** About 6 KB, with room for how it is counted. */
const MAX_OPTION_BYTES = 7 * 1024;

test('fifteen homes at all their limits make no great answer', async (t) => {
  const words = (length: number) => 'Quiet rooms by the sea '.repeat(length / 20).slice(0, length);
  const here = await startNeighbourhood({
    hostile: homes('hostile', 15, (index) => ({
      name: words(1900),
      summary: words(1900),
      location: words(1900),
      cancellation: { summary: words(19_000) },
      amenities: Object.fromEntries(Array.from({ length: 200 }, (_, key) => [`amenity_${key}`, words(190)])),
      images: Array.from({ length: 60 }, (_, picture) => ({
        url: `https://stay.example/${index}/${picture}.jpg?size=${'9'.repeat(1900)}`,
        alt: words(1900),
        type: 'interior' as const,
      })),
    })),
  });
  t.after(() => here.close());
  const lines = Array.from({ length: 50 }, (_, index) => ({
    label: words(1900),
    amount: index === 0 ? '90.00' : '0.00',
  }));
  here.hostile.quote = (reference, { currency, properties }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total: '90.00',
    // Of one home only: the whole answer has a limit too.
    ...(reference === properties[0] ? { lines: lines.slice(0, 8) } : {}),
  });
  const { body, bytes } = await here.modest.search();
  t.diagnostic(`the envelope has ${bytes} bytes`);
  assert.ok(bytes <= MAX_ENVELOPE_BYTES, `the envelope has ${bytes} bytes`);
  for (const option of body.results) {
    const size = Buffer.byteLength(JSON.stringify(option));
    assert.ok(size <= MAX_OPTION_BYTES, `an option has ${size} bytes`);
  }
  assert.ok(body.results.some(({ brand }: { brand: string }) => brand === 'Brand honest'));
});
