import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openRedisNodes } from '../../../test/support/redis-nodes.ts';
import { skippedWithoutRedis } from '../../../test/support/test-redis.ts';
import { createFeedPace, createSharedFeedPace, type EndTurn } from '../../connectors/icalendar/feed-pace.ts';
import { systemRandom } from '../../random.ts';

const patient = new AbortController().signal;

describe('the pace of feeds over nodes', { skip: skippedWithoutRedis }, () => {
  it('asks a host no faster than one node would', async (t) => {
    const { clock, limits, pass } = await openRedisNodes(t);
    const paces = limits.map(({ account }) =>
      createSharedFeedPace({ pace: createFeedPace(clock), share: account, clock, random: systemRandom }),
    );
    const ends: EndTurn[] = [];
    const brands = Array.from({ length: 5 }, (_, index) => `brand-${index}`);
    const turns = paces.flatMap((pace) =>
      brands.flatMap((brand) =>
        [1, 2].map(async () => {
          ends.push(await pace.turn({ host: 'feeds.example', brand, urgency: 'live', signal: patient }));
        }),
      ),
    );
    await pass(1000);
    assert.equal(ends.length, 8, 'as many as a host has at a time');
    while (ends.length < turns.length) {
      for (const end of ends) end();
      await pass(1000);
    }
    for (const end of ends) end();
    await Promise.all(turns);
  });

  it('leaves a turn that nobody waits for', async (t) => {
    const { clock, limits, pass } = await openRedisNodes(t);
    const share = limits[0].account;
    const pace = createSharedFeedPace({ pace: createFeedPace(clock), share, clock, random: systemRandom });
    const other = share({ id: 'feeds on/feeds.example', windows: [], maxInFlight: 8 });
    for (let place = 0; place < 8; place += 1) await other.budget.take({ urgency: 'live' });
    const gone = new AbortController();
    const asked = { host: 'feeds.example', brand: 'sol', urgency: 'live', signal: gone.signal } as const;
    const leaving = assert.rejects(pace.turn(asked), /gone/);
    await pass(200);
    gone.abort(new Error('gone'));
    await leaving;
    assert.equal(clock.pendingTimers, 0);
  });
});
