import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createConcurrencyGate, type Entrance } from './concurrency-gate.ts';

const never = new AbortController().signal;
const { settle } = createFakeClock(0);

function leave(entrance: Entrance): void {
  assert.ok(entrance.kind === 'entered');
  entrance.leave();
}

test('the queue is served in order, one for one', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 2 });
  const order: string[] = [];
  const first = await gate.enter(never);
  const second = gate.enter(never).then((entrance) => {
    order.push('second');
    return entrance;
  });
  const third = gate.enter(never).then(() => order.push('third'));
  leave(first);
  leave(first);
  leave(await second);
  await third;
  assert.deepEqual(order, ['second', 'third']);
  assert.equal(gate.inside, 1);
});

test('a newcomer cannot slip in before those who wait', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 2 });
  const entrance = await gate.enter(never);
  gate.enter(never);
  leave(entrance);
  gate.enter(never);
  await settle();
  assert.deepEqual([gate.inside, gate.queued], [1, 1]);
});

test('a full queue turns away at once', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 1 });
  await gate.enter(never);
  gate.enter(never);
  assert.deepEqual(await gate.enter(never), { kind: 'turned_away' });
});

test('who gives up waiting frees the place in the queue and is never let in', async () => {
  const gate = createConcurrencyGate({ limit: 1, queueLimit: 1 });
  const entrance = await gate.enter(never);
  const impatient = new AbortController();
  const waiting = gate.enter(impatient.signal);
  impatient.abort();
  assert.deepEqual(await waiting, { kind: 'turned_away' });
  assert.equal(gate.queued, 0);
  leave(entrance);
  assert.equal(gate.inside, 0);
  assert.deepEqual(await gate.enter(impatient.signal), { kind: 'turned_away' });
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
            gate.enter(controller.signal).then((entrance) => {
              waiting.delete(controller);
              if (entrance.kind === 'entered') inside.push(() => entrance.leave());
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
