import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createGroupCommit } from './group-commit.ts';

type TestTables = { add(number: number, body: OwnedBytes): string };

/** A writer that the test answers by hand. */
function writerByHand({ maxQueuedCalls = 100 } = {}) {
  const failures: unknown[] = [];
  const batches: {
    readonly numbers: readonly unknown[];
    readonly bodies: readonly OwnedBytes[];
    readonly answer: PromiseWithResolvers<readonly unknown[]>;
  }[] = [];
  const group = createGroupCommit<TestTables>({
    writer: {
      write(calls, bodies) {
        const answer = Promise.withResolvers<readonly unknown[]>();
        batches.push({ numbers: calls.map(({ args }) => args[0]), bodies, answer });
        return answer.promise;
      },
      close: async () => {},
    },
    onFailure: (failure) => failures.push(failure),
    maxQueuedCalls,
    maxQueuedBytes: 10_000_000,
  });
  const add = (number: number, size = 1) => {
    const body = new Uint8Array(size).fill(number);
    return group.call('add', [number, body], [body]);
  };
  return { batches, failures, group, add };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('sends what arrives in one turn together, and gathers the next batch meanwhile', async () => {
  const { batches, group, add } = writerByHand();
  const first = [add(1), add(2)];
  assert.equal(batches.length, 0);
  await nextTurn();
  const second = add(3);
  await nextTurn();
  assert.equal(batches.length, 1);
  assert.deepEqual(batches[0]?.numbers, [1, 2]);
  assert.deepEqual(batches[0]?.bodies, [Uint8Array.of(1), Uint8Array.of(2)]);
  assert.equal(group.waiting, 3);
  batches[0]?.answer.resolve(['one', 'two']);
  assert.deepEqual(await Promise.all(first), ['one', 'two']);
  batches[1]?.answer.resolve(['three']);
  assert.equal(await second, 'three');
  assert.equal(group.waiting, 0);
});

it('starts within a turn when there is enough to write, and splits large batches', async () => {
  const many = writerByHand({ maxQueuedCalls: 1_000 });
  for (let number = 0; number < 700; number += 1) many.add(number);
  assert.equal(many.batches[0]?.numbers.length, 32);
  many.batches[0]?.answer.resolve(new Array(32).fill(''));
  await nextTurn();
  assert.equal(many.batches[1]?.numbers.length, 512);
  const large = writerByHand();
  large.add(1);
  await nextTurn();
  for (const number of [2, 3, 4]) large.add(number, 3_000_000);
  large.batches[0]?.answer.resolve(['']);
  await nextTurn();
  assert.deepEqual(large.batches[1]?.numbers, [2, 3]);
});

it('gives each caller its own failure, and all of a lost batch the same', async () => {
  const { batches, failures, add } = writerByHand();
  const calls = [add(1), add(2)];
  await nextTurn();
  const lost = add(3);
  batches[0]?.answer.resolve(['one', { failedBy: 'full', message: 'no space' }]);
  const [one, two] = await Promise.allSettled(calls);
  assert.deepEqual(one, { status: 'fulfilled', value: 'one' });
  assert.equal(two?.status === 'rejected' && two.reason.kind, 'full');
  batches[1]?.answer.reject(new StorageFailure('interrupted', 'gone'));
  await assert.rejects(lost, { kind: 'interrupted' });
  assert.equal(failures.length, 2);
});

it('refuses when too many bytes or calls wait, and takes more once they are written', async () => {
  const { batches, add } = writerByHand();
  const large = add(1, 10_000_000);
  await assert.rejects(add(2), { kind: 'overloaded' });
  await nextTurn();
  batches[0]?.answer.resolve(['']);
  await large;
  for (let number = 0; number < 100; number += 1) add(number);
  await assert.rejects(add(100), { kind: 'overloaded' });
});

it('closes after the last batch is written', async () => {
  const { batches, group, add } = writerByHand();
  const last = add(1);
  let isClosed = false;
  const closing = group.close().then(() => {
    isClosed = true;
  });
  await assert.rejects(add(2), { kind: 'closed' });
  await nextTurn();
  assert.equal(isClosed, false);
  batches[0]?.answer.resolve(['last']);
  await closing;
  assert.equal(await last, 'last');
});
