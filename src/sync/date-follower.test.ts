import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createDateFollower } from './date-follower.ts';

describe('the date follower', () => {
  it('asks the index when a minute begins, in turns until nothing is left, and again a few seconds later', async () => {
    const clock = createFakeClock(Date.parse('2027-03-01T23:59:57Z'));
    const asked: string[] = [];
    let left = 0;
    const index = {
      followDate(now: number) {
        asked.push(new Date(now).toISOString().slice(11, 19));
        left -= 1;
        return left > 0;
      },
    };
    const follower = createDateFollower({ index, clock, onFailure: () => assert.fail() });
    follower.start();
    await clock.advance(2000);
    assert.deepEqual(asked, []);
    left = 3;
    await clock.advance(1000);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    assert.deepEqual(asked, ['00:00:00', '00:00:00', '00:00:00']);
    await clock.advance(5000);
    assert.equal(asked.at(-1), '00:00:05');
    left = 100;
    await clock.advance(5000);
    await follower.stop();
    const until = asked.length;
    await clock.advance(600_000);
    await nextTurn();
    assert.equal(asked.length, until);
  });

  it('goes on after an index that could not be had for once', async () => {
    const clock = createFakeClock(Date.parse('2027-03-01T00:00:00Z'));
    let asked = 0;
    const failures: unknown[] = [];
    const held = new Error('held');
    const follower = createDateFollower({
      index: {
        followDate() {
          asked += 1;
          if (asked === 1) throw held;
          return false;
        },
      },
      clock,
      onFailure: (error) => failures.push(error),
    });
    follower.start();
    await clock.advance(5000);
    assert.deepEqual(failures, [held]);
    await clock.advance(5000);
    assert.equal(asked, 2);
    await follower.stop();
  });
});
