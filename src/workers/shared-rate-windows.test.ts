import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callerWindow, type RateReading, type RateWindows, sessionWindow } from '../sessions/rate-windows.ts';
import { createSharedRateWindows } from './shared-rate-windows.ts';

const TIME = { now: 0, elapsed: 0 };

it('counts sessions here, and callers where all threads count them', async () => {
  const asked: string[] = [];
  const reading = (name: string) => (caller: string) => {
    asked.push(`${name} ${caller}`);
    return Promise.resolve({} as RateReading);
  };
  const here: RateWindows = { take: reading('take here'), peek: reading('peek here') };
  const windows = createSharedRateWindows(here, {
    call: (name, caller) => reading(name)(String(caller)),
  });
  const caller = callerWindow({ assistant: 'claude', address: '203.0.113.7' });
  for (const window of [sessionWindow('abc'), caller]) {
    await windows.take(window, TIME);
    await windows.peek(window, TIME);
  }
  assert.deepEqual(asked, [
    'take here session abc',
    'peek here session abc',
    `takeRate ${caller}`,
    `peekRate ${caller}`,
  ]);
});
