import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createCoalescer } from './coalesce.ts';
import type { Callers } from './fair-semaphore.ts';

const never = new AbortController().signal;
const { settle } = createFakeClock(0);

function startCounting() {
  const started: { readonly signal: AbortSignal; readonly answer: (value: string) => void }[] = [];
  const start = (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    started.push({ signal, answer: resolve });
    return promise;
  };
  return { started, start };
}

test('equal keys share one piece of work while it is in flight, not after', async () => {
  const share = createCoalescer<string>();
  const { started, start } = startCounting();
  const both = Promise.all([share('k', start, never), share('k', start, never)]);
  const other = share('other', start, never);
  started[0]?.answer('one');
  started[1]?.answer('two');
  assert.deepEqual(await both, ['one', 'one']);
  assert.equal(await other, 'two');
  share('k', start, never);
  assert.equal(started.length, 3);
  assert.equal(started[0]?.signal.aborted, false, 'finished work was aborted');
});

test('one caller leaving does not disturb the other; the last one leaving aborts the work', async () => {
  const share = createCoalescer<string>();
  const { started, start } = startCounting();
  const [first, second] = [new AbortController(), new AbortController()];
  const firstResult = share('k', start, first.signal);
  const secondResult = share('k', start, second.signal);
  first.abort('first left');
  await assert.rejects(firstResult, (reason) => reason === 'first left');
  assert.equal(started[0]?.signal.aborted, false);
  second.abort('second left');
  await assert.rejects(secondResult, (reason) => reason === 'second left');
  assert.equal(started[0]?.signal.aborted, true);
  share('k', start, never);
  assert.equal(started.length, 2, 'a new caller joined work that was given up');
});

test('the last one leaving is told of the work that it leaves behind, and nobody else is', async () => {
  const share = createCoalescer<string>();
  const { started, start } = startCounting();
  const told: [string, Promise<unknown>][] = [];
  const callers = ['first', 'last', 'waiting'].map((name) => {
    const controller = new AbortController();
    const onLeftBehind = (work: Promise<unknown>) => told.push([name, work]);
    const key = name === 'waiting' ? 'other' : 'k';
    const result = share(key, start, controller.signal, { onLeftBehind });
    return { controller, result: result.catch((reason) => reason) };
  });
  for (const { controller } of callers.slice(0, 2)) controller.abort('left');
  for (const { answer } of started) answer('answer');
  assert.deepEqual(await Promise.all(callers.map(({ result }) => result)), ['left', 'left', 'answer']);
  assert.deepEqual(
    told.map(([name]) => name),
    ['last'],
  );
  assert.equal(await told[0]?.[1], 'answer');
});

test('in every order of answers and aborts, who stays gets the answer of work that nobody aborted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ key: fc.constantFrom('a', 'b'), leaves: fc.boolean() }), {
        minLength: 1,
        maxLength: 8,
      }),
      async (scheduler, callers) => {
        const share = createCoalescer<AbortSignal>();
        const running = { a: 0, b: 0 };
        const start = (key: 'a' | 'b') => async (signal: AbortSignal) => {
          running[key] += 1;
          signal.addEventListener('abort', () => {
            running[key] -= 1;
          });
          assert.equal(running[key], 1, 'the same work ran twice at a time');
          await scheduler.schedule(Promise.resolve(), `answer ${key}`);
          if (!signal.aborted) running[key] -= 1;
          return signal;
        };
        const outcomes = callers.map(async ({ key, leaves }) => {
          await scheduler.schedule(Promise.resolve(), `call ${key}`);
          const controller = new AbortController();
          if (leaves) {
            scheduler.schedule(Promise.resolve(), `leave ${key}`).then(() => controller.abort('left'));
          }
          try {
            const workSignal = await share(key, start(key), controller.signal);
            return workSignal.aborted ? 'aborted work' : 'answer';
          } catch (reason) {
            return reason;
          }
        });
        await scheduler.waitAll();
        await settle();
        for (const [position, outcome] of (await Promise.all(outcomes)).entries()) {
          if (callers[position]?.leaves)
            assert.ok(outcome === 'left' || outcome === 'answer', String(outcome));
          else assert.equal(outcome, 'answer');
        }
        assert.deepEqual(running, { a: 0, b: 0 });
      },
    ),
  );
});

test('the work knows the callers that are present, as they come and go', async () => {
  const share = createCoalescer<string>();
  let callers: Callers = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const start = (_signal: AbortSignal, present: Callers) => {
    callers = present;
    return promise;
  };
  const leaving = new AbortController();
  const first = share('k', start, leaving.signal, { path: ['a'] });
  const second = share('k', start, never, { path: ['b'] });
  assert.deepEqual([...callers], [['a'], ['b']]);
  leaving.abort('left');
  await assert.rejects(first);
  assert.deepEqual([...callers], [['b']]);
  resolve('answer');
  assert.equal(await second, 'answer');
});
