import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { createRateLimitPauses } from './rate-limit-pauses.ts';

const HIGHEST = { bytes: (count: number) => Buffer.alloc(count, 0xff) };
const tooMany = () => Promise.reject(new BookingSystemFailure('rate_limited', 'too many'));

function setUp() {
  const clock = createFakeClock(0);
  const stopping = new AbortController();
  const pauses: number[] = [];
  const { retryingRateLimits } = createRateLimitPauses({
    clock,
    random: HIGHEST,
    signal: stopping.signal,
    onPause: (pauseMs) => pauses.push(Math.round(pauseMs / 1000)),
  });
  return { clock, stopping, pauses, retryingRateLimits };
}

test('a read that is one too many is made again after a pause, which the others of the run keep too', async () => {
  const { clock, pauses, retryingRateLimits } = setUp();
  let calls = 0;
  const one = retryingRateLimits(async () => {
    calls += 1;
    return calls === 1 ? tooMany() : 'one';
  });
  await clock.settle();
  const other = retryingRateLimits(async () => {
    calls += 1;
    return 'other';
  });
  await clock.advance(9000);
  assert.equal(calls, 1);
  await clock.advance(1000);
  assert.deepEqual(await Promise.all([one, other]), ['one', 'other']);
  assert.deepEqual(pauses, [10]);
  assert.equal(clock.pendingTimers, 0);
});

test('pauses grow while nothing comes, begin anew after an answer, and end after ten minutes', async () => {
  const { clock, pauses, retryingRateLimits } = setUp();
  let isOpen = false;
  const first = retryingRateLimits(async () => (isOpen ? 'read' : tooMany()));
  await clock.advance(60_000);
  isOpen = true;
  await clock.advance(60_000);
  assert.equal(await first, 'read');
  assert.deepEqual(pauses, [10, 20, 40]);
  isOpen = false;
  const failing = assert.rejects(retryingRateLimits(tooMany), { kind: 'rate_limited' });
  await clock.advance(700_000);
  await failing;
  assert.deepEqual(pauses.slice(3), [10, 20, 40, 80, 160, 300]);
});

test('every other failure is one at once', async () => {
  const { pauses, retryingRateLimits } = setUp();
  const down = () => Promise.reject(new BookingSystemFailure('unreachable', 'no route'));
  await assert.rejects(retryingRateLimits(down), { kind: 'unreachable' });
  assert.deepEqual(pauses, []);
});

test('a pause ends with the run', async () => {
  const { clock, stopping, retryingRateLimits } = setUp();
  const broken = assert.rejects(retryingRateLimits(tooMany), /stopped/);
  await clock.settle();
  stopping.abort(new Error('stopped'));
  await broken;
  assert.equal(clock.pendingTimers, 0);
});
