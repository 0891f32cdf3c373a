import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { totalsOf } from '../../test/support/plain-activity-store.ts';
import { type Count, hourOf, MEASURES, NO_LABELS } from './count.ts';
import { createSums } from './sums.ts';

const NOW = 1_800_000_000_000;

function aStage(maxCounts?: number) {
  const clock = createFakeClock(NOW);
  let firsts = 0;
  const sums = createSums({
    clock,
    onFirst() {
      firsts += 1;
    },
    ...(maxCounts === undefined ? {} : { maxCounts }),
  });
  return { clock, sums, firsts: () => firsts };
}

const label = fc.constantFrom('', 'a', 'b', 'a\u00e9 b');
const aCount: fc.Arbitrary<Count> = fc.record({
  measure: fc.constantFrom(...MEASURES.slice(0, 3)),
  hour: fc.constantFrom(hourOf(NOW), 7),
  brand: label,
  assistant: label,
  place: label,
  facet: label,
  reason: label,
  count: fc.integer({ min: -2, max: 3 }),
  sum: fc.integer({ min: -5, max: 5 }),
});

describe('sums', () => {
  it('hold what was counted, whatever is taken between', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ one: aCount, isTaken: fc.boolean() }), { maxLength: 80 }), (steps) => {
        const { sums } = aStage();
        const taken: Count[] = [];
        for (const { one, isTaken } of steps) {
          const { measure, hour, count, sum, ...labels } = one;
          sums.count(measure, labels, { hour, count, sum });
          if (isTaken) taken.push(...sums.take());
        }
        taken.push(...sums.take());
        assert.equal(sums.size, 0);
        assert.deepEqual(totalsOf(taken), totalsOf(steps.map(({ one }) => one)));
        assert.ok(taken.every(({ count, sum }) => count !== 0 || sum !== 0));
      }),
    );
  });

  it('count one in the hour that it is, and whole numbers', () => {
    const { sums } = aStage();
    sums.count('requests', { assistant: 'claude' }, { sum: 1.6 });
    sums.count('requests', { assistant: 'claude' }, { sum: -0.2 });
    const counted = { ...NO_LABELS, assistant: 'claude', measure: 'requests', hour: hourOf(NOW) };
    assert.deepEqual(sums.take(), [{ ...counted, count: 2, sum: 2 }]);
  });

  it('tell of the first that waits, once until all are taken', () => {
    const { sums, firsts } = aStage();
    sums.count('shed', { reason: 'search' });
    sums.count('shed', { reason: 'auth' });
    assert.equal(firsts(), 1);
    sums.take();
    sums.count('shed', { reason: 'search' });
    assert.equal(firsts(), 2);
  });

  it('leave out what is new once too many wait, say how many, and go on with what they know', () => {
    const { sums } = aStage(2);
    for (const reason of ['one', 'two', 'three', 'one', 'four']) sums.count('shed', { reason });
    assert.equal(sums.takeLost(), 2);
    assert.equal(sums.takeLost(), 0);
    assert.deepEqual(
      sums.take().map(({ reason, count }) => [reason, count]),
      [
        ['one', 2],
        ['two', 1],
      ],
    );
  });
});
