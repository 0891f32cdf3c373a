import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
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

const SUPPORT = import.meta.resolve('../../../test/support/temporary-storage.ts');

it('finds everything again after a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const body = new TextEncoder().encode('{"name":"Água"}');
  const change = sampleChange('s', 1, body);

  const before = await openSqliteIn(directory);
  await before.sessions.open(sampleSession('s'));
  await before.sessions.commit(change);
  await before.inventory.saveDocument('azul', new TextEncoder().encode('{}'));
  await before.close();

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

it('gives the space of expired sessions and of removed listings back', async (t) => {
  const { sessions, inventory, directory, close } = await temporaryStorage(t);
  const body = new Uint8Array(100_000).fill(7);
  const ids = Array.from({ length: 60 }, (_, at) => `s${at}`);
  await Promise.all(ids.map((id) => sessions.open(sampleSession(id))));
  await Promise.all(ids.map((id) => sessions.commit(sampleChange(id, 1, body))));
  const homes = ids.map((reference) =>
    sampleProperty({ brand: 'azul', reference, summary: 'x'.repeat(50_000) }),
  );
  await inventory.replaceCatalogue('azul', homes);
  const expired = { bodiesBefore: 2_000, sessionsBefore: 2_000, limit: 1_000 };
  assert.equal(await sessions.deleteExpired(expired), ids.length);
  await inventory.replaceCatalogue('azul', homes.slice(0, 1));
  assert.equal((await sessions.issuedQuotes({ since: 0, limit: 1_000 })).length, ids.length);
  await close();
  for (const name of ['sessions', 'inventory']) {
    const { size } = statSync(join(directory, `${name}.sqlite`));
    assert.ok(size < 500_000, `${size} bytes of ${name}`);
  }
});
