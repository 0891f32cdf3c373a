import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rateWindowsContract } from '../../sessions/rate-windows.contract.ts';
import { createMemoryRateWindows } from './rate-windows.ts';

const START = 1_800_000_000_000;

describe('rate windows in memory', () => {
  rateWindowsContract({ newWindows: (rule) => createMemoryRateWindows(rule) });

  test('ended windows are forgotten as others are opened', () => {
    const windows = createMemoryRateWindows({ limit: 5, windowMs: 60_000 });
    for (let caller = 0; caller < 1_000; caller += 1) windows.take(`early-${caller}`, START);
    assert.equal(windows.callers, 1_000);
    for (let caller = 0; caller < 500; caller += 1) windows.take(`late-${caller}`, START + 60_000);
    assert.equal(windows.callers, 500);
  });

  test('a caller that comes back does not keep those behind it from being forgotten', () => {
    const windows = createMemoryRateWindows({ limit: 5, windowMs: 60_000 });
    for (const caller of ['a', 'b', 'returning', 'd']) windows.take(caller, START);
    windows.take('returning', START + 60_000);
    windows.take('new', START + 60_000);
    assert.equal(windows.callers, 2);
  });

  test('a flood of callers cannot make it grow, and costs the oldest their count first', () => {
    const windows = createMemoryRateWindows({ limit: 1, windowMs: 60_000 }, 100);
    for (let caller = 0; caller < 10_000; caller += 1) windows.take(`caller-${caller}`, START);
    assert.equal(windows.callers, 100);
    assert.equal(windows.peek('caller-9999', START).remaining, 0);
    assert.equal(windows.peek('caller-0', START).remaining, 1);
  });
});
