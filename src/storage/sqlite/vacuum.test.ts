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
import type { SessionStore } from '../../sessions/session-store.ts';

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
