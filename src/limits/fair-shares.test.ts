import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairShares } from './load-shedding.ts';

const LIMIT = 2000;

/** Takes as many as it can get. */
function fill(shares: ReturnType<typeof createFairShares>, caller: readonly string[], limit = LIMIT) {
  const releases: (() => void)[] = [];
  for (let release = shares.take(caller, limit); release; release = shares.take(caller, limit)) {
    releases.push(release);
  }
  return releases;
}

/** With as many addresses and sessions as that takes. */
function fillAssistant(shares: ReturnType<typeof createFairShares>, assistant: string): number {
  const before = shares.root.held;
  for (let address = 0; address < 10; address += 1) {
    for (let session = 0; session < LIMIT; session += 1) {
      shares.take([assistant, `${address}`, `${session}`], LIMIT);
    }
  }
  return shares.root.held - before;
}

test('nobody gets everything: something is left for whoever comes next', () => {
  const shares = createFairShares();
  assert.equal(fillAssistant(shares, 'greedy'), 1500);
  assert.ok(shares.take(['modest', 'address', 'session'], LIMIT));
  assert.ok(fillAssistant(shares, 'second') > 300);
  assert.ok(shares.take(['third', 'address', 'session'], LIMIT));
  assert.ok(shares.root.held < LIMIT);
});

test('an assistant, an address and a session each leave something to those beside them', () => {
  const shares = createFairShares();
  for (let session = 0; session < 500; session += 1) {
    for (let request = 0; request < 9; request += 1) shares.take(['a', 'address', `${session}`], LIMIT);
  }
  const { held } = shares.root;
  assert.ok(held > LIMIT * 0.4 && held < LIMIT * 0.6, `${held}`);
  assert.equal(shares.take(['a', 'address', '0'], LIMIT), null, 'the greedy ones wait');
  assert.ok(shares.take(['a', 'address', 'modest'], LIMIT), 'another session at the same address');
  assert.ok(shares.take(['a', 'elsewhere', 'modest'], LIMIT), 'another address of the same assistant');
  assert.ok(shares.take(['b', 'address', 'modest'], LIMIT), 'another assistant');
});

test('who holds much shrinks to its share as its places come back', () => {
  const shares = createFairShares();
  const names = ['greedy', 'modest'] as const;
  const held = { greedy: [] as (() => void)[], modest: [] as (() => void)[] };
  let session = 0;
  const take = (name: (typeof names)[number]) => {
    session += 1;
    const release = shares.take([name, 'address', `${session}`], LIMIT);
    if (release) held[name].push(release);
    return release !== null;
  };
  while (take('greedy'));
  while (take('modest'));
  const before = held.modest.length;
  for (let round = 0; round < LIMIT; round += 1) {
    held.greedy.shift()?.();
    for (const name of names) take(name);
  }
  assert.ok(held.modest.length > before);
  const difference = held.greedy.length - held.modest.length;
  assert.ok(Math.abs(difference) <= 2, `${held.greedy.length} and ${held.modest.length}`);
});

test('whoever takes and gives back: the limit holds, whoever holds nothing gets a place, and no trace stays', () => {
  const path = fc.tuple(
    fc.constantFrom('a', 'b'),
    fc.constantFrom('x', 'y'),
    fc.constantFrom('1', '2', '3', '4'),
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(path, fc.nat(100)), { maxLength: 300 }),
      fc.integer({ min: 20, max: 80 }),
      (events, limit) => {
        const shares = createFairShares();
        const held: (() => void)[] = [];
        for (const event of events) {
          if (typeof event === 'number') {
            const [release] = held.splice(event % Math.max(1, held.length), 1);
            release?.();
            release?.();
          } else {
            const release = shares.take(event, limit);
            if (release) held.push(release);
          }
          assert.equal(shares.root.held, held.length);
          assert.ok(held.length < limit);
        }
        const stranger = shares.take(['somebody', 'else', 'altogether'], limit);
        assert.ok(stranger);
        for (const release of [...held, stranger]) release();
        assert.equal(shares.root.held, 0);
        assert.equal(fill(shares, ['alone'], 100).length, 50, 'as if nobody had ever been there');
      },
    ),
  );
});
