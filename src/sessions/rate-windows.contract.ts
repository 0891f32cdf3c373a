import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { RateRule, RateWindows } from './rate-windows.ts';

const START = 1_800_000_000_250;

/** New windows for one test, closed after it. */
export type NewRateWindows = (test: TestContext, rule: RateRule) => Promise<RateWindows>;

/** The cases that every implementation of rate windows must pass. */
export function rateWindowsContract({ newWindows }: { readonly newWindows: NewRateWindows }): void {
  test('counts down from the first request and tells when the window ends', async (t) => {
    const windows = await newWindows(t, { limit: 3, windowMs: 60_000 });
    const first = await windows.take('a', START);
    assert.deepEqual(first, {
      limit: 3,
      remaining: 2,
      resetAt: 1_800_000_061,
      allowed: true,
      retryAfterSeconds: 0,
    });
    const second = await windows.take('a', START + 30_000);
    assert.deepEqual([second.remaining, second.resetAt], [1, 1_800_000_061]);
    const third = await windows.take('a', START + 30_000);
    assert.deepEqual([third.remaining, third.allowed], [0, true]);
  });

  test('refuses above the limit, and being refused does not extend the window', async (t) => {
    const windows = await newWindows(t, { limit: 2, windowMs: 60_000 });
    await windows.take('a', START);
    await windows.take('a', START);
    for (const later of [1, 30_000, 59_999]) {
      const reading = await windows.take('a', START + later);
      assert.equal(reading.allowed, false);
      assert.equal(reading.remaining, 0);
      assert.equal(reading.resetAt, 1_800_000_061);
      assert.equal(reading.retryAfterSeconds, Math.ceil((60_000 - later) / 1000));
    }
    const after = await windows.take('a', START + 60_000);
    assert.deepEqual([after.allowed, after.remaining, after.resetAt], [true, 1, 1_800_000_121]);
  });

  test('callers are counted separately', async (t) => {
    const windows = await newWindows(t, { limit: 1, windowMs: 60_000 });
    assert.equal((await windows.take('a', START)).allowed, true);
    assert.equal((await windows.take('b', START)).allowed, true);
    assert.equal((await windows.take('a', START + 1)).allowed, false);
  });

  test('peeking counts nothing and starts no window', async (t) => {
    const windows = await newWindows(t, { limit: 2, windowMs: 60_000 });
    assert.deepEqual(await windows.peek('a', START), {
      limit: 2,
      remaining: 2,
      resetAt: 1_800_000_061,
      allowed: true,
      retryAfterSeconds: 0,
    });
    await windows.take('a', START + 5_000);
    for (const _ of [1, 2, 3]) {
      const reading = await windows.peek('a', START + 6_000);
      assert.deepEqual([reading.remaining, reading.resetAt, reading.allowed], [1, 1_800_000_066, true]);
    }
    await windows.take('a', START + 6_000);
    const spent = await windows.peek('a', START + 7_000);
    assert.deepEqual([spent.remaining, spent.allowed, spent.retryAfterSeconds], [0, false, 58]);
    assert.equal((await windows.peek('a', START + 65_000)).remaining, 2);
  });

  test('a clock that was set back starts a new window instead of a long one', async (t) => {
    const windows = await newWindows(t, { limit: 1, windowMs: 60_000 });
    await windows.take('a', START);
    const reading = await windows.take('a', START - 3_600_000);
    assert.deepEqual([reading.allowed, reading.resetAt], [true, Math.ceil((START - 3_540_000) / 1000)]);
  });

  test('no window ever lets more through than its limit, and no caller waits longer than a window', async (t) => {
    const limits = [1, 2, 5];
    const windowsOf = await Promise.all(limits.map((limit) => newWindows(t, { limit, windowMs: 1000 })));
    const request = fc.record({
      caller: fc.constantFrom('a', 'b', 'c'),
      wait: fc.integer({ min: 0, max: 400 }),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 120 }),
        fc.nat({ max: limits.length - 1 }),
        async (requests, chosen) => {
          const [limit = 0, windows] = [limits[chosen], windowsOf[chosen]];
          runs += 1;
          const plain = new Map<string, { startedAt: number; count: number }>();
          let now = START;
          for (const { caller, wait } of requests) {
            now += wait;
            let window = plain.get(caller);
            if (!window || now >= window.startedAt + 1000) window = { startedAt: now, count: 0 };
            window.count += 1;
            plain.set(caller, window);
            // Runs share their windows, so each run has its own callers.
            const reading = await windows?.take(`${caller} of run ${runs}`, now);
            assert.equal(reading?.allowed, window.count <= limit);
            assert.equal(reading?.remaining, Math.max(0, limit - window.count));
            assert.equal(reading?.retryAfterSeconds, reading?.allowed ? 0 : 1);
          }
        },
      ),
    );
  });
}
