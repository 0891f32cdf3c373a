import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { NO_NEWS } from '../storage/memory/decline-channel.ts';
import { followDeclines } from './follow-declines.ts';

function setUp() {
  const clock = createFakeClock(0);
  const told = Promise.withResolvers<void>();
  const news = { ...NO_NEWS, hear: () => ({ caughtUp: told.promise, stop: async () => {} }) };
  return { clock, told, heard: followDeclines({ news, brands: ['sol'], take() {}, clock }) };
}

test('it has caught up when what was told before was taken', async () => {
  const { clock, told, heard } = setUp();
  await clock.advance(4999);
  assert.equal(heard.hasCaughtUp(), false);
  told.resolve();
  await heard.untilCaughtUp();
  assert.equal(heard.hasCaughtUp(), true);
  assert.equal(clock.pendingTimers, 0);
});

test('nobody waits for longer than five seconds, or after the stop', async () => {
  const slow = setUp();
  await slow.clock.advance(5000);
  await slow.heard.untilCaughtUp();
  assert.equal(slow.heard.hasCaughtUp(), true);
  const stopped = setUp();
  await stopped.heard.stop();
  await stopped.heard.untilCaughtUp();
  assert.equal(stopped.clock.pendingTimers, 0);
});

test('without other nodes there is nothing to wait for', async () => {
  const clock = createFakeClock(0);
  const heard = followDeclines({ news: NO_NEWS, brands: ['sol'], take() {}, clock });
  await heard.untilCaughtUp();
  assert.equal(heard.hasCaughtUp(), true);
});
