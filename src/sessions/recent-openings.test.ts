import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { recentOpeningsContract } from './recent-openings.contract.ts';
import { createRecentOpenings, type NewOpenings, type RecentOpenings } from './recent-openings.ts';

describe('recent openings', () => {
  recentOpeningsContract({
    async ofNodes(_test, nodes) {
      const byPurpose = new Map<string, RecentOpenings<unknown>>();
      const newOpenings = (purpose: string) => {
        const openings = byPurpose.get(purpose) ?? createRecentOpenings(createFakeClock(0));
        byPurpose.set(purpose, openings);
        return openings;
      };
      return Array.from({ length: nodes }, () => newOpenings as NewOpenings);
    },
  });

  it('last a minute whatever becomes of the wall clock, and then leave memory', async () => {
    for (const step of [0, -7_200_000, 7_200_000]) {
      const clock = createFakeClock(Date.parse('2026-11-15T09:30:00Z'));
      const openings = createRecentOpenings<string>(clock);
      openings.remember('id', 's', 'token');
      clock.stepWallClock(step);
      await clock.advance(60_000);
      assert.equal(await openings.find('id'), 'token');
      await clock.advance(1);
      assert.equal(await openings.find('id'), undefined);
      assert.equal(openings.size, 0);
    }
  });

  it('are bounded: the oldest go first', async () => {
    const openings = createRecentOpenings<string>(createFakeClock(0), 3);
    for (const id of ['a', 'b', 'c', 'd']) openings.remember(id, id, id);
    assert.equal(openings.size, 3);
    assert.equal(await openings.find('a'), undefined);
    assert.equal(await openings.find('b'), 'b');
  });
});
