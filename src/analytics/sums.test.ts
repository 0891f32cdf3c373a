import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { totalsOf } from '../../test/support/plain-activity-store.ts';
import { type Count, hourOf, MEASURES, NO_LABELS } from './count.ts';
import { createSums, createThreadCounts, type ThreadSums } from './sums.ts';

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
  it('hold what was counted, one by one or by another thread, whatever is taken between', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ one: aCount, way: fc.nat(3) }), { maxLength: 80 }), (steps) => {
        const { sums } = aStage();
        const taken: Count[] = [];
        for (const { one, way } of steps) {
          const { measure, hour, count, sum, ...labels } = one;
          if (way === 0) sums.add([one]);
          else sums.count(measure, labels, { hour, count, sum });
          if (way === 1) taken.push(...sums.take());
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

it('what a thread counts is sent once a second, and what is left at its end', async () => {
  const clock = createFakeClock(1_800_000_000_000);
  const sent: ThreadSums[] = [];
  const counts = createThreadCounts({ clock, send: (sums) => void sent.push(sums) });
  const numbers = () => sent.map((sums) => sums.counts.map(({ count }) => count));
  counts.count('shed', { reason: 'search' });
  counts.count('shed', { reason: 'search' });
  await clock.advance(999);
  assert.deepEqual(numbers(), []);
  await clock.advance(1);
  assert.deepEqual(numbers(), [[2]]);
  await clock.advance(10_000);
  assert.equal(sent.length, 1, 'nothing is sent where nothing was counted');
  counts.count('shed', { reason: 'search' });
  counts.flush();
  counts.count('shed', { reason: 'auth' });
  counts.stop();
  assert.deepEqual(numbers(), [[2], [1], [1]]);
  assert.equal(clock.pendingTimers, 0);
});
