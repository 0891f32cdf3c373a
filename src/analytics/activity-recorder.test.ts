import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainActivityStore, totalsOf } from '../../test/support/plain-activity-store.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { systemRandom } from '../random.ts';
import type { NotedTally, SessionTally } from '../sessions/session.ts';
import { createActivityRecorder, type FirstCount } from './activity-recorder.ts';
import { type Count, hourOf, MEASURES, NO_LABELS } from './count.ts';

const NOW = 1_800_000_000_000;

function aStage({ maxWaiting = 100 } = {}) {
  const clock = createFakeClock(NOW);
  const store = createPlainActivityStore();
  const failures: unknown[] = [];
  const lost: number[] = [];
  const noted: (readonly [string, number])[][] = [];
  const sessions: { isAway: boolean; ours: readonly number[]; replaced: NotedTally['replaced'] } = {
    isAway: false,
    ours: [1, 2, 3, 4, 5],
    replaced: null,
  };
  const recorder = createActivityRecorder({
    store,
    sessions: {
      async noteTallies(some) {
        noted.push(Array.from(some, ([id, { changes }]) => [id, changes] as const));
        if (sessions.isAway) throw new Error('away');
        const { replaced, ours: own } = sessions;
        return new Map(Array.from(some.keys(), (id) => [id, { replaced, own }]));
      },
    },
    clock,
    random: systemRandom,
    onFailure: (failure) => void failures.push(failure),
    onLost: (counts) => void lost.push(counts),
    maxWaiting,
  });
  const shed = (reason: string) => recorder.count('shed', { reason });
  return {
    ...{ clock, store, recorder, failures, lost, shed, noted, sessions, tallies: recorder.tallies },
    stored: () => numbersIn(store.totals()),
    counted: () => store.batches().flatMap(({ counts }) => counts.map(textOf)),
  };
}

function textOf({ measure, facet, reason, count, hour }: Count): string {
  return measure === 'standings' ? `${facet} ${reason} ${count}` : `${measure} ${facet} ${hour}`;
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

const tally = (changes: number, counted: readonly number[] = [], refusal = ''): SessionTally => ({
  changes,
  stage: refusal === '' ? '' : 'guests',
  refusal,
  counted,
});

const first = (mark: number): FirstCount => ({
  mark,
  measure: 'missing_places',
  labels: { facet: `name ${mark}` },
  hour: 500_000,
});

describe('tallies of sessions', () => {
  it('count once what no other node has counted, in its own hour and after the store has said so', async () => {
    const { clock, counted, sessions, tallies } = aStage();
    sessions.ours = [1, 3];
    tallies.note(sampleSession('s'), tally(1, [1, 2]), [first(1), first(2)]);
    tallies.note(sampleSession('s'), tally(2, [1, 2, 3]), [first(3)]);
    await clock.advance(999);
    assert.deepEqual(counted(), []);
    await clock.advance(1);
    assert.deepEqual(counted(), ['missing_places name 1 500000', 'missing_places name 3 500000']);
    tallies.note(sampleSession('s'), tally(3, [1, 2, 3]), []);
    await clock.advance(1000);
    assert.equal(counted().length, 2);
  });

  it('count the refusal with which a session stands in place of the one that the store had', async () => {
    const { clock, counted, sessions, tallies } = aStage();
    sessions.replaced = { stage: 'destination', refusal: 'of another node' };
    tallies.note(sampleSession('s'), tally(1, [], 'ours'), []);
    await clock.advance(1000);
    assert.deepEqual(counted(), [
      'destination  1',
      'destination of another node -1',
      'guests  -1',
      'guests ours 1',
    ]);
    sessions.replaced = null;
    tallies.note(sampleSession('s'), tally(2, [], 'too late'), []);
    await clock.advance(1000);
    assert.equal(counted().length, 4);
  });

  it('keep what counts once until the store is back, no more than a limit, and say how much was left out', async () => {
    const { clock, counted, lost, sessions, recorder, tallies } = aStage({ maxWaiting: 2 });
    sessions.isAway = true;
    tallies.note(sampleSession('s'), tally(1, [1]), [first(1)]);
    await clock.advance(1000);
    tallies.note(sampleSession('s'), tally(2, [1, 2]), [first(2)]);
    tallies.note(sampleSession('other'), tally(1, [3]), [first(3)]);
    await clock.advance(5000);
    assert.deepEqual(lost, [1]);
    assert.deepEqual(counted(), []);
    sessions.isAway = false;
    await clock.advance(1000);
    assert.deepEqual(counted(), ['missing_places name 1 500000', 'missing_places name 2 500000']);
    sessions.isAway = true;
    tallies.note(sampleSession('other'), tally(2, [3, 4]), [first(4)]);
    await recorder.stop();
    assert.deepEqual(lost, [1, 1], 'what is not counted any more');
  });

  it('are remembered at once and noted a second later, each session once', async () => {
    const { clock, noted, tallies } = aStage();
    assert.deepEqual(tallies.of(sampleSession('s')), { changes: 0, stage: '', refusal: '', counted: [] });
    tallies.note(sampleSession('s'), tally(1), []);
    tallies.note(sampleSession('other'), tally(1), []);
    tallies.note(sampleSession('s'), tally(2, [7]), []);
    assert.deepEqual(tallies.of(sampleSession('s')), tally(2, [7]));
    await clock.advance(1000);
    assert.deepEqual(noted, [
      [
        ['s', 2],
        ['other', 1],
      ],
    ]);
    await clock.advance(10_000);
    assert.equal(noted.length, 1);
  });

  it('are joined with what another node has noted: the later refusal, and all that was counted', () => {
    const { tallies } = aStage();
    assert.deepEqual(tallies.of({ ...sampleSession('s'), tally: tally(3, [1]) }), tally(3, [1]));
    tallies.note(sampleSession('s'), tally(4, [1, 2], 'ours'), []);
    const theirs = { ...sampleSession('s'), tally: tally(5, [1, 3], 'theirs') };
    assert.deepEqual(tallies.of(theirs), tally(5, [1, 2, 3], 'theirs'));
    const older = { ...sampleSession('s'), tally: tally(2, [3], 'older') };
    assert.deepEqual(tallies.of(older), tally(4, [1, 2, 3], 'ours'));
  });

  it('wait for a store that is away, the latest of each session', async () => {
    const { clock, noted, sessions, tallies } = aStage();
    sessions.isAway = true;
    tallies.note(sampleSession('s'), tally(1), []);
    tallies.note(sampleSession('other'), tally(1), []);
    await clock.advance(1000);
    tallies.note(sampleSession('s'), tally(2), []);
    sessions.isAway = false;
    await clock.advance(1000);
    assert.deepEqual(noted.at(-1), [
      ['s', 2],
      ['other', 1],
    ]);
  });

  it('are forgotten here some minutes after they were noted', async () => {
    const { clock, tallies } = aStage();
    tallies.note(sampleSession('s'), tally(1, [5]), []);
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(61_000);
      tallies.note(sampleSession('other'), tally(minute), []);
    }
    assert.deepEqual(tallies.of(sampleSession('s')).counted, []);
  });

  it('are remembered for as long as the store does not have them', async () => {
    const { clock, sessions, tallies } = aStage();
    sessions.isAway = true;
    tallies.note(sampleSession('s'), tally(1, [5]), []);
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(61_000);
      tallies.note(sampleSession('other'), tally(minute), []);
    }
    assert.deepEqual(tallies.of(sampleSession('s')).counted, [5]);
  });

  it('are noted when the service stops', async () => {
    const { clock, noted, recorder, tallies } = aStage();
    tallies.note(sampleSession('s'), tally(1), []);
    await recorder.stop();
    assert.equal(noted.length, 1);
    assert.equal(clock.pendingTimers, 0);
  });
});
