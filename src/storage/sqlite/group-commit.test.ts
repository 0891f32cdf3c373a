import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Writer, WriterReply } from './writer.ts';

/** A writer that the test answers by hand. */
function writerByHand() {
  const batches: { writes: readonly number[]; text: string; answer: PromiseWithResolvers<WriterReply> }[] =
    [];
  const writer: Writer<number> = {
    write(writes, buffer) {
      const answer = Promise.withResolvers<WriterReply>();
      const text = new TextDecoder().decode(new Uint8Array(buffer, 0, writes.length));
      batches.push({ writes, text, answer });
      return answer.promise;
    },
    close: async () => {},
  };
  const group = createGroupCommit({ writer, maxWaiting: 100, maxWaitingBytes: 1_000 });
  const submit = (write: number, size = 1) =>
    group.submit(
      (arena) => {
        arena.append(new Uint8Array(size).fill(48 + (write % 10)));
        return write;
      },
      (outcome) => `${write} ${outcome}`,
    );
  return { batches, group, submit };
}

const written = (count: number): WriterReply => ({
  outcomes: new Array(count).fill('written'),
  buffer: new ArrayBuffer(0),
});
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('sends what arrives in one turn together, and gathers the next batch meanwhile', async () => {
  const { batches, submit } = writerByHand();
  const first = [submit(1), submit(2)];
  assert.equal(batches.length, 0);
  await nextTurn();
  const second = [submit(3), submit(4), submit(5)];
  await nextTurn();
  assert.deepEqual(
    batches.map(({ writes, text }) => ({ writes, text })),
    [{ writes: [1, 2], text: '12' }],
  );
  batches[0]?.answer.resolve(written(2));
  assert.deepEqual(await Promise.all(first), ['1 written', '2 written']);
  assert.deepEqual(batches[1]?.writes, [3, 4, 5]);
  assert.equal(batches[1]?.text, '345');
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

it('gives each caller its own fault', async () => {
  const { batches, submit } = writerByHand();
  const calls = [submit(1), submit(2), submit(3)];
  await nextTurn();
  batches[0]?.answer.resolve({
    outcomes: ['written', { fault: { kind: 'full', message: 'no room' } }, 'conflict'],
    buffer: new ArrayBuffer(0),
  });
  const outcomes = await Promise.allSettled(calls);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.kind)),
    ['1 written', 'full', '3 conflict'],
  );
});

it('refuses when too many bytes wait, and takes more once they are written', async () => {
  const { batches, submit } = writerByHand();
  const large = submit(1, 1_000);
  await assert.rejects(submit(2), { kind: 'overloaded' });
  await nextTurn();
  batches[0]?.answer.resolve(written(1));
  await large;
  const later = submit(3);
  await nextTurn();
  batches[1]?.answer.resolve(written(1));
  assert.equal(await later, '3 written');
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
