import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createConcurrencyGate } from './concurrency-gate.ts';

const never = new AbortController().signal;
const { settle } = createFakeClock(0);

test('the queue is served in order, one for one', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 2 });
  const order: string[] = [];
  const leaveFirst = await gate.enter(never);
  const second = gate.enter(never).then((leave) => {
    order.push('second');
    return leave;
  });
  const third = gate.enter(never).then((leave) => {
    order.push('third');
    return leave;
  });
  leaveFirst?.();
  leaveFirst?.();
  (await second)?.();
  await third;
  assert.deepEqual(order, ['second', 'third']);
  assert.equal(gate.inside, 1);
});

test('a newcomer cannot slip in before those who wait', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 2 });
  const leave = await gate.enter(never);
  gate.enter(never);
  leave?.();
  gate.enter(never);
  await settle();
  assert.deepEqual([gate.inside, gate.queued], [1, 1]);
});

test('a full queue turns away at once', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 1 });
  await gate.enter(never);
  gate.enter(never);
  assert.equal(await gate.enter(never), undefined);
});

test('who gives up waiting frees the place in the queue and is never let in', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 1 });
  const leave = await gate.enter(never);
  const impatient = new AbortController();
  const waiting = gate.enter(impatient.signal);
  impatient.abort();
  assert.equal(await waiting, undefined);
  assert.equal(gate.queued, 0);
  leave?.();
  assert.equal(gate.inside, 0);
  assert.equal(await gate.enter(impatient.signal), undefined);
});

test('whatever comes, leaves and gives up: never more inside than allowed, and nobody is forgotten', async () => {
  const event = fc.constantFrom('come', 'leave', 'give up');
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      async (events, limit) => {
        const gate = createConcurrencyGate({ limit, queueLimit: 5 });
        const inside: (() => void)[] = [];
        const waiting = new Set<AbortController>();
        for (const what of events) {
          if (what === 'come') {
            const controller = new AbortController();
            waiting.add(controller);
            gate.enter(controller.signal).then((leave) => {
              waiting.delete(controller);
              if (leave) inside.push(leave);
            });
          } else if (what === 'leave') inside.shift()?.();
          else [...waiting].at(-1)?.abort();
          await settle();
          assert.equal(gate.inside, inside.length);
          assert.ok(inside.length <= limit);
          assert.equal(gate.queued, waiting.size);
          if (waiting.size > 0) assert.equal(inside.length, limit, 'somebody waits although there is room');
        }
      },
    ),
    { numRuns: 60 },
  );
});
