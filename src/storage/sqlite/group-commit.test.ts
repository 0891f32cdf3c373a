import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import {
  openSqliteIn,
  temporaryDirectory,
  temporaryStorage,
} from '../../../test/support/temporary-storage.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import type { SessionStore } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createGroupCommit } from './group-commit.ts';
import type { WriteOutcome, Writer } from './writer.ts';

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

const MEGABYTE = 1024 * 1024;
const ALL = { bodiesBefore: 2_000, sessionsBefore: 2_000, limit: 1_000 };
const ids = Array.from({ length: 120 }, (_, at) => `s${at}`);

async function fill(sessions: SessionStore): Promise<void> {
  const body = new Uint8Array(100_000).fill(7);
  await Promise.all(ids.map((id) => sessions.open(sampleSession(id))));
  await Promise.all(ids.map((id) => sessions.commit(sampleChange(id, 1, body))));
}

it('makes the file and its log short again when sessions have expired', async (t) => {
  const { sessions, directory } = await temporaryStorage(t);
  const size = (name: string) => statSync(join(directory, name)).size;
  await fill(sessions);
  assert.ok(
    size('sessions.sqlite-wal') + size('sessions.sqlite') > 11 * MEGABYTE,
    'the case needs a large file',
  );
  assert.equal(await sessions.deleteExpired(ALL), ids.length);
  assert.ok(size('sessions.sqlite') < 1.5 * MEGABYTE, `${size('sessions.sqlite')} bytes`);
  assert.equal(size('sessions.sqlite-wal'), 0);
  assert.equal((await sessions.issuedQuotes({ since: 0, limit: 1_000 })).length, ids.length);
});

it('lets changes go between its steps', async (t) => {
  const { sessions } = await temporaryStorage(t);
  await fill(sessions);
  await sessions.open({ ...sampleSession('live'), expiresAt: 9_000 });
  let isOver = false;
  const deleting = sessions.deleteExpired(ALL).then(() => {
    isOver = true;
  });
  let commits = 0;
  for (; !isOver; commits += 1) {
    await sessions.commit({ ...sampleChange('live', commits + 1, new Uint8Array(9)), quotes: [] });
  }
  await deleting;
  assert.ok(commits > 10, `${commits} commits`);
});

it('keeps some free pages for what comes next', async (t) => {
  const { sessions, directory } = await temporaryStorage(t);
  await sessions.open(sampleSession('s'));
  await sessions.commit(sampleChange('s', 1, new Uint8Array(500_000)));
  await sessions.deleteExpired(ALL);
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'), { readOnly: true });
  t.after(() => database.close());
  assert.ok(Number(database.prepare('PRAGMA freelist_count').get()?.freelist_count) > 100);
});

it('does the same for a catalogue that has become small', async (t) => {
  const { inventory, directory } = await temporaryStorage(t);
  const property = (at: number) =>
    sampleProperty({ brand: 'azul', reference: String(at), summary: 'x'.repeat(20_000) });
  await inventory.replaceCatalogue(
    'azul',
    Array.from({ length: 300 }, (_, at) => property(at)),
  );
  await inventory.replaceCatalogue('azul', [property(1)]);
  assert.ok(statSync(join(directory, 'inventory.sqlite')).size < 1.5 * MEGABYTE);
});

it('works for a file of an earlier version too, which is rewritten once', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'sessions.sqlite');
  const before = await openSqliteIn(directory);
  await before.sessions.open(sampleSession('s'));
  await before.close();
  const earlier = new DatabaseSync(file);
  earlier.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM');
  assert.equal(earlier.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum, 0, 'the case needs an earlier file');
  earlier.close();

  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  assert.ok(await sessions.find('s'));
  await fill(sessions);
  await sessions.deleteExpired(ALL);
  assert.ok(statSync(file).size < 1.5 * MEGABYTE);
});
