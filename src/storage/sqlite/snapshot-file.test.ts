import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createSnapshotFile } from './snapshot-file.ts';

it('is replaced as a whole or stays, and is its owner’s alone', async (t) => {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'index.snapshot');
  writeFileSync(`${path}.part`, 'of a killed process');
  const file = createSnapshotFile(directory, async () => 1e12);
  assert.deepEqual(readdirSync(directory), []);
  assert.equal(await file.open(), undefined);
  await file.replace(6, async (append) => {
    await append(Buffer.from('abcd'));
    await append(Buffer.from('ef'));
    assert.deepEqual(readdirSync(directory), ['index.snapshot.part']);
  });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const failing = file.replace(9, async (append) => {
    await append(Buffer.from('new'));
    throw new Error('no space');
  });
  await assert.rejects(failing, /no space/);
  assert.deepEqual(readdirSync(directory), ['index.snapshot']);
  const stored = await file.open();
  const [first, rest] = [Buffer.alloc(4), Buffer.alloc(2)];
  await stored?.read(first);
  await stored?.read(rest);
  assert.deepEqual([stored?.bytes, `${first}${rest}`], [6, 'abcdef']);
  await assert.rejects(stored?.read(first) ?? Promise.resolve(), /ends too early/);
  await stored?.close();
});

it('is not begun where it would leave the disk without space', async (t) => {
  const directory = temporaryDirectory(t);
  const file = createSnapshotFile(directory, async () => 300 * 1024 * 1024);
  await file.replace(1000, (append) => append(Buffer.from('small')));
  await assert.rejects(
    file.replace(100 * 1024 * 1024, () => assert.fail('it was begun')),
    /needs 104857600 bytes/,
  );
  assert.equal(readFileSync(join(directory, 'index.snapshot'), 'utf8'), 'small');
});
