import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { recentOpeningsContract } from './recent-openings.contract.ts';
import {
  createRecentOpenings,
  type NewOpenings,
  type Opening,
  type RecentOpenings,
} from './recent-openings.ts';

const HOUR = 3_600_000;
const opening = (session: string): Opening => ({
  session: sampleSession(session),
  token: `token ${session}`,
});

function setUp(maxOpenings?: number) {
  const clock = createFakeClock(Date.parse('2026-11-15T09:30:00Z'));
  return { clock, openings: createRecentOpenings<Opening>(clock, maxOpenings) };
}

describe('recent openings', () => {
  it('are found by their id for a minute', async () => {
    const { clock, openings } = setUp();
    openings.remember('id', 's', opening('s'));
    assert.deepEqual(openings.find('id'), opening('s'));
    assert.equal(openings.find('another'), undefined);
    await clock.advance(60_000);
    assert.deepEqual(openings.find('id'), opening('s'));
    await clock.advance(1);
    assert.equal(openings.find('id'), undefined);
    assert.equal(openings.size, 0, 'its token is not kept either');
  });

  it('last a minute whatever becomes of the wall clock', async () => {
    for (const step of [-2 * HOUR, 2 * HOUR]) {
      const { clock, openings } = setUp();
      openings.remember('id', 's', opening('s'));
      clock.stepWallClock(step);
      await clock.advance(60_000);
      assert.ok(openings.find('id'));
      await clock.advance(1);
      assert.equal(openings.find('id'), undefined);
    }
  });

  recentOpeningsContract({
    async ofNodes(_test, nodes) {
      const kept = new Map<string, RecentOpenings<unknown>>();
      const newOpenings = (purpose: string) => {
        const openings = kept.get(purpose) ?? createRecentOpenings(createFakeClock(0));
        kept.set(purpose, openings);
        return openings;
      };
      return Array.from({ length: nodes }, () => newOpenings as NewOpenings);
    },
  });

  it('are bounded: the oldest go first', () => {
    const { openings } = setUp(3);
    for (const id of ['a', 'b', 'c', 'd']) openings.remember(id, id, opening(id));
    assert.equal(openings.size, 3);
    assert.equal(openings.find('a'), undefined);
    assert.ok(openings.find('b'));
  });

  it('leave as others come, so that old tokens do not stay in memory', async () => {
    const { clock, openings } = setUp();
    for (const id of ['a', 'b', 'c']) openings.remember(id, id, opening(id));
    await clock.advance(60_001);
    openings.remember('d', 'd', opening('d'));
    assert.equal(openings.size, 1);
  });

  it('agree with a plain list over random sequences', async () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const action = fc.oneof(
      fc.record({ kind: fc.constant('remember' as const), id: names }),
      fc.record({ kind: fc.constant('forget' as const), back: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 50_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const { clock, openings } = setUp();
        const plain: { id: string; session: string; at: number; used: boolean }[] = [];
        for (const one of actions) {
          if (one.kind === 'wait') await clock.advance(one.ms);
          if (one.kind === 'remember') {
            const session = `s${plain.length}`;
            openings.remember(one.id, session, opening(session));
            plain.push({ id: one.id, session, at: clock.elapsed(), used: false });
          }
          const target = one.kind === 'forget' ? plain.at(-one.back) : undefined;
          if (target) {
            target.used = true;
            openings.forget(target.session);
          }
          for (const id of ['a', 'b', 'c']) {
            const last = plain.findLast((entry) => entry.id === id);
            const isRepeated = last && !last.used && clock.elapsed() - last.at <= 60_000;
            assert.equal(openings.find(id)?.session.id, isRepeated ? last.session : undefined);
          }
        }
      }),
    );
  });
});
