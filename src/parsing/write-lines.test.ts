import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { writeLinesAtomically } from './replace-file.ts';

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atomic-file-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

describe('a file that is written whole or not at all', () => {
  it('takes the place of the last one at the end, in a folder that need not be there', async (t) => {
    const folder = await temporaryFolder(t);
    const path = join(folder, 'imports', 'city.jsonl');
    for (const line of ['first', 'second']) {
      const before = line === 'second' ? 'first\n' : undefined;
      const result = await writeLinesAtomically(path, async (writer) => {
        await writer.write(line);
        assert.equal(await readFile(path, 'utf8').catch(() => undefined), before);
        return 7;
      });
      assert.equal(result, 7);
      assert.equal(await readFile(path, 'utf8'), `${line}\n`);
    }
    assert.deepEqual(await readdir(join(folder, 'imports')), ['city.jsonl']);
  });

  it('leaves nothing behind when it fails', async (t) => {
    const folder = await temporaryFolder(t);
    const path = join(folder, 'city.jsonl');
    await writeFile(path, 'as it was');
    const failing = writeLinesAtomically(path, async (writer) => {
      for (let line = 0; line < 100_000; line += 1) await writer.write(`line ${line}`);
      throw new Error('in the middle');
    });
    await assert.rejects(failing, /in the middle/);
    assert.deepEqual(await readdir(folder), ['city.jsonl']);
    assert.equal(await readFile(path, 'utf8'), 'as it was');
  });

  it('keeps the order of many lines', async (t) => {
    const path = join(await temporaryFolder(t), 'many');
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} ü`);
    await writeLinesAtomically(path, async (writer) => {
      for (const line of lines) await writer.write(line);
    });
    assert.equal(await readFile(path, 'utf8'), `${lines.join('\n')}\n`);
  });
});
