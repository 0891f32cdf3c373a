import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { NotedTally, SessionTally } from '../sessions/session.ts';
import { createSessionTallies, type FirstCount } from './session-tallies.ts';

function aStage({ maxFirsts = 100 } = {}) {
  const clock = createFakeClock(1_800_000_000_000);
  const noted: (readonly [string, number])[][] = [];
  const store: { isAway: boolean; ours: readonly number[]; replaced: NotedTally['replaced'] } = {
    isAway: false,
    ours: [1, 2, 3, 4, 5],
    replaced: null,
  };
  const counted: string[] = [];
  const lost: number[] = [];
  const tallies = createSessionTallies({
    clock,
    sessions: {
      async noteTallies(some) {
        noted.push(Array.from(some, ([id, { changes }]) => [id, changes] as const));
        if (store.isAway) throw new Error('away');
        return new Map(Array.from(some.keys(), (id) => [id, { replaced: store.replaced, own: store.ours }]));
      },
    },
    count(measure, { facet, reason = '' }, amounts) {
      counted.push(
        measure === 'standings'
          ? `${facet} ${reason} ${amounts?.count}`
          : `${measure} ${facet} ${amounts?.hour}`,
      );
    },
    onLost: (counts) => void lost.push(counts),
    maxFirsts,
  });
  return { clock, noted, store, counted, lost, tallies };
}

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
    const { clock, counted, store, tallies } = aStage();
    store.ours = [1, 3];
    tallies.note(sampleSession('s'), tally(1, [1, 2]), [first(1), first(2)]);
    tallies.note(sampleSession('s'), tally(2, [1, 2, 3]), [first(3)]);
    await clock.advance(999);
    assert.deepEqual(counted, []);
    await clock.advance(1);
    assert.deepEqual(counted, ['missing_places name 1 500000', 'missing_places name 3 500000']);
    tallies.note(sampleSession('s'), tally(3, [1, 2, 3]), []);
    await clock.advance(1000);
    assert.equal(counted.length, 2);
  });

  it('count the refusal with which a session stands in place of the one that the store had', async () => {
    const { clock, counted, store, tallies } = aStage();
    store.replaced = { stage: 'destination', refusal: 'of another node' };
    tallies.note(sampleSession('s'), tally(1, [], 'ours'), []);
    await clock.advance(1000);
    assert.deepEqual(counted, [
      'destination  1',
      'destination of another node -1',
      'guests  -1',
      'guests ours 1',
    ]);
    store.replaced = null;
    tallies.note(sampleSession('s'), tally(2, [], 'too late'), []);
    await clock.advance(1000);
    assert.equal(counted.length, 4);
  });

  it('keep what counts once until the store is back, no more than a limit, and tell how much was left out', async () => {
    const { clock, counted, lost, store, tallies } = aStage({ maxFirsts: 2 });
    store.isAway = true;
    tallies.note(sampleSession('s'), tally(1, [1]), [first(1)]);
    await clock.advance(1000);
    tallies.note(sampleSession('s'), tally(2, [1, 2]), [first(2)]);
    tallies.note(sampleSession('other'), tally(1, [3]), [first(3)]);
    assert.deepEqual(lost, [1]);
    await clock.advance(5000);
    assert.deepEqual(counted, []);
    store.isAway = false;
    await clock.advance(1000);
    assert.deepEqual(counted, ['missing_places name 1 500000', 'missing_places name 2 500000']);
    store.isAway = true;
    tallies.note(sampleSession('other'), tally(2, [3, 4]), [first(4)]);
    await tallies.stop();
    assert.deepEqual(lost, [1, 1], 'what nobody will count any more');
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
    const { clock, noted, store, tallies } = aStage();
    store.isAway = true;
    tallies.note(sampleSession('s'), tally(1), []);
    tallies.note(sampleSession('other'), tally(1), []);
    await clock.advance(1000);
    tallies.note(sampleSession('s'), tally(2), []);
    store.isAway = false;
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
    const { clock, store, tallies } = aStage();
    store.isAway = true;
    tallies.note(sampleSession('s'), tally(1, [5]), []);
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(61_000);
      tallies.note(sampleSession('other'), tally(minute), []);
    }
    assert.deepEqual(tallies.of(sampleSession('s')).counted, [5]);
  });

  it('are noted when the service stops', async () => {
    const { clock, noted, tallies } = aStage();
    tallies.note(sampleSession('s'), tally(1), []);
    await tallies.stop();
    assert.equal(noted.length, 1);
    assert.equal(clock.pendingTimers, 0);
  });
});
