import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createAgeChecks } from './offer-upkeep.ts';

const MINUTE = 60_000;

function setUp() {
  const clock = createFakeClock(0);
  const ended = Promise.withResolvers<void>();
  const events: string[] = [];
  const tooOld = ['sol:1'];
  const checks = createAgeChecks({
    clock,
    offer: {
      async withdrawTooOld() {
        events.push('checked');
        return tooOld.splice(0);
      },
    },
    async withdrawn(properties) {
      events.push(`withdrew ${properties}`);
      await ended.promise;
    },
  });
  return { clock, ended, events, checks };
}

test('ages are checked every minute, and not again while what was withdrawn is dealt with', async () => {
  const { clock, ended, events, checks } = setUp();
  checks.start();
  await clock.advance(3 * MINUTE);
  assert.deepEqual(events, ['checked', 'withdrew sol:1']);
  ended.resolve();
  await clock.advance(2 * MINUTE);
  assert.deepEqual(events, ['checked', 'withdrew sol:1', 'checked', 'checked']);
  await checks.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('stopping waits for the check that is under way, and none follows', async () => {
  const { clock, ended, events, checks } = setUp();
  checks.start();
  await clock.advance(MINUTE);
  let hasStopped = false;
  const stopping = checks.stop().then(() => {
    hasStopped = true;
  });
  await clock.settle();
  assert.equal(hasStopped, false);
  ended.resolve();
  await stopping;
  await clock.advance(2 * MINUTE);
  assert.deepEqual(events, ['checked', 'withdrew sol:1']);
});
