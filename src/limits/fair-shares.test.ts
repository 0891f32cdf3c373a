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
