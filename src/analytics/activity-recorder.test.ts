import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainActivityStore } from '../../test/support/plain-activity-store.ts';
import { systemRandom } from '../random.ts';
import { createActivityRecorder } from './activity-recorder.ts';

function aStage({ maxCounts = 100 } = {}) {
  const clock = createFakeClock(1_800_000_000_000);
  const store = createPlainActivityStore();
  const failures: unknown[] = [];
  const lost: number[] = [];
  const recorder = createActivityRecorder({
    store,
    clock,
    random: systemRandom,
    onFailure: (failure) => void failures.push(failure),
    onLost: (counts) => void lost.push(counts),
    maxCounts,
  });
  const shed = (reason: string) => recorder.count('shed', { reason });
  return { clock, store, recorder, failures, lost, shed, stored: () => numbersIn(store.totals()) };
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
    const { store, recorder, shed, stored } = aStage({ maxCounts: 20_000 });
    for (let at = 0; at < 12_000; at += 1) shed(`reason ${at}`);
    await recorder.flush();
    assert.equal(store.tries, 3);
    assert.equal(Object.keys(stored()).length, 12_000);
  });

  it('says at most once a minute how many were left out, those that were dropped before too', async () => {
    const { clock, store, recorder, lost, shed } = aStage({ maxCounts: 2 });
    store.fault = 'refused';
    for (const reason of ['one', 'two', 'three', 'four']) shed(reason);
    await clock.advance(1000);
    assert.deepEqual(lost, [2]);
    recorder.noteLost(5);
    for (const reason of ['five', 'six', 'seven']) shed(reason);
    await clock.advance(58_000);
    assert.deepEqual(lost, [2]);
    await clock.advance(3000);
    assert.deepEqual(lost, [2, 6]);
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
