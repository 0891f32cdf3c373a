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

  test('counts a request in the window of its assistant too, which has a limit of its own', async (t) => {
    const windows = await newWindows(t, { limit: 5, windowMs: 60_000 });
    const acme = { assistant: 'acme', limit: 3 };
    const first = await windows.take('a', at(), acme);
    assert.deepEqual([first.limit, first.remaining, first.allowed], [5, 4, true], 'its own window is shown');
    await windows.take('b', at(20_000), acme);
    assert.equal((await windows.take('a', at(20_000), acme)).remaining, 3);
    const refused = await windows.take('c', at(30_000), acme);
    assert.deepEqual(refused, {
      limit: 3,
      remaining: 0,
      resetAt: 1_800_000_061,
      allowed: false,
      retryAfterSeconds: 30,
    });
    assert.equal((await windows.take('c', at(30_000))).allowed, true, 'without a limit it is not asked for');
    assert.equal((await windows.take('c', at(30_000), { assistant: 'other', limit: 1 })).allowed, true);
    const after = await windows.take('a', at(60_000), acme);
    assert.deepEqual([after.allowed, after.limit, after.remaining], [true, 5, 4]);
  });

  test('several requests count together or not at all', async (t) => {
    const windows = await newWindows(t, { limit: 6, windowMs: 60_000 });
    const acme = { assistant: 'acme', limit: 5 };
    const take = async (requests: number, assistant?: typeof acme) => {
      const { allowed, limit, remaining } = await windows.take('a', at(), assistant, requests);
      return [allowed, limit, remaining];
    };
    assert.deepEqual(await take(4), [true, 6, 2]);
    assert.deepEqual(await take(3), [false, 6, 2]);
    assert.deepEqual(await take(2), [true, 6, 0]);
    const caller = async (name: string, requests: number) => {
      const { allowed, limit, remaining } = await windows.take(name, at(), acme, requests);
      return [allowed, limit, remaining];
    };
    assert.deepEqual(await caller('b', 3), [true, 6, 3]);
    assert.deepEqual(await caller('c', 3), [false, 5, 2], 'more than its assistant has left');
    assert.deepEqual(await caller('b', 4), [false, 6, 3], 'more than either has left');
    assert.deepEqual(await caller('c', 2), [true, 6, 4]);
  });

  test('callers of assistants with limits are let through as by windows that are counted one by one', async (t) => {
    const LIMIT = 3;
    const windows = await newWindows(t, { limit: LIMIT, windowMs: 1000 });
    const request = fc.record({
      caller: fc.constantFrom('a of x', 'b of x', 'c of x', 'd of y', 'e'),
      // Of its assistant. It changes between requests, as owners change it.
      limit: fc.integer({ min: 0, max: 6 }),
      wait: fc.integer({ min: 0, max: 300 }),
      counts: fc.boolean(),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 80 }), async (requests) => {
        runs += 1;
        const plain = new Map<string, { startedAt: number; count: number }>();
        let now = 0;
        for (const { caller, limit: itsLimit, wait, counts } of requests) {
          now += wait;
          const [, id] = caller.split(' of ');
          const assistant =
            id === undefined ? undefined : { assistant: `${id} of run ${runs}`, limit: itsLimit };
          const reading = (name: string, limit: number) => {
            const window = plain.get(name);
            const live = window && now < window.startedAt + 1000 ? window : { startedAt: now, count: 0 };
            const allowed = live.count < limit;
            return {
              name,
              live,
              limit,
              allowed,
              retryAfterSeconds: allowed ? 0 : Math.ceil((live.startedAt + 1000 - now) / 1000),
            };
          };
          const own = reading(`caller ${caller}`, LIMIT);
          const whole = assistant ? reading(assistant.assistant, assistant.limit) : null;
          const isAllowed = own.allowed && whole?.allowed !== false;
          if (isAllowed && counts) {
            for (const one of whole ? [own, whole] : [own]) {
              one.live.count += 1;
              plain.set(one.name, one.live);
            }
          }
          const told = own.allowed && whole && !whole.allowed ? whole : own;
          const answer = await windows[counts ? 'take' : 'peek'](
            `${caller} of run ${runs}`,
            at(now),
            assistant,
          );
          assert.deepEqual(
            [answer.allowed, answer.limit, answer.remaining, answer.retryAfterSeconds],
            [isAllowed, told.limit, Math.max(0, told.limit - told.live.count), told.retryAfterSeconds],
          );
        }
      }),
    );
  });
}
