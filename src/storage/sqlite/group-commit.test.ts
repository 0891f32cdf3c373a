import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createGroupCommit } from './group-commit.ts';
import type { WriteOutcome } from './write-batch.ts';
import type { Writer } from './writer.ts';

type TestWrite = { readonly number: number; readonly body: OwnedBytes };

/** A writer that the test answers by hand. */
function writerByHand({ maxQueuedWrites = 100 } = {}) {
  const batches: {
    readonly writes: readonly number[];
    readonly bodies: readonly OwnedBytes[];
    readonly answer: PromiseWithResolvers<readonly WriteOutcome[]>;
  }[] = [];
  const writer: Writer<TestWrite> = {
    write(writes, bodies) {
      const answer = Promise.withResolvers<readonly WriteOutcome[]>();
      batches.push({ writes: writes.map(({ number }) => number), bodies, answer });
      return answer.promise;
    },
    close: async () => {},
  };
  const group = createGroupCommit({
    writer,
    bodiesOf: ({ body }) => [body],
    maxQueuedWrites,
    maxQueuedBytes: 10_000_000,
  });
  const submit = (number: number, size = 1) =>
    group.submit({ number, body: new Uint8Array(size).fill(number) }, ({ kind }) => `${number} ${kind}`);
  return { batches, group, submit };
}

const written = (count: number): WriteOutcome[] => new Array(count).fill({ kind: 'written' });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('sends what arrives in one turn together, and gathers the next batch meanwhile', async () => {
  const { batches, submit } = writerByHand();
  const first = [submit(1), submit(2)];
  assert.equal(batches.length, 0);
  await nextTurn();
  const second = [submit(3), submit(4), submit(5)];
  await nextTurn();
  assert.deepEqual(
    batches.map(({ writes, bodies }) => ({ writes, bodies })),
    [{ writes: [1, 2], bodies: [Uint8Array.of(1), Uint8Array.of(2)] }],
  );
  batches[0]?.answer.resolve(written(2));
  assert.deepEqual(await Promise.all(first), ['1 written', '2 written']);
  assert.deepEqual(batches[1]?.writes, [3, 4, 5]);
  assert.deepEqual(batches[1]?.bodies, [Uint8Array.of(3), Uint8Array.of(4), Uint8Array.of(5)]);
  batches[1]?.answer.resolve(written(3));
  assert.deepEqual(await Promise.all(second), ['3 written', '4 written', '5 written']);
});

it('does not wait for the turn to end when there is enough to write', () => {
  const { batches, submit } = writerByHand();
  for (let write = 0; write < 40; write += 1) submit(write);
  assert.equal(batches[0]?.writes.length, 32);
});

it('rejects only the batch that was lost', async () => {
  const { batches, submit } = writerByHand();
  const lost = submit(1);
  await nextTurn();
  const kept = submit(2);
  batches[0]?.answer.reject(new StorageFailure('interrupted', 'gone'));
  await assert.rejects(lost, { kind: 'interrupted' });
  batches[1]?.answer.resolve(written(1));
  assert.equal(await kept, '2 written');
});

it('gives each caller its own failure', async () => {
  const { batches, submit } = writerByHand();
  const calls = [submit(1), submit(2), submit(3)];
  await nextTurn();
  batches[0]?.answer.resolve([
    { kind: 'written' },
    { kind: 'failed', cause: 'full', message: 'no room' },
    { kind: 'conflict' },
  ]);
  const outcomes = await Promise.allSettled(calls);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.kind)),
    ['1 written', 'full', '3 conflict'],
  );
});

it('refuses when too many bytes wait, and takes more once they are written', async () => {
  const { batches, submit } = writerByHand();
  const large = submit(1, 10_000_000);
  await assert.rejects(submit(2), { kind: 'overloaded' });
  await nextTurn();
  batches[0]?.answer.resolve(written(1));
  await large;
  const later = submit(3);
  await nextTurn();
  batches[1]?.answer.resolve(written(1));
  assert.equal(await later, '3 written');
});

it('refuses when too many writes wait, and counts them', async () => {
  const { group, submit } = writerByHand();
  for (let write = 0; write < 100; write += 1) submit(write);
  await assert.rejects(submit(100), { kind: 'overloaded' });
  assert.equal(group.waiting, 100);
});

it('starts another batch when one is large enough', async () => {
  const { batches, submit } = writerByHand();
  submit(1);
  await nextTurn();
  for (const write of [2, 3, 4]) submit(write, 3_000_000);
  batches[0]?.answer.resolve(written(1));
  await nextTurn();
  assert.deepEqual(batches[1]?.writes, [2, 3]);
});

it('starts another batch when one has enough writes', async () => {
  const { batches, submit } = writerByHand({ maxQueuedWrites: 1_000 });
  submit(0);
  await nextTurn();
  for (let write = 1; write <= 600; write += 1) submit(write);
  batches[0]?.answer.resolve(written(1));
  await nextTurn();
  assert.equal(batches[1]?.writes.length, 512);
});

it('refuses a write for which the writer gave no outcome', async () => {
  const { batches, submit } = writerByHand();
  const call = submit(1);
  await nextTurn();
  batches[0]?.answer.resolve([]);
  await assert.rejects(call, { kind: 'interrupted' });
});

it('closes after the last batch is written', async () => {
  const { batches, group, submit } = writerByHand();
  const last = submit(1);
  let closed = false;
  const closing = group.close().then(() => {
    closed = true;
  });
  await assert.rejects(submit(2), { kind: 'closed' });
  await nextTurn();
  assert.equal(closed, false);
  batches[0]?.answer.resolve(written(1));
  await closing;
  assert.equal(await last, '1 written');
});
