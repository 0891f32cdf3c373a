import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { writeBatch } from './write-batch.ts';

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
