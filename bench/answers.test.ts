import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { measureSearches } from './answers.ts';

/** Calls, and bytes as sent to a client that accepts compression. */
const GOALS: Readonly<Record<string, readonly [number, number]>> = {
  'POST, several fields at once, compact': [2, 14_000],
  'GET only, named fields, compact': [2, 14_000],
  'GET only, links one field at a time, compact': [7, 40_000],
  // The first release sent 50,577 bytes, uncompressed.
  'POST, several fields at once, full': [2, 50_577],
};

test('a whole search of twenty options stays within its calls and bytes', async () => {
  const costs = await measureSearches();
  const page = readFileSync(new URL('../docs/for-assistants.md', import.meta.url), 'utf8');
  for (const [way, [calls, bytes]] of Object.entries(GOALS)) {
    const cost = costs.find((one) => one.way === way);
    assert.ok(cost, way);
    assert.equal(cost.options, 20, way);
    assert.ok(cost.calls <= calls, `${way}: ${cost.calls} calls`);
    assert.ok(cost.wireBytes <= bytes, `${way}: ${cost.wireBytes} bytes`);
    const published = new RegExp(`\\| ${way} \\| (\\d+) \\| 20 \\| ([\\d,]+) \\| ([\\d,]+) \\|`).exec(page);
    assert.ok(published, `docs/for-assistants.md has no figures for: ${way}`);
    const [sent, text] = published.slice(2).map((figure) => Number(figure.replaceAll(',', '')));
    assert.equal(Number(published[1]), cost.calls);
    // Tokens and quote identifiers are random, so the compressed size differs by a little.
    assert.ok(
      Math.abs((sent ?? 0) - cost.wireBytes) < cost.wireBytes * 0.05,
      `${way}: ${cost.wireBytes} bytes sent`,
    );
    assert.ok(
      Math.abs((text ?? 0) - cost.textBytes) < cost.textBytes * 0.02,
      `${way}: ${cost.textBytes} bytes of text`,
    );
  }
});
