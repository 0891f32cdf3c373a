import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import {
  type CallerPath,
  createFairSemaphore,
  type FairSemaphore,
  type HeldPlace,
} from './fair-semaphore.ts';

const never = new AbortController().signal;
const { settle } = createFakeClock(0);

/** Lets callers wait, and notes the order in which they enter. */
function watch(semaphore: FairSemaphore) {
  const inside: HeldPlace[] = [];
  const entered: string[] = [];
  const refused: string[] = [];
  const enter = async (path: string, signal = never) => {
    const place = await semaphore.enter(signal, [path.split(' ')]);
    if (!place) return void refused.push(path);
    entered.push(path);
    inside.push(place);
  };
  const leave = async () => {
    inside.shift()?.leave();
    await settle();
  };
  return { inside, entered, refused, enter, leave };
}

test('no more are inside than allowed, a full queue refuses at once, and one that gives up is never let in', async () => {
  const { entered, refused, inside, enter, leave } = watch(createFairSemaphore({ limit: 2, queueLimit: 2 }));
  const leaving = new AbortController();
  for (const name of ['a 1', 'a 2', 'a 3']) enter(name);
  enter('a 4', leaving.signal);
  enter('a 5');
  await settle();
  assert.deepEqual(entered, ['a 1', 'a 2']);
  assert.deepEqual(refused, ['a 5']);
  leaving.abort();
  await settle();
  const [first] = inside;
  await leave();
  first?.leave();
  await leave();
  await leave();
  assert.deepEqual(entered, ['a 1', 'a 2', 'a 3']);
  assert.deepEqual(refused, ['a 5', 'a 4']);
});

test('callers take turns: assistants first, then the callers of an assistant', async () => {
  const { entered, enter, leave } = watch(createFairSemaphore({ limit: 1, queueLimit: 100 }));
  for (const path of ['greedy 1', 'greedy 1', 'greedy 1', 'greedy 2', 'greedy 3', 'modest 1', 'modest 1'])
    enter(path);
  for (let call = 0; call < 7; call += 1) await leave();
  assert.deepEqual(entered.slice(0, 6), [
    'greedy 1',
    'modest 1',
    'greedy 2',
    'modest 1',
    'greedy 3',
    'greedy 1',
  ]);
});

test('the next place is for the assistant with the fewest, however long the calls of another take', async () => {
  const { entered, enter, leave } = watch(createFairSemaphore({ limit: 3, queueLimit: 100 }));
  for (let call = 0; call < 30; call += 1) enter(`greedy ${call}`);
  for (let call = 0; call < 3; call += 1) enter('modest 1');
  await settle();
  await leave();
  await leave();
  assert.deepEqual(entered.slice(3), ['modest 1', 'greedy 3']);
});

test('in a full queue the longest line gives a place to a newcomer', async () => {
  const { entered, refused, enter, leave } = watch(createFairSemaphore({ limit: 1, queueLimit: 4 }));
  for (const path of ['a 1', 'a 1', 'a 1', 'a 2', 'b 1', 'b 2']) enter(path);
  await settle();
  assert.deepEqual(refused, ['a 1']);
  for (let call = 0; call < 5; call += 1) await leave();
  assert.deepEqual(entered.toSorted(), ['a 1', 'a 1', 'a 2', 'b 1', 'b 2']);
});

test('a shared call enters when the first of its callers would, also one that joined while it waited', async () => {
  const semaphore = createFairSemaphore({ limit: 1, queueLimit: 100 });
  const { entered, inside, enter, leave } = watch(semaphore);
  for (let call = 0; call < 5; call += 1) enter('greedy 1');
  const callers: CallerPath[] = [['greedy', '1']];
  semaphore.enter(never, callers).then((place) => {
    if (!place) return;
    entered.push(`shared by ${place.caller[0]}`);
    inside.push(place);
  });
  await settle();
  callers.push(['modest', '1']);
  await leave();
  assert.deepEqual(entered, ['greedy 1', 'shared by modest']);
});

test('whatever comes, leaves and gives up: never more inside than allowed, and no call is forgotten', async () => {
  const step = fc.record({
    does: fc.constantFrom('enter', 'leave', 'give up'),
    caller: fc.constantFrom('a 1', 'a 2', 'b 1'),
    which: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.nat(4),
      fc.array(step),
      async (limit, queueLimit, steps) => {
        const semaphore = createFairSemaphore({ limit, queueLimit });
        const inside = new Set<HeldPlace>();
        const waiting = new Set<AbortController>();
        let calls = 0;
        let ended = 0;
        for (const { does, caller, which } of steps) {
          if (does === 'enter') {
            const leaving = new AbortController();
            waiting.add(leaving);
            calls += 1;
            semaphore.enter(leaving.signal, [caller.split(' ')]).then((place) => {
              waiting.delete(leaving);
              if (place) inside.add(place);
              else ended += 1;
            });
          } else if (does === 'give up') [...waiting][which]?.abort();
          else {
            const place = [...inside][which];
            if (place) {
              inside.delete(place);
              ended += 1;
              place.leave();
            }
          }
          await settle();
          assert.ok(inside.size <= limit);
          assert.ok(waiting.size <= queueLimit);
          assert.ok(waiting.size === 0 || inside.size === limit, 'no place is empty while calls wait');
        }
        assert.equal(inside.size + waiting.size + ended, calls);
      },
    ),
  );
});
