import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { measureSearches } from './answers.ts';

/** Calls, options, and bytes as sent to a client that accepts compression. */
const GOALS: Readonly<Record<string, readonly [number, number, number]>> = {
  'MCP, search_stays': [1, 5, 2500],
  'MCP, search_stays with max_options 20': [1, 20, 5000],
  'MCP, search_stays with two amenities': [1, 3, 5000],
  'MCP, asked for the rest, two amenities, one home': [4, 3, 14_000],
  'POST, several fields at once, compact': [2, 20, 14_000],
  'GET only, named fields, compact': [2, 20, 14_000],
  'GET only, links one field at a time, compact': [7, 20, 40_000],
  // The first release sent 50,577 bytes, uncompressed.
  'POST, several fields at once, full': [2, 20, 50_577],
};

test('a whole search stays within its calls and bytes, as published', async () => {
  const costs = await measureSearches();
  const page = readFileSync(new URL('../docs/for-assistants.md', import.meta.url), 'utf8');
  for (const [way, [calls, options, bytes]] of Object.entries(GOALS)) {
    const cost = costs.find((one) => one.way === way);
    assert.ok(cost, way);
    assert.equal(cost.options, options, way);
    assert.ok(cost.calls <= calls, `${way}: ${cost.calls} calls`);
    assert.ok(cost.wireBytes <= bytes, `${way}: ${cost.wireBytes} bytes`);
    const row = page.split('\n').find((line) => line.startsWith(`| ${way} |`));
    assert.ok(row, `docs/for-assistants.md has no figures for: ${way}`);
    const published = row.split('|').slice(2, -1);
    const [callsThere, optionsThere, sent, text, tokens] = published.map((one) =>
      Number(one.replaceAll(',', '')),
    );
    assert.deepEqual([callsThere, optionsThere], [cost.calls, cost.options], way);
    // Session tokens and quote identifiers are random, so that the sizes differ by a little.
    assertNear(sent, cost.wireBytes, 0.05, `${way}: bytes sent`);
    assertNear(text, cost.textBytes, 0.02, `${way}: bytes of text`);
    assertNear(tokens, cost.textTokens, 0.06, `${way}: tokens of text`);
  }
});

function assertNear(published: number | undefined, measured: number, share: number, what: string): void {
  assert.ok(
    Math.abs((published ?? 0) - measured) < measured * share,
    `${what}: ${published}, now ${measured}`,
  );
}
