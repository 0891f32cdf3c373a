import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { applyChange, randomWorld } from '../../test/support/random-world.ts';
import { createRestartedIndex } from '../../test/support/restarted-index.ts';
import { createWorldIndex, WORLD_INDEX } from '../../test/support/world-index.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { answersOf } from './availability-index.contract.ts';

it('answers as its twin does, alone and after restarts from snapshots, whatever happens', (t) => {
  let compared = 0;
  fc.assert(
    fc.property(randomWorld({ longestCalendar: 40, maxChanges: 12 }), ({ network, changes, questions }) => {
      const twin = createPlainAvailabilityIndex(network);
      const asked = [createWorldIndex(network), createRestartedIndex(network)];
      for (const [number, change] of changes.entries()) {
        for (const one of [...asked, twin]) applyChange(change, one);
        const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, WORLD_INDEX.now];
        // Sometimes tiles have followed the date before a question.
        if (number % 3 === 0) for (const one of asked) one.followDate(now);
        const expected = answersOf(twin, criteria, now);
        for (const one of asked) assert.deepEqual(answersOf(one, criteria, now), expected);
        compared += asked.length;
      }
    }),
    { numRuns: scaledCases(40) },
  );
  t.diagnostic(`${compared} states and questions compared`);
});
