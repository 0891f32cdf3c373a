import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { openSqliteOwnerStore } from './owner-store.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function modesIn(directory: string): Record<string, string> {
  return Object.fromEntries(readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]));
}

function withUmask(t: TestContext, mask: number): void {
  const before = process.umask(mask);
  t.after(() => process.umask(before));
}

const FILES = [
  'activity.sqlite',
  'inventory.sqlite',
  'inventory.sqlite-shm',
  'inventory.sqlite-wal',
  'lock.sqlite',
  'sessions.sqlite',
  'sessions.sqlite-shm',
  'sessions.sqlite-wal',
];
const privately = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '600']));

it('keeps a new folder and every file in it from other users, whatever the umask', async (t) => {
  withUmask(t, 0);
  const directory = join(temporaryDirectory(t), 'data');
  const { sessions, inventory, close } = await openSqliteIn(directory);
  t.after(close);
  await sessions.open(sampleSession('s'));
  await sessions.commit(sampleChange('s', 1, new Uint8Array(9)));
  await inventory.saveDocument('azul', new TextEncoder().encode('{}'));
  assert.equal(modeOf(directory), '700');
  assert.deepEqual(modesIn(directory), privately(FILES));
});

it('takes a folder and files that everybody could read away from others, and leaves foreign files alone', async (t) => {
  withUmask(t, 0);
  const directory = join(temporaryDirectory(t), 'data');
  await (await openSqliteIn(directory)).close();
  chmodSync(directory, 0o777);
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644);
  writeFileSync(join(directory, 'inventory.sqlite.damaged-1'), '', { mode: 0o666 });
  writeFileSync(join(directory, 'notes.txt'), '', { mode: 0o666 });
  mkdirSync(join(directory, 'demo'), { mode: 0o755 });

  const { close } = await openSqliteIn(directory);
  t.after(close);
  assert.equal(modeOf(directory), '700');
  const { 'notes.txt': notes, demo, ...ours } = modesIn(directory);
  assert.deepEqual([notes, demo], ['666', '755']);
  assert.deepEqual(new Set(Object.values(ours)), new Set(['600']));
});

it('refuses a folder that all users share, and leaves its mode as it is', async (t) => {
  const directory = join(temporaryDirectory(t), 'shared');
  mkdirSync(directory);
  chmodSync(directory, 0o1777);
  await assert.rejects(openSqliteIn(directory), {
    name: 'StorageFailure',
    kind: 'input_output',
    message: /shared by all users/,
  });
  assert.equal(statSync(directory).mode & 0o7777, 0o1777);
  assert.deepEqual(readdirSync(directory), []);
});

it('never changes the mode of what a link leads to, and works on none in place of a file of its own', async (t) => {
  const directory = temporaryDirectory(t);
  const data = join(directory, 'data');
  await (await openSqliteIn(data)).close();
  const [theirs, folder, nothing] = ['theirs', 'folder', 'nothing'].map((name) => join(directory, name));
  assert.ok(theirs && folder && nothing);
  writeFileSync(theirs, '', { mode: 0o644 });
  mkdirSync(folder, { mode: 0o755 });
  const refusedFor = (name: string) => ({
    name: 'StorageFailure',
    kind: 'input_output',
    message: new RegExp(`There can be no data in .*${name}: it is no regular file`),
  });
  for (const target of [theirs, folder, nothing]) {
    const linkTo = (name: string) => {
      rmSync(join(data, name), { force: true });
      symlinkSync(target, join(data, name));
    };
    for (const name of ['outbox.sqlite', 'index.snapshot', 'activity.sqlite']) linkTo(name);
    await assert.rejects(openSqliteIn(data), refusedFor('activity.sqlite'));
    const command = openSqliteOwnerStore(data);
    await assert.rejects(command.owner.set('console_password', 'x'), refusedFor('activity.sqlite'));
    await command.close();
    linkTo('sessions.sqlite');
    await assert.rejects(openSqliteIn(data), refusedFor('sessions.sqlite'));
    rmSync(join(data, 'sessions.sqlite'));
    assert.deepEqual([modeOf(theirs), modeOf(folder), statSync(theirs).size], ['644', '755', 0]);
    assert.ok(!existsSync(nothing));
  }
});
