import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { RateRule, RateWindows } from './rate-windows.ts';

const START = 1_800_000_000_250;
const HOUR = 3_600_000;

/** So many milliseconds after the start, on both clocks; the wall clock may have been stepped since. */
const at = (later = 0, { stepped = 0 } = {}) => ({ now: START + later + stepped, elapsed: 5_000.5 + later });

/** New windows for one test, closed after it. */
export type NewRateWindows = (test: TestContext, rule: RateRule) => Promise<RateWindows>;

/** The cases that every implementation of rate windows must pass. */
export function rateWindowsContract({ newWindows }: { readonly newWindows: NewRateWindows }): void {
  test('counts down from the first request and tells when the window ends', async (t) => {
    const windows = await newWindows(t, { limit: 3, windowMs: 60_000 });
    const first = await windows.take('a', at());
    assert.deepEqual(first, {
      limit: 3,
      remaining: 2,
      resetAt: 1_800_000_061,
      allowed: true,
      retryAfterSeconds: 0,
    });
    const second = await windows.take('a', at(30_000));
    assert.deepEqual([second.remaining, second.resetAt], [1, 1_800_000_061]);
    const third = await windows.take('a', at(30_000));
    assert.deepEqual([third.remaining, third.allowed], [0, true]);
  });

  test('refuses above the limit, and being refused does not extend the window', async (t) => {
    const windows = await newWindows(t, { limit: 2, windowMs: 60_000 });
    await windows.take('a', at());
    await windows.take('a', at());
    for (const later of [1, 30_000, 59_999]) {
      const reading = await windows.take('a', at(later));
      assert.equal(reading.allowed, false);
      assert.equal(reading.remaining, 0);
      assert.equal(reading.resetAt, 1_800_000_061);
      assert.equal(reading.retryAfterSeconds, Math.ceil((60_000 - later) / 1000));
    }
    const after = await windows.take('a', at(60_000));
    assert.deepEqual([after.allowed, after.remaining, after.resetAt], [true, 1, 1_800_000_121]);
  });

  test('callers are counted separately', async (t) => {
    const windows = await newWindows(t, { limit: 1, windowMs: 60_000 });
    assert.equal((await windows.take('a', at())).allowed, true);
    assert.equal((await windows.take('b', at())).allowed, true);
    assert.equal((await windows.take('a', at(1))).allowed, false);
  });

  test('peeking counts nothing and starts no window', async (t) => {
    const windows = await newWindows(t, { limit: 2, windowMs: 60_000 });
    assert.deepEqual(await windows.peek('a', at()), {
      limit: 2,
      remaining: 2,
      resetAt: 1_800_000_061,
      allowed: true,
      retryAfterSeconds: 0,
    });
    await windows.take('a', at(5_000));
    for (const _ of [1, 2, 3]) {
      const reading = await windows.peek('a', at(6_000));
      assert.deepEqual([reading.remaining, reading.resetAt, reading.allowed], [1, 1_800_000_066, true]);
    }
    await windows.take('a', at(6_000));
    const spent = await windows.peek('a', at(7_000));
    assert.deepEqual([spent.remaining, spent.allowed, spent.retryAfterSeconds], [0, false, 58]);
    assert.equal((await windows.peek('a', at(65_000))).remaining, 2);
  });

  test('a step of the wall clock ends no window and prolongs none, and the reset follows it', async (t) => {
    for (const stepped of [-2 * HOUR, 2 * HOUR]) {
      const windows = await newWindows(t, { limit: 1, windowMs: 60_000 });
      await windows.take('a', at());
      const refused = await windows.take('a', at(10_000, { stepped }));
      assert.deepEqual(
        [refused.allowed, refused.retryAfterSeconds, refused.resetAt],
        [false, 50, 1_800_000_061 + stepped / 1000],
      );
      assert.equal((await windows.peek('a', at(59_999, { stepped }))).allowed, false);
      assert.equal((await windows.take('a', at(60_000, { stepped }))).allowed, true);
    }
  });

  test('the reset of a window stays as it was told while the clocks only drift', async (t) => {
    const windows = await newWindows(t, { limit: 9, windowMs: 60_000 });
    const first = await windows.take('a', { now: 1_800_000_000_000, elapsed: 100.4 });
    for (const drift of [-900, -0.4, 0.4, 900]) {
      const later = await windows.take('a', { now: 1_800_000_030_000, elapsed: 30_100.4 + drift });
      assert.equal(later.resetAt, first.resetAt, `${drift} ms`);
    }
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
          let now = 0;
          for (const { caller, wait } of requests) {
            now += wait;
            let window = plain.get(caller);
            if (!window || now >= window.startedAt + 1000) window = { startedAt: now, count: 0 };
            window.count += 1;
            plain.set(caller, window);
            // Runs share their windows, so each run has its own callers.
            const reading = await windows?.take(`${caller} of run ${runs}`, at(now));
            assert.equal(reading?.allowed, window.count <= limit);
            assert.equal(reading?.remaining, Math.max(0, limit - window.count));
            assert.equal(reading?.retryAfterSeconds, reading?.allowed ? 0 : 1);
          }
        },
      ),
    );
  });
}
