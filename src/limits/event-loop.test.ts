import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchEventLoopLag } from './event-loop.ts';

/** A clock whose timers fire late: time passes first, then the due timers run. */
function createLateClock() {
  let now = 1_800_000_000_000;
  let elapsed = 5_000;
  let timer: (() => void) | undefined;
  return {
    now: () => now,
    elapsed: () => elapsed,
    after(_milliseconds: number, action: () => void) {
      timer = action;
      return () => {
        timer = undefined;
      };
    },
    pass(milliseconds: number) {
      now += milliseconds;
      elapsed += milliseconds;
    },
    stepWallClock(milliseconds: number) {
      now += milliseconds;
    },
    run() {
      timer?.();
    },
    get waiting() {
      return timer !== undefined;
    },
  };
}

function setUp() {
  const clock = createLateClock();
  const lag = watchEventLoopLag(clock);
  const sampleLate = (milliseconds: number) => {
    clock.pass(50 + milliseconds);
    clock.run();
  };
  return { clock, lag, sampleLate };
}

test('a process in time has no lag', () => {
  const { lag, sampleLate } = setUp();
  for (let sample = 0; sample < 10; sample += 1) sampleLate(0);
  assert.equal(lag.milliseconds(), 0);
});

test('one pause does not count for much, constant lateness counts in full', () => {
  const { lag, sampleLate } = setUp();
  sampleLate(300);
  assert.ok(Math.abs(lag.milliseconds() - 90) < 1e-9);
  for (let sample = 0; sample < 20; sample += 1) sampleLate(300);
  assert.ok(lag.milliseconds() > 299);
  for (let sample = 0; sample < 20; sample += 1) sampleLate(0);
  assert.ok(lag.milliseconds() < 1);
});
