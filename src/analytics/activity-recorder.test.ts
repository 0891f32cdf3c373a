import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainActivityStore, totalsOf } from '../../test/support/plain-activity-store.ts';
import { systemRandom } from '../random.ts';
import { createActivityRecorder } from './activity-recorder.ts';
import { type Count, hourOf, MEASURES, NO_LABELS } from './count.ts';

const NOW = 1_800_000_000_000;

function aStage({ maxWaiting = 100 } = {}) {
  const clock = createFakeClock(NOW);
  const store = createPlainActivityStore();
  const failures: unknown[] = [];
  const lost: number[] = [];
  const recorder = createActivityRecorder({
    store,
    clock,
    random: systemRandom,
    onFailure: (failure) => void failures.push(failure),
    onLost: (counts) => void lost.push(counts),
    maxWaiting,
  });
  const shed = (reason: string) => recorder.count('shed', { reason });
  return {
    ...{ clock, store, recorder, failures, lost, shed },
    stored: () => numbersIn(store.totals()),
  };
}

/** By reason. */
function numbersIn(totals: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(totals).map(([text, number]) => [text.split('reason=')[1], Number.parseInt(number, 10)]),
  );
}

describe('the recorder of counts', () => {
  it('stores what was counted once a second, and nothing while nothing is counted', async () => {
    const { clock, store, shed, stored } = aStage();
    shed('one');
    for (let more = 0; more < 4; more += 1) shed('one');
    await clock.advance(999);
    assert.equal(store.tries, 0);
    await clock.advance(1);
    assert.deepEqual(stored(), { one: 5 });
    await clock.advance(60_000);
    assert.equal(store.tries, 1);
    assert.equal(clock.pendingTimers, 0);
  });

  for (const fault of ['refused', 'answer_lost'] as const) {
    it(`sends the same batch until its fate is known (${fault}), and counts nothing twice`, async () => {
      const { clock, store, failures, shed, stored } = aStage();
      store.fault = fault;
      shed('one');
      await clock.advance(3000);
      shed('one');
      shed('two');
      await clock.advance(3000);
      assert.equal(store.tries, 6);
      assert.equal(failures.length, 1, 'it is said once');
      store.fault = null;
      await clock.advance(1000);
      assert.deepEqual(stored(), { one: 2, two: 1 });
      assert.equal(store.tries, 8);
      store.fault = fault;
      shed('two');
      await clock.advance(1000);
      assert.equal(failures.length, 2);
    });
  }

  it('stores many in several batches', async () => {
    const { store, recorder, shed, stored } = aStage({ maxWaiting: 20_000 });
    for (let at = 0; at < 12_000; at += 1) shed(`reason ${at}`);
    await recorder.flush();
    assert.equal(store.tries, 3);
    assert.equal(Object.keys(stored()).length, 12_000);
  });

  it('says at most once a minute how many were left out, and goes on with what it knows', async () => {
    const { clock, store, lost, shed } = aStage({ maxWaiting: 2 });
    store.fault = 'refused';
    for (const reason of ['one', 'two', 'three', 'four']) shed(reason);
    await clock.advance(1000);
    assert.deepEqual(lost, [2]);
    for (const reason of ['five', 'six', 'seven']) shed(reason);
    await clock.advance(58_000);
    assert.deepEqual(lost, [2]);
    await clock.advance(3000);
    assert.deepEqual(lost, [2, 1]);
  });

  it('stores what there is when it stops, and says what it could not', async () => {
    const { clock, store, recorder, lost, shed, stored } = aStage();
    shed('one');
    await recorder.stop();
    assert.deepEqual(stored(), { one: 1 });
    assert.deepEqual(lost, []);
    const other = aStage();
    other.store.fault = 'refused';
    other.shed('one');
    await other.clock.advance(1000);
    other.shed('two');
    await other.recorder.stop();
    assert.deepEqual(other.lost, [2]);
    assert.equal(clock.pendingTimers + other.clock.pendingTimers, 0);
    assert.equal(store.tries, 1);
  });
});

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

describe('counts', () => {
  it('add up to what was counted, whatever is stored between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ one: aCount, isStored: fc.boolean() }), { maxLength: 80 }),
        async (steps) => {
          const { recorder, store } = aStage();
          for (const { one, isStored } of steps) {
            const { measure, hour, count, sum, ...labels } = one;
            recorder.count(measure, labels, { hour, count, sum });
            if (isStored) await recorder.flush();
          }
          await recorder.flush();
          const stored = store.batches().flatMap(({ counts }) => counts);
          assert.deepEqual(totalsOf(stored), totalsOf(steps.map(({ one }) => one)));
          assert.ok(stored.every(({ count, sum }) => count !== 0 || sum !== 0));
        },
      ),
    );
  });

  it('are of the hour that it is, and whole numbers', async () => {
    const { recorder, store } = aStage();
    recorder.count('requests', { assistant: 'claude' }, { sum: 1.6 });
    recorder.count('requests', { assistant: 'claude' }, { sum: -0.2 });
    await recorder.flush();
    const counted = { ...NO_LABELS, assistant: 'claude', measure: 'requests', hour: hourOf(NOW) };
    assert.deepEqual(store.batches()[0]?.counts, [{ ...counted, count: 2, sum: 2 }]);
  });
});
