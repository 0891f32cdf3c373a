import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { systemRandom } from '../random.ts';
import { rateWindowsContract } from '../sessions/rate-windows.contract.ts';
import { createSharedRateWindows, newRateTable, releaseRateTable } from './shared-tables.ts';

const PROGRAM = new URL('../../test/support/counting.worker.ts', import.meta.url);
const MINUTE = { limit: 100, windowMs: 60_000 };
const at = (later = 0) => ({ now: 1_800_000_000_000 + later, elapsed: 5_000 + later });

function newTable() {
  return newRateTable(systemRandom);
}

describe('rate windows that threads share', () => {
  rateWindowsContract({ newWindows: async (_, rule) => createSharedRateWindows(rule, newTable(), 1) });

  it('count the requests of a caller in whichever thread they arrive', async () => {
    const table = newTable();
    const [one, other] = [
      createSharedRateWindows(MINUTE, table, 1),
      createSharedRateWindows(MINUTE, table, 2),
    ];
    assert.equal((await one.take('a', at())).remaining, 99);
    assert.equal((await other.take('a', at(1))).remaining, 98);
    assert.equal((await one.peek('a', at(2))).remaining, 98);
    assert.equal((await other.peek('b', at(2))).remaining, 100);
  });

  const [threads, rounds] = [3, 2000];
  const countedIn = {
    'one window': {},
    'the window of their assistant': { assistant: { assistant: 'acme', limit: rounds } },
  };
  for (const [which, counted] of Object.entries(countedIn)) {
    it(`count every request once, over real threads that count in ${which} at the same time`, async () => {
      const table = newTable();
      const workers = Array.from(
        { length: threads },
        (_, number) => new Worker(PROGRAM, { workerData: { table, thread: number + 1, rounds, ...counted } }),
      );
      const allowed = await Promise.all(workers.map((worker) => once(worker, 'message')));
      assert.equal(
        allowed.flat().reduce((sum, one) => sum + one, 0),
        rounds,
      );
    });
  }

  it('tell callers apart, and forget those that came first where there are too many', async () => {
    const windows = createSharedRateWindows({ limit: 1, windowMs: 60_000 }, newTable(), 1);
    const callers = 400_000;
    const areForgotten = async () => {
      let forgotten = 0;
      for (let caller = 0; caller < 1000; caller += 1) {
        if ((await windows.peek(`caller ${caller}`, at(50))).allowed) forgotten += 1;
      }
      return forgotten;
    };
    for (let caller = 0; caller < callers; caller += 1) {
      assert.equal((await windows.take(`caller ${caller}`, at(caller / 10_000))).allowed, true);
      // Hardly any bucket has more than eight callers by then.
      if (caller === 20_000) assert.ok((await areForgotten()) < 5);
    }
    assert.equal((await windows.peek(`caller ${callers - 1}`, at(50))).allowed, false);
    // On average twelve have come to each bucket, which has room for eight.
    const forgotten = await areForgotten();
    assert.ok(forgotten > 750, `${forgotten}`);
  });

  it('forget no assistant, however many callers there are', async () => {
    const windows = createSharedRateWindows({ limit: 1, windowMs: 60_000 }, newTable(), 1);
    const acme = { assistant: 'acme', limit: 1 };
    await windows.take('first', at(), acme);
    for (let caller = 0; caller < 400_000; caller += 1) await windows.take(`caller ${caller}`, at(1));
    assert.equal((await windows.take('another', at(2), acme)).allowed, false);
  });

  it('wait for a thread that has ended in the middle of counting no longer than until it is released', async () => {
    const table = newTable();
    const windows = createSharedRateWindows(MINUTE, table, 1);
    await windows.take('a', at());
    // The second thread holds every bucket.
    const before = Int32Array.from(table);
    for (let lock = 2; lock < 2 + (1 << 15) + (1 << 10); lock += 1) table[lock] = 2;
    await assert.rejects(windows.take('a', at(1)), { message: /does not let go/ });
    releaseRateTable(table, 3);
    await assert.rejects(windows.peek('a', at(1)), { message: /does not let go/ });
    releaseRateTable(table, 2);
    assert.deepEqual(Int32Array.from(table), before);
    assert.equal((await windows.take('a', at(1))).remaining, 98);
  });

  it('keep callers in other places with every start', async () => {
    const places = async () => {
      const table = newTable();
      await createSharedRateWindows(MINUTE, table, 1).take('a', at());
      return table.findIndex((word, place) => place > 2 && word !== 0);
    };
    const starts = await Promise.all(Array.from({ length: 8 }, places));
    assert.ok(new Set(starts).size > 1);
  });
});
