import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SearchPlaces } from './assistant-limits.ts';

const TERMS = { limit: 2, maxMs: 60_000 };

/** The cases that every implementation must pass. */
export function searchPlacesContract(newPlaces: () => Promise<SearchPlaces>): void {
  test('an assistant has as many places as its limit, and one that is given back is free', async () => {
    const places = await newPlaces();
    const leave = await places.take('acme', TERMS);
    assert.ok(leave);
    assert.ok(await places.take('acme', TERMS));
    assert.equal(await places.take('acme', TERMS), null);
    leave();
    assert.ok(await places.take('acme', TERMS));
    assert.equal(await places.take('acme', TERMS), null);
  });

  test('one assistant takes no place of another', async () => {
    const places = await newPlaces();
    await places.take('greedy', TERMS);
    await places.take('greedy', TERMS);
    assert.equal(await places.take('greedy', TERMS), null);
    assert.ok(await places.take('modest', TERMS));
  });

  test('the limit is the one that is named with the search', async () => {
    const places = await newPlaces();
    const take = (limit: number) => places.take('acme', { ...TERMS, limit });
    const leave = [await take(2), await take(2)];
    assert.equal(await take(2), null);
    const third = await take(3);
    assert.ok(third, 'raised');
    assert.equal(await take(1), null, 'lowered');
    third();
    for (const one of leave) one?.();
    assert.ok(await take(1));
    assert.equal(await take(0), null);
  });

  test('any searches take as many places as a plain count has', async () => {
    const places = await newPlaces();
    const event = fc.record({
      assistant: fc.constantFrom('a', 'b'),
      limit: fc.integer({ min: 0, max: 4 }),
      ends: fc.option(fc.nat({ max: 5 })),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        runs += 1;
        const held: { readonly assistant: string; leave(): void }[] = [];
        for (const { assistant, limit, ends } of events) {
          if (ends !== null && held.length > 0) held.splice(ends % held.length, 1)[0]?.leave();
          const count = held.filter((one) => one.assistant === assistant).length;
          // Runs share the places, so each run has its own assistants.
          const leave = await places.take(`${assistant} of run ${runs}`, { ...TERMS, limit });
          assert.equal(leave !== null, count < limit);
          if (leave) held.push({ assistant, leave });
        }
      }),
    );
  });
}
