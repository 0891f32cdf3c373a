import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { ONE_NODE } from '../storage/memory/one-node.ts';
import { followDeclines } from './decline-channel.ts';

function setUp() {
  const clock = createFakeClock(0);
  const published = Promise.withResolvers<void>();
  const channel = {
    ...ONE_NODE.declineChannel,
    subscribe: () => ({ caughtUp: published.promise, stop: async () => {} }),
  };
  return { clock, published, received: followDeclines({ channel, brands: ['sol'], take() {}, clock }) };
}

test('it has caught up when everything published before was taken', async () => {
  const { clock, published, received } = setUp();
  await clock.advance(4999);
  assert.equal(received.hasCaughtUp(), false);
  published.resolve();
  await received.untilCaughtUp();
  assert.equal(received.hasCaughtUp(), true);
  assert.equal(clock.pendingTimers, 0);
});

test('the wait ends after five seconds, or with the stop', async () => {
  const slow = setUp();
  await slow.clock.advance(5000);
  await slow.received.untilCaughtUp();
  assert.equal(slow.received.hasCaughtUp(), true);
  const stopped = setUp();
  await stopped.received.stop();
  await stopped.received.untilCaughtUp();
  assert.equal(stopped.clock.pendingTimers, 0);
});

test('without other nodes there is nothing to wait for', async () => {
  const clock = createFakeClock(0);
  const received = followDeclines({ channel: ONE_NODE.declineChannel, brands: ['sol'], take() {}, clock });
  await received.untilCaughtUp();
  assert.equal(received.hasCaughtUp(), true);
});
