import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../../test/support/plain-availability-index.ts';
import { applyChange, randomWorld, SOME_DAY } from '../../../test/support/random-world.ts';
import { createWorldIndex } from '../../../test/support/world-index.ts';
import type { Network } from '../catalogue.ts';
import { ANY_STAY } from '../stay-criteria.ts';
import { answersOf, availabilityIndexContract } from './availability-index.contract.ts';
import { createShareableIndex, openSharedIndex } from './shared-index.ts';

const MS_PER_DAY = 86_400_000;

/** What one thread writes, and what others read of it. */
function shared(network: Network, readers: number) {
  const { index: written, share } = createShareableIndex(createWorldIndex(network), readers + 1);
  const { put, holds, homes, load, remove, removeAll, withdraw } = written;
  return {
    written,
    readers: Array.from({ length: readers }, (_, reader) => ({
      ...openSharedIndex(network, share(reader + 1), SOME_DAY * MS_PER_DAY),
      put,
      holds,
      homes,
      load,
      remove,
      removeAll,
      withdraw,
      get propertyCount() {
        return written.propertyCount;
      },
    })),
  };
}

describe('an index that is written by one thread and read by another', () => {
  availabilityIndexContract({
    newIndex(network) {
      const { written, readers } = shared(network, 1);
      return readers[0] ?? written;
    },
  });

  it('gives the same answers to all, whoever has asked before and whatever the date', () => {
    fc.assert(
      fc.property(randomWorld({ longestCalendar: 40, maxChanges: 10 }), ({ network, changes, questions }) => {
        const { written, readers } = shared(network, 2);
        const twin = createPlainAvailabilityIndex(network);
        for (const [number, change] of changes.entries()) {
          for (const one of [written, twin]) applyChange(change, one);
          const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, 0];
          const asked = [written, ...readers][number % 3] ?? written;
          assert.deepEqual(answersOf(asked, criteria, now), answersOf(twin, criteria, now));
        }
        for (const [criteria, now] of questions) {
          const expected = answersOf(twin, criteria, now);
          for (const asked of [...readers, written]) {
            assert.deepEqual(answersOf(asked, criteria, now), expected);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
