import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFile, removeLeftBehind, replaceFile } from './replace-file.ts';

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-write-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a file that is written at once', () => {
  it('keeps its permissions when it is replaced, and links stay', (t) => {
    const folder = folderFor(t);
    const path = join(folder, 'a');
    writeFileSync(path, 'old', { mode: 0o640 });
    replaceFile(path, 'new');
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.equal(statSync(path).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder), ['a']);
    symlinkSync(path, join(folder, 'link'));
    replaceFile(join(folder, 'link'), 'newer');
    assert.equal(readFileSync(path, 'utf8'), 'newer');
    assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink());
  });

  it('takes away what a killed process has left of it, and nothing else', (t) => {
    const folder = folderFor(t);
    const path = join(folder, 'a');
    const uuid = '6f1c7a1e-0000-4000-8000-00000000000';
    const old = [`a.${uuid}1.part`, `b.${uuid}2.part`, 'a.notes.part'];
    for (const name of old) {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), 1000, 1000);
    }
    writeFileSync(path, 'old');
    utimesSync(path, 2000, 2000);
    // Somebody else is writing just now.
    writeFileSync(join(folder, `a.${uuid}3.part`), '');
    utimesSync(join(folder, `a.${uuid}3.part`), 3000, 3000);
    replaceFile(path, 'new');
    assert.deepEqual(
      readdirSync(folder).sort(),
      ['a', `a.${uuid}3.part`, 'a.notes.part', `b.${uuid}2.part`].sort(),
    );
    removeLeftBehind(path);
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'a.notes.part', `b.${uuid}2.part`].sort());
  });

  it('is created only where there is none, with the permissions that it needs', (t) => {
    const folder = folderFor(t);
    const path = join(folder, 'a');
    assert.equal(createFile(path, 'first', 0o600), true);
    assert.equal(createFile(path, 'second', 0o600), false);
    assert.equal(readFileSync(path, 'utf8'), 'first');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['a']);
  });

  it('is left as it was when it cannot be written whole', (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'network.jsonc');
    writeFileSync(file, 'as it was');
    const script = `import('${new URL('./replace-file.ts', import.meta.url).href}').then(({ replaceFile }) =>
    replaceFile(${JSON.stringify(file)}, 'x'.repeat(100_000)))`;
    // A limit of the system on the size of files stands for a disk that gets full.
    const limited = `trap '' XFSZ; ulimit -f 20; exec "${process.execPath}" -e "$SCRIPT"`;
    const { status } = spawnSync('sh', ['-c', limited], { env: { ...process.env, SCRIPT: script } });
    assert.notEqual(status, 0);
    assert.equal(readFileSync(file, 'utf8'), 'as it was');
    assert.deepEqual(readdirSync(folder), ['network.jsonc']);
  });
});
