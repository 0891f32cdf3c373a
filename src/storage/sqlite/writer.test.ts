import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createWriter, writeBatch } from './writer.ts';

it('answers with the failure while the file cannot be opened, and works when it can', async (t) => {
  const directory = join(temporaryDirectory(t), 'not-yet');
  const file = join(directory, 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'sessions' });
  t.after(() => writer.close());
  const write = { kind: 'delete_expired', bodiesBefore: 0, sessionsBefore: 0, limit: 1 };
  const [outcome] = await writer.write([write], []);
  assert.ok(outcome?.kind === 'failed');
  assert.equal(outcome.cause, 'input_output');

  mkdirSync(directory);
  assert.deepEqual(await writer.write([], []), []);
});

it('rejects the batch during which its thread ends, and starts a new one', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'sessions' });
  t.after(() => writer.close());
  const notABatch = JSON.parse('null');
  await assert.rejects(writer.write(notABatch, []), { kind: 'interrupted' });
  assert.deepEqual(await writer.write([], []), []);
});

it('moves bodies to the thread instead of copying them', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'sessions' });
  t.after(() => writer.close());
  const body = new Uint8Array(5_000);
  await writer.write([], [body]);
  assert.equal(body.byteLength, 0);
});

it('does not wait for a lock again for each write of a batch', () => {
  const SQLITE_BUSY = 5;
  let waits = 0;
  const outcomes = writeBatch(
    new DatabaseSync(':memory:'),
    {
      apply: () => {
        waits += 1;
        throw Object.assign(new Error('database is locked'), { errcode: SQLITE_BUSY });
      },
      transactionEnded: () => undefined,
    },
    ['one', 'two', 'three'],
  );
  assert.equal(waits, 1);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === 'failed' && outcome.cause),
    ['busy', 'busy', 'busy'],
  );
});

it('keeps nothing of a write that fails halfway, and its neighbours whole', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE written (name TEXT)');
  const insert = database.prepare('INSERT INTO written VALUES (?)');
  const ends: boolean[] = [];
  const outcomes = writeBatch(
    database,
    {
      apply(name) {
        insert.run(name);
        if (name === 'bad') throw new Error('a fault of the program');
        return { kind: 'written' };
      },
      transactionEnded: (isCommitted) => ends.push(isCommitted),
    },
    ['good', 'bad', 'good too'],
  );
  assert.deepEqual(outcomes, [
    { kind: 'written' },
    { kind: 'failed', cause: null, message: 'a fault of the program' },
    { kind: 'written' },
  ]);
  assert.deepEqual(ends, [false, true, false, true], 'the batch, then each alone');
  const names = database.prepare('SELECT name FROM written').all();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['good', 'good too'],
  );
});
