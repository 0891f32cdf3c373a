import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createOneAtATime } from './one-at-a-time.ts';

test('work for one key never overlaps and keeps its order, whatever the timing; a failure does not stop the next', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 12 }),
      async (scheduler, keys) => {
        const oneAtATime = createOneAtATime();
        const running = new Map<string, number>();
        const finished: Record<string, number[]> = { a: [], b: [] };
        const all = keys.map((key, position) =>
          oneAtATime(key, async () => {
            assert.equal(running.get(key) ?? 0, 0, 'two at a time');
            running.set(key, 1);
            await scheduler.schedule(Promise.resolve());
            running.set(key, 0);
            finished[key]?.push(position);
            if (position % 3 === 2) throw new Error('one of them fails');
          }).catch(() => undefined),
        );
        await scheduler.waitFor(Promise.all(all));
        for (const order of Object.values(finished))
          assert.deepEqual(
            order,
            order.toSorted((x, y) => x - y),
          );
        assert.equal(finished.a?.length, keys.filter((key) => key === 'a').length);
      },
    ),
  );
});

test('work for different keys runs concurrently', async () => {
  const oneAtATime = createOneAtATime();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = oneAtATime('a', () => promise);
  assert.equal(await oneAtATime('b', async () => 'at once'), 'at once');
  resolve();
  await slow;
});
