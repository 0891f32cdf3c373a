import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLIENT_STAYS, ClientGone } from './deadline.ts';
import { createOneAtATime } from './keyed-mutex.ts';

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

test('a line that is full takes nobody more, and says so at once', async () => {
  const oneAtATime = createOneAtATime();
  const { promise, resolve } = Promise.withResolvers<string>();
  const line = { client: CLIENT_STAYS, maxWaiting: 2, whenFull: () => 'full' };
  const all = Array.from({ length: 4 }, () => oneAtATime('a', () => promise, line));
  assert.equal(await all[3], 'full');
  assert.equal(await oneAtATime('b', async () => 'another key', line), 'another key');
  resolve('done');
  assert.deepEqual(await Promise.all(all), ['done', 'done', 'done', 'full']);
  assert.equal(await oneAtATime('a', async () => 'room again', line), 'room again');
});

test('who leaves before its turn is never carried out, frees its place, and holds up nobody', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ leaves: fc.boolean(), fails: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      async (scheduler, comers) => {
        const oneAtATime = createOneAtATime();
        let running = 0;
        const began: number[] = [];
        const outcomes = comers.map(async ({ leaves, fails }, position) => {
          const departure = new AbortController();
          if (leaves) scheduler.schedule(Promise.resolve()).then(() => departure.abort(new ClientGone()));
          const client = { hasGone: () => departure.signal.aborted, departure: () => departure.signal };
          const work = async () => {
            began.push(position);
            running += 1;
            assert.equal(running, 1, 'two at a time');
            await scheduler.schedule(Promise.resolve());
            running -= 1;
            if (fails) throw new Error('one of them fails');
            return 'done';
          };
          const line = { client, maxWaiting: 100, whenFull: () => 'full' };
          return oneAtATime('a', work, line).catch((fault: unknown) =>
            fault instanceof ClientGone ? 'gone' : 'failed',
          );
        });
        await scheduler.waitFor(Promise.all(outcomes));
        assert.deepEqual(
          began,
          began.toSorted((a, b) => a - b),
        );
        for (const [position, outcome] of (await Promise.all(outcomes)).entries()) {
          const { leaves, fails } = comers[position] ?? {};
          if (outcome === 'gone') assert.ok(leaves && !began.includes(position));
          else assert.equal(outcome, fails ? 'failed' : 'done');
        }
        let isFirst = false;
        await oneAtATime('a', async ({ waited }) => {
          isFirst = !waited;
        });
        assert.ok(isFirst, 'somebody left a trace');
      },
    ),
  );
});
