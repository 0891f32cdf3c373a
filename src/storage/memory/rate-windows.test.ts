import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMemoryRateWindows } from './rate-windows.ts';

const at = (later = 0) => ({ now: 1_800_000_000_000 + later, elapsed: 5_000 + later });

describe('rate windows in memory', () => {
  test('windows that ended are dropped as others are opened', async () => {
    const windows = createMemoryRateWindows({ limit: 5, windowMs: 60_000 });
    for (let caller = 0; caller < 1_000; caller += 1) await windows.take(`early-${caller}`, at());
    assert.equal(windows.callers, 1_000);
    for (let caller = 0; caller < 500; caller += 1) await windows.take(`late-${caller}`, at(60_000));
    assert.equal(windows.callers, 500);
  });

  test('a returning caller does not keep the windows behind it from being dropped', async () => {
    const windows = createMemoryRateWindows({ limit: 5, windowMs: 60_000 });
    for (const caller of ['a', 'b', 'returning', 'd']) await windows.take(caller, at());
    await windows.take('returning', at(60_000));
    await windows.take('new', at(60_000));
    assert.equal(windows.callers, 2);
  });

  test('a flood of callers cannot make it grow, and drops the oldest first', async () => {
    const windows = createMemoryRateWindows({ limit: 1, windowMs: 60_000 }, 100);
    for (let caller = 0; caller < 10_000; caller += 1) await windows.take(`caller-${caller}`, at());
    assert.equal(windows.callers, 100);
    assert.equal((await windows.peek('caller-9999', at())).remaining, 0);
    assert.equal((await windows.peek('caller-0', at())).remaining, 1);
  });

  test('a flood of callers drops no window of an assistant', async () => {
    const windows = createMemoryRateWindows({ limit: 1, windowMs: 60_000 }, 100);
    const acme = { assistant: 'acme', limit: 1 };
    await windows.take('first', at(), acme);
    for (let caller = 0; caller < 1_000; caller += 1) await windows.take(`caller-${caller}`, at());
    assert.equal((await windows.take('another', at(), acme)).allowed, false);
  });
});
