import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock, type FakeClock } from '../../../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { CallUrgency, RateWindow } from '../../../limits/window-count.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { createLastingBudget, type LastingBudget } from './account-budget.ts';

const NOW = Date.UTC(2027, 0, 15, 12);
const HOUR_MS = 3_600_000;
const patient = new AbortController().signal;
const WINDOW: RateWindow = { requests: 15, perMs: 10_000 };

/** What is stored, and the budget of one process after the other. */
function storedBudget(windows: readonly RateWindow[] = [WINDOW]) {
  let clock = createFakeClock(NOW);
  const saves: string[] = [];
  let document: Uint8Array<ArrayBuffer> | undefined;
  let isFailing = false;
  const stored: StoredDocument = {
    async read() {
      if (isFailing) throw new Error('the disk is gone');
      return document;
    },
    async save(bytes) {
      if (isFailing) throw new Error('the disk is gone');
      document = bytes;
      saves.push(new TextDecoder().decode(bytes));
    },
  };
  return {
    saves,
    open: (limits = windows) => createLastingBudget({ stored, windows: limits, clock }),
    clock: () => clock,
    /** Another process: its clock of elapsed time has begun anew. */
    restartAfter(milliseconds: number): FakeClock {
      clock = createFakeClock(clock.now() + milliseconds);
      return clock;
    },
    put(text: string) {
      document = new TextEncoder().encode(text);
    },
    failFrom(now: boolean) {
      isFailing = now;
    },
  };
}

/** Makes calls until one is refused, and says how many were made. */
async function spend(budget: LastingBudget, most = 10_000, urgency: CallUrgency = 'live'): Promise<number> {
  for (let made = 0; made < most; made += 1) {
    try {
      (await budget.take({ urgency, withinMs: 0, signal: patient })).done();
    } catch (error) {
      assert.ok(error instanceof BookingSystemFailure && error.kind === 'rate_limited');
      return made;
    }
  }
  return most;
}

describe('the budget of an account after a restart', () => {
  it('is what was left of it', async () => {
    const storage = storedBudget();
    const before = storage.open();
    assert.equal(await spend(before, 12), 12);
    await before.save();
    const clock = storage.restartAfter(4000);
    const after = storage.open();
    assert.equal(await spend(after), 3);
    assert.equal(after.restsForMs(), 6001);
    await clock.advance(6001);
    assert.equal(await spend(after), 12);
  });

  it('is whole when what was stored cannot be used', async () => {
    const slice = [[0, 15, 0]];
    const windows = [{ per_ms: 10_000, spent: slice }];
    const whole = { version: 1, saved_at: NOW, pause_ms: 0, windows };
    for (const [text, expected] of [
      [JSON.stringify(whole), 0],
      ['', 15],
      ['{"version":1', 15],
      ['null', 15],
      ['[]', 15],
      [JSON.stringify({ ...whole, version: 2 }), 15],
      [JSON.stringify({ ...whole, saved_at: 'today' }), 15],
      [JSON.stringify({ ...whole, windows: [{ per_ms: 10_000, spent: [[0, -15, 0]] }] }), 15],
      [JSON.stringify({ ...whole, windows: [{ per_ms: 10_000, spent: [[0, 1e300, 0]] }] }), 15],
    ] as const) {
      const storage = storedBudget();
      storage.put(text);
      assert.equal(await spend(storage.open()), expected, text);
    }
  });

  it('fails no call when nothing can be stored or read', async () => {
    const storage = storedBudget();
    storage.failFrom(true);
    const budget = storage.open();
    assert.equal(await spend(budget, 5), 5);
    await storage.clock().advance(1000);
    storage.failFrom(false);
    await budget.save();
    storage.restartAfter(0);
    assert.equal(await spend(storage.open()), 10, 'and is stored once that is possible');
    assert.equal(storage.saves.length, 1);
  });

  it('lets no call go before it was read', async () => {
    const clock = createFakeClock(NOW);
    let give = (_: undefined) => {};
    const read = new Promise<undefined>((resolve) => {
      give = resolve;
    });
    const stored = { read: () => read, save: async () => undefined };
    const budget = createLastingBudget({ stored, windows: [WINDOW], clock });
    let sent = 0;
    const call = budget.take({ urgency: 'live', withinMs: 0, signal: patient }).then(() => (sent += 1));
    const leaving = new AbortController();
    const gone = budget.take({ urgency: 'live', withinMs: 0, signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    await clock.advance(100);
    assert.equal(sent, 0);
    give(undefined);
    await call;
    assert.equal(sent, 1);
  });

  it('is stored once a second at most, and small however many calls a window has', async () => {
    const storage = storedBudget([{ requests: 1000, perMs: HOUR_MS }]);
    const budget = storage.open();
    const clock = storage.clock();
    for (let made = 0; made < 900; made += 1) {
      await spend(budget, 1);
      await clock.advance(400);
    }
    assert.ok(storage.saves.length <= 360, `${storage.saves.length} in six minutes`);
    assert.ok(storage.saves.length >= 200, `${storage.saves.length} in six minutes`);
    await budget.save();
    const saved = storage.saves.length;
    await clock.advance(10_000);
    await budget.save();
    assert.equal(storage.saves.length, saved, 'nothing has changed');
    assert.equal(clock.pendingTimers, 0);
    assert.ok((storage.saves.at(-1) ?? '').length < 2000);
    storage.restartAfter(0);
    assert.equal(await spend(storage.open()), 100);
  });

  it('never lets more go than a window allows, whenever the process is ended', async () => {
    const step = fc.record({
      calls: fc.integer({ min: 0, max: 6 }),
      thenMs: fc.integer({ min: 0, max: 4000 }),
      restarts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const windows = [
          { requests: 3, perMs: 1000 },
          { requests: 8, perMs: 10_000 },
        ];
        const storage = storedBudget(windows);
        let budget = storage.open();
        const made: number[] = [];
        for (const { calls, thenMs, restarts } of steps) {
          const sent = await spend(budget, calls);
          for (let index = 0; index < sent; index += 1) made.push(storage.clock().now());
          if (restarts) {
            await budget.save();
            storage.restartAfter(thenMs);
            budget = storage.open();
          } else {
            await storage.clock().advance(thenMs);
          }
        }
        for (const { requests, perMs } of windows) {
          for (const from of made) {
            const within = made.filter((at) => at >= from && at < from + perMs).length;
            assert.ok(within <= requests, `${within} in ${perMs} ms`);
          }
        }
      }),
    );
  });
});
