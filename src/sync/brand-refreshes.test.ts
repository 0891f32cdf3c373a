import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createFirstTry } from './brand-refreshes.ts';

test('a brand that is not tried in time counts as tried, unless the wait was ended before', async () => {
  const clock = createFakeClock(0);
  const ended = createFirstTry(clock);
  const waited = createFirstTry(clock);
  ended.startWaiting()();
  waited.startWaiting();
  await clock.advance(9999);
  assert.equal(waited.wasTried(), false);
  await clock.advance(1);
  assert.deepEqual([ended.wasTried(), waited.wasTried()], [false, true]);
  await waited.untilTried();
});

test('whoever waits is let go when it is broken off, and it may be tried later', async () => {
  const firstTry = createFirstTry(createFakeClock(0));
  firstTry.brokenOff();
  await firstTry.untilTried();
  assert.equal(firstTry.wasTried(), false);
  firstTry.tried();
  assert.equal(firstTry.wasTried(), true);
});
