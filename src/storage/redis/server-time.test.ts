import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { serverNow, watchServerTime } from './server-time.ts';

it('a clock that is a minute from that of Redis is warned of, once until it is right', {
  skip: skippedWithoutRedis,
}, async (t) => {
  const redis = await testRedis();
  const clock = createFakeClock(await serverNow(redis));
  const warnings: string[] = [];
  const time = watchServerTime(redis, clock, (warning) => warnings.push(warning));
  t.after(() => time.stop());
  // The clock of the test goes on by a minute for each question, that of Redis hardly does.
  for (const [stepMs, count] of [
    [-60_000, 0],
    [-3 * 60_000, 1],
    [-60_000, 1],
    [2 * 60_000, 1],
    [2 * 60_000, 2],
  ] as const) {
    await serverNow(redis);
    await new Promise((resolve) => setImmediate(resolve));
    clock.stepWallClock(stepMs);
    await clock.advance(60_000);
    await serverNow(redis);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(warnings.length, count, warnings.join());
  }
  assert.match(warnings[0] ?? '', /12\d s behind/);
  assert.match(warnings[1] ?? '', /ahead of/);
});
