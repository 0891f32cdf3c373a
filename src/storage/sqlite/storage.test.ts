import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import {
  openSqliteIn,
  temporaryDirectory,
  temporaryStorage,
} from '../../../test/support/temporary-storage.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';

const SUPPORT = import.meta.resolve('../../../test/support/temporary-storage.ts');

it('says that a file was empty, which nobody but a start that broke off leaves so', async (t) => {
  const directory = temporaryDirectory(t);
  const open = async () => {
    const warnings: string[] = [];
    const storage = await openSqliteIn(directory, { report: (warning) => warnings.push(warning) });
    await storage.close();
    return warnings;
  };
  assert.deepEqual(await open(), []);
  truncateSync(join(directory, 'sessions.sqlite'), 0);
  assert.deepEqual(await open(), [`${join(directory, 'sessions.sqlite')} was empty, and begins anew.`]);
  assert.deepEqual(await open(), []);
});

it('finds everything again after a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const body = new TextEncoder().encode('{"name":"Água"}');
  const change = sampleChange('s', 1, body);

  const before = await openSqliteIn(directory);
  await before.sessions.open(sampleSession('s'));
  await before.sessions.commit(change);
  await before.inventory.saveDocument('azul', new TextEncoder().encode('{}'));
  await before.close();
  assert.deepEqual(readdirSync(directory).toSorted(), ['inventory.sqlite', 'lock.sqlite', 'sessions.sqlite']);

  const after = await openSqliteIn(directory);
  t.after(() => after.close());
  assert.deepEqual(await after.sessions.find('s'), change.session);
  assert.deepEqual(await after.sessions.result('s'), body);
  assert.deepEqual(await after.sessions.usedKey('s', 'key-1'), { fingerprint: 'fingerprint', revision: 1 });
  assert.equal(await after.sessions.usedKey('s', 'key-2'), undefined);
  assert.deepEqual(await after.sessions.issuedQuotes({ since: 0, limit: 9 }), change.quotes);
  assert.deepEqual(await after.inventory.document('azul'), new TextEncoder().encode('{}'));
  assert.deepEqual(await after.sessions.commit(sampleChange('s', 2, body)), { kind: 'committed' });
  assert.ok(await after.sessions.usedKey('s', 'key-2'));
});

it('counts what an assistant keeps anew after a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const quota = { sessions: 2, bytes: 60_000, totalBytes: 1e9, shareBytes: 1e9 };
  const before = await openSqliteIn(directory);
  await before.sessions.open(sampleSession('expired'));
  await before.sessions.deleteExpired({ bodiesBefore: 2_000, sessionsBefore: 0, limit: 9 });
  await before.sessions.open(sampleSession('s'));
  await before.sessions.commit(sampleChange('s', 1, new Uint8Array(50_000)));
  await before.close();
  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  assert.deepEqual(await sessions.open(sampleSession('two'), quota), { kind: 'opened' });
  assert.deepEqual(await sessions.open(sampleSession('three'), quota), {
    kind: 'over_quota',
    until: 1_000,
  });
  const larger = { ...quota, sessions: 9 };
  assert.deepEqual(await sessions.open(sampleSession('three'), larger), { kind: 'opened' });
  const smaller = { ...larger, bytes: 50_000 };
  assert.equal((await sessions.open(sampleSession('four'), smaller)).kind, 'over_quota');
});

it('opens what a crash has left in the middle of its first transaction', async (t) => {
  const directory = temporaryDirectory(t);
  const dying = new DatabaseSync(join(directory, 'dying.sqlite'));
  t.after(() => dying.close());
  // With no room in the cache, unfinished pages reach the file, and a journal says how to undo them.
  dying.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (done)');
  for (let row = 0; row < 100; row += 1) dying.exec('INSERT INTO half VALUES (randomblob(1000))');
  for (const part of ['', '-journal']) {
    copyFileSync(join(directory, `dying.sqlite${part}`), join(directory, `sessions.sqlite${part}`));
  }
  assert.ok(statSync(join(directory, 'sessions.sqlite')).size > 0);

  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  await sessions.open(sampleSession('s'));
  assert.ok(await sessions.find('s'));
});

it('keeps a second opener out, in this process and in others, until the first has closed', async (t) => {
  const { directory, close } = await temporaryStorage(t);
  const refusal = { name: 'StorageFailure', kind: 'in_use', message: /Another process works on the data in/ };
  await assert.rejects(openSqliteIn(directory), refusal);

  const program = `
    const { openSqliteIn } = await import(${JSON.stringify(SUPPORT)});
    await openSqliteIn(process.argv[1]).catch((failure) => console.log(failure.kind));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  assert.equal(String(said).trim(), 'in_use');
  await once(child, 'close');

  await close();
  await (await openSqliteIn(directory)).close();
});

it('refuses what exceeds the queue, and keeps what was in it', async (t) => {
  const { sessions } = await temporaryStorage(t, { maxQueuedWrites: 10 });
  const ids = Array.from({ length: 30 }, (_, at) => `s${at}`);
  const outcomes = await Promise.allSettled(ids.map((id) => sessions.open(sampleSession(id))));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 20);
  for (const { reason } of refused) assert.equal(reason.kind, 'overloaded');
  for (const [at, id] of ids.entries()) assert.equal((await sessions.find(id)) !== undefined, at < 10, id);
  await sessions.open(sampleSession('later'));
});

it('counts the changes of both databases that are not on disk yet', async (t) => {
  const { sessions, inventory, waiting } = await temporaryStorage(t);
  const changes = [
    sessions.open(sampleSession('a')),
    sessions.open(sampleSession('b')),
    inventory.saveDocument('azul', new TextEncoder().encode('{}')),
  ];
  // A rate card is queued a few microtasks later; no reply of a thread can come among these.
  for (let task = 0; task < 10; task += 1) await null;
  assert.equal(waiting(), 3);
  await Promise.all(changes);
  assert.equal(waiting(), 0);
});

it('lets nobody rewrite the ledger', async (t) => {
  const { sessions, directory } = await temporaryStorage(t);
  await sessions.open(sampleSession('s'));
  await sessions.commit(sampleChange('s', 1, new Uint8Array(1)));
  const database = new DatabaseSync(`${directory}/sessions.sqlite`);
  t.after(() => database.close());
  assert.throws(() => database.exec('DELETE FROM issued_quote'), /append-only/);
  assert.throws(() => database.exec('UPDATE issued_quote SET amount = 1'), /append-only/);
});

it('rejects a calendar whose columns differ in length, and takes the next', async (t) => {
  const { inventory } = await temporaryStorage(t);
  const calendar = { ...emptyCalendar(1, 5), price: new Uint32Array(4) };
  await assert.rejects(inventory.saveCalendars([{ property: 'azul:1', calendar, readAt: 7 }]), RangeError);
  await inventory.saveCalendars([{ property: 'azul:1', calendar: emptyCalendar(1, 5), readAt: 7 }]);
});
