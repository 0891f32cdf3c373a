import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { systemClock } from '../../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import type { IntakeOrder } from './intake.ts';
import { createIntakeLane } from './intake-lane.ts';

const WORKER = new URL('../../../../test/support/misbehaving-intake.worker.ts', import.meta.url);
const patient = new AbortController().signal;

/** What the thread of the test makes of a document: see its file. */
const documents = { ends: 'e', hangs: 'l', takesAllMemory: 'm', endsTheThread: 'x', fails: 'f' } as const;

function setUp(t: TestContext, { maxTaskMs = 60_000, clock = systemClock, maxIdleMs = 60_000 } = {}) {
  const started: Worker[] = [];
  const lane = createIntakeLane({
    startWorker() {
      const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: 32 } });
      started.push(worker);
      return worker;
    },
    clock,
    maxTaskMs,
    maxIdleMs,
  });
  t.after(() => lane.close());
  const run = (
    document: keyof typeof documents | Uint8Array<ArrayBuffer>,
    options: Partial<Pick<IntakeOrder, 'brand' | 'lane' | 'signal' | 'take'>> = {},
  ) =>
    lane.run({
      task: 'quotes',
      lane: 'live',
      brand: 'acme',
      document: typeof document === 'string' ? Uint8Array.of(documents[document].charCodeAt(0)) : document,
      parameters: { asked: [], currency: 'EUR' },
      signal: patient,
      take: () => undefined,
      ...options,
    });
  return { lane, run, started };
}

const inChunks = (chunks: number) => Uint8Array.of('c'.charCodeAt(0), chunks);
const failsAs =
  (kind: FailureKind, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof BookingSystemFailure, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  };

describe('a lane of the intake', () => {
  it('reads one document after the other on one thread, and brings all chunks', async (t) => {
    const { run, started } = setUp(t);
    const taken: unknown[] = [];
    await Promise.all([
      run('ends'),
      run(inChunks(3), { take: (items) => taken.push(...items) }),
      assert.rejects(run('fails'), failsAs('garbled', /as the document says/)),
      run('ends'),
    ]);
    assert.deepEqual(taken, [2, 1, 0]);
    assert.equal(started.length, 1);
  });

  it('ends an idle thread, and the next document starts another', async (t) => {
    const { run, started } = setUp(t, { maxIdleMs: 10 });
    await run('ends');
    const [thread] = started;
    assert.ok(thread);
    await once(thread, 'exit');
    await run('ends');
    assert.equal(started.length, 2);
  });

  it('takes brands in turn', async (t) => {
    const { run } = setUp(t);
    const order: string[] = [];
    const runFor = (brand: string) => run('ends', { brand }).then(() => order.push(brand));
    await Promise.all(['greedy', 'greedy', 'greedy', 'greedy', 'modest', 'greedy'].map(runFor));
    assert.ok(order.indexOf('modest') <= 2, order.join());
  });

  it('ends a thread that takes too long, and only the document at fault fails', async (t) => {
    const clock = createFakeClock(0);
    const { run, started } = setUp(t, { maxTaskMs: 50, clock });
    // The thread has started, and no time counts for that.
    await run('ends');
    const ended = Promise.all([
      assert.rejects(run('hangs'), failsAs('too_large', /longer than 50 ms/)),
      run('ends', { brand: 'other' }),
      run('ends'),
    ]);
    while (clock.pendingTimers === 0) await nextTurn();
    await clock.advance(50);
    await ended;
    assert.equal(started.length, 2);
  });

  it('counts the time of all chunks of a document, and not the time between them', async (t) => {
    const clock = createFakeClock(0);
    const { run } = setUp(t, { maxTaskMs: 1000, clock });
    let chunks = 0;
    const take = () => {
      chunks += 1;
      // The event loop is busy with something else, while the thread waits.
      void clock.advance(900);
    };
    await run(inChunks(5), { take });
    assert.equal(chunks, 5);
    assert.equal(clock.pendingTimers, 1, 'the end of the idle thread');
  });

  it('survives a document that takes all the memory there is', async (t) => {
    const { run, started } = setUp(t);
    await Promise.all([
      assert.rejects(run('takesAllMemory'), failsAs('too_large', /memory/)),
      run('ends', { brand: 'other' }),
    ]);
    assert.equal(started.length, 2);
  });

  it('survives the end of its thread, at work and between documents', async (t) => {
    const { run, started } = setUp(t);
    await Promise.all([assert.rejects(run('endsTheThread'), failsAs('garbled', /has ended/)), run('ends')]);
    await started[1]?.terminate();
    await run('ends');
    assert.equal(started.length, 3);
  });

  it('stops reading when the items are refused, and says why', async (t) => {
    const { run, started } = setUp(t);
    const budget = new BookingSystemFailure('too_large', 'beyond its budget');
    let chunks = 0;
    const reading = run(inChunks(200), {
      take() {
        chunks += 1;
        throw budget;
      },
    });
    await assert.rejects(reading, (error) => error === budget);
    await run('ends');
    assert.equal(chunks, 1);
    assert.equal(started.length, 1);
  });

  it('gives up what nobody waits for, waiting or under way', async (t) => {
    const { run, started } = setUp(t);
    const leaving = new AbortController();
    let chunks = 0;
    const underWay = run(inChunks(200), {
      signal: leaving.signal,
      take() {
        chunks += 1;
        if (chunks === 2) leaving.abort();
      },
    });
    const waiting = run('hangs', { signal: leaving.signal });
    const { summary } = await Promise.all([
      assert.rejects(underWay, failsAs('timeout')),
      assert.rejects(waiting, failsAs('timeout')),
    ]).then(() => run('ends'));
    assert.equal(chunks, 2);
    assert.deepEqual(
      summary,
      ['c'.charCodeAt(0), 'e'.charCodeAt(0)],
      'the waiting one never reached the thread',
    );
    await assert.rejects(run('ends', { signal: AbortSignal.abort() }), failsAs('timeout'));
    assert.equal(started.length, 1);
  });

  it('lets the event loop do other things between two chunks', async (t) => {
    const { run } = setUp(t);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    let turnsAtLastChunk = 0;
    let shared = 0;
    setImmediate(count);
    await run(inChunks(100), {
      take() {
        if (turns === turnsAtLastChunk) shared += 1;
        turnsAtLastChunk = turns;
      },
    });
    isOver = true;
    assert.equal(shared, 0, 'two chunks came in one turn');
  });

  it('fails what is left when it is closed, and takes nothing more', async (t) => {
    const { lane, run } = setUp(t);
    const left = [run('hangs'), run('ends')].map((one) => assert.rejects(one, failsAs('unreachable')));
    await lane.close();
    await Promise.all(left);
    await assert.rejects(run('ends'), failsAs('unreachable'));
    await lane.close();
  });
});
