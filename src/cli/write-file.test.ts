import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFile, replaceFile } from './write-file.ts';

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-write-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a file that is written at once', () => {
  it('keeps its permissions when it is replaced', (t) => {
    const folder = folderFor(t);
    const path = join(folder, 'a');
    writeFileSync(path, 'old', { mode: 0o640 });
    replaceFile(path, 'new');
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.equal(statSync(path).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder), ['a']);
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

  it('leaves nothing behind where it cannot be written', (t) => {
    const folder = folderFor(t);
    const path = join(folder, 'a');
    mkdirSync(join(path, 'full'), { recursive: true });
    assert.throws(() => replaceFile(path, 'new'));
    assert.deepEqual(readdirSync(folder), ['a']);
    assert.throws(() => createFile(join(folder, 'nowhere', 'b'), 'new'), /ENOENT/);
  });
});
