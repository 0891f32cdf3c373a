import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createSnapshotFile } from './snapshot-file.ts';

const ROOM = { freeBytes: async () => 10 ** 12 };

function setUp(t: TestContext) {
  const directory = temporaryDirectory(t);
  return { directory, path: join(directory, 'index.snapshot'), file: createSnapshotFile(directory, ROOM) };
}

describe('the file of a snapshot', () => {
  it('has what was appended, and can be read by its owner alone', async (t) => {
    const { directory, path, file } = setUp(t);
    assert.equal(await file.open(), undefined);
    await file.replace(6, async (append) => {
      await append(Buffer.from('abcd'));
      assert.equal(existsSync(path), false);
      await append(Buffer.from('ef'));
    });
    assert.equal(readFileSync(path, 'utf8'), 'abcdef');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(directory), ['index.snapshot']);
    const stored = await file.open();
    const [first, rest] = [Buffer.alloc(4), Buffer.alloc(2)];
    await stored?.read(first);
    await stored?.read(rest);
    assert.deepEqual([stored?.bytes, `${first}${rest}`], [6, 'abcdef']);
    await assert.rejects(stored?.read(first) ?? Promise.resolve(), /ends too early/);
    await stored?.close();
  });

  it('stays as it was when the next cannot be written', async (t) => {
    const { directory, path, file } = setUp(t);
    await file.replace(3, (append) => append(Buffer.from('old')));
    const failing = file.replace(9, async (append) => {
      await append(Buffer.from('new'));
      throw new Error('no room');
    });
    await assert.rejects(failing, /no room/);
    assert.equal(readFileSync(path, 'utf8'), 'old');
    assert.deepEqual(readdirSync(directory), ['index.snapshot']);
  });

  it('is not begun where it would leave the disk without room', async (t) => {
    const directory = temporaryDirectory(t);
    const file = createSnapshotFile(directory, { freeBytes: async () => 300 * 1024 * 1024 });
    await file.replace(1000, (append) => append(Buffer.from('small')));
    await assert.rejects(
      file.replace(100 * 1024 * 1024, () => assert.fail('it was begun')),
      /needs 104857600 bytes/,
    );
    assert.equal(readFileSync(join(directory, 'index.snapshot'), 'utf8'), 'small');
  });

  it('cannot be read where a folder has its name, and says so', async (t) => {
    const { path, file } = setUp(t);
    mkdirSync(path);
    const stored = await file.open();
    await assert.rejects(stored?.read(Buffer.alloc(1)) ?? Promise.resolve(), /EISDIR/);
    await stored?.close();
  });

  it('is the last whole one after the process was killed in the middle of the next', async (t) => {
    const { directory, path } = setUp(t);
    writeFileSync(path, 'the last whole one');
    const script = `import(${JSON.stringify(new URL('./snapshot-file.ts', import.meta.url).href)}).then(({ createSnapshotFile }) =>
      createSnapshotFile(${JSON.stringify(directory)}, { freeBytes: async () => 1e12 }).replace(1e9, async (append) => {
        await append(Buffer.alloc(100_000, 7));
        console.log('half');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    assert.deepEqual(readdirSync(directory).sort(), ['index.snapshot', 'index.snapshot.part']);
    const file = createSnapshotFile(directory, ROOM);
    assert.deepEqual(readdirSync(directory), ['index.snapshot']);
    const stored = await file.open();
    assert.equal(stored?.bytes, 18);
    await stored?.close();
  });
});
