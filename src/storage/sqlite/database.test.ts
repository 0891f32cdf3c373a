import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { migrate } from './database.ts';

const first = 'CREATE TABLE a (x INTEGER) STRICT';
const second = 'ALTER TABLE a ADD COLUMN y TEXT';

it('brings an older file up to date and keeps its rows', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, { applicationId: 7, migrations: [first] });
  database.exec('INSERT INTO a (x) VALUES (1)');
  migrate(database, { applicationId: 7, migrations: [first, second] });
  assert.deepEqual({ ...database.prepare('SELECT * FROM a').get() }, { x: 1, y: null });
  assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, 2);
});

it('leaves the old version when a step fails', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, { applicationId: 7, migrations: [first] });
  const faulty = { applicationId: 7, migrations: [first, second, 'CREATE TABLE a (again)'] };
  assert.throws(() => migrate(database, faulty), /already exists/);
  assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, 1);
  assert.throws(() => database.prepare('SELECT y FROM a'), /no such column/);
});
