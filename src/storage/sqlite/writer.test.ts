import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createWriter, isFailed, writeBatch } from './writer.ts';

it('answers with the failure while the file cannot be opened, and works when it can', async (t) => {
  const directory = join(temporaryDirectory(t), 'not-yet');
  const writer = createWriter({ file: join(directory, 'a.sqlite'), lockTimeoutMs: 0, contents: 'inventory' });
  t.after(() => writer.close());
  const [outcome] = await writer.write([{ name: 'beginCatalogue', args: [] }], []);
  assert.equal(isFailed(outcome) && outcome.failedBy, 'input_output');
  mkdirSync(directory);
  const [failed] = await writer.write([{ name: 'beginCatalogue', args: [] }], []);
  assert.match(isFailed(failed) ? failed.message : '', /no such table/);
});

it('rejects the batch during which its thread ends, and starts a new one', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'inventory' });
  t.after(() => writer.close());
  for (let time = 0; time < 2; time += 1) {
    await assert.rejects(writer.write(JSON.parse('null'), []), { kind: 'interrupted' });
  }
});

it('moves bodies to the thread instead of copying them', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'inventory' });
  t.after(() => writer.close());
  const body = new Uint8Array(5_000);
  await writer.write([], [body]);
  assert.equal(body.byteLength, 0);
});

it('does not wait for a lock again for each call of a batch', () => {
  let waits = 0;
  const wait = () => {
    waits += 1;
    throw Object.assign(new Error('database is locked'), { errcode: 5 });
  };
  const calls = ['one', 'two', 'three'].map((argument) => ({ name: 'wait', args: [argument] }));
  const outcomes = writeBatch(new DatabaseSync(':memory:'), { wait }, calls);
  assert.equal(waits, 1);
  assert.deepEqual(
    outcomes.map((outcome) => isFailed(outcome) && outcome.failedBy),
    ['busy', 'busy', 'busy'],
  );
});

it('keeps nothing of a call that fails halfway, and its neighbours whole', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE written (name TEXT)');
  const insert = database.prepare('INSERT INTO written VALUES (?)');
  const write = (name: string) => {
    insert.run(name);
    if (name === 'bad') throw new Error('a fault of the program');
    return name.length;
  };
  const calls = ['good', 'bad', 'good too'].map((name) => ({ name: 'write', args: [name] }));
  assert.deepEqual(writeBatch(database, { write }, calls), [
    4,
    { failedBy: null, message: 'a fault of the program' },
    8,
  ]);
  const names = database.prepare('SELECT name FROM written').all();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['good', 'good too'],
  );
});
