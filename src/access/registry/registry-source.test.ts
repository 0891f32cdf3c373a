import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { systemClock } from '../../clock.ts';
import { registrySourceContract } from './registry-source.contract.ts';
import { createRegistryFileSource } from './registry-source.ts';

const sourceAt = (path: string) => createRegistryFileSource(path, { clock: systemClock });

registrySourceContract('a file', async (t) => {
  const path = join(temporaryDirectory(t), 'data', 'assistants.json');
  return [sourceAt(path), sourceAt(path)];
});

describe('a registry in a file', () => {
  it('shows what people write into it, also when the file keeps its size and time', async (t) => {
    const path = join(temporaryDirectory(t), 'assistants.json');
    const source = sourceAt(path);
    for (const text of ['one', 'two', 'three', 'four!']) {
      writeFileSync(path, text);
      utimesSync(path, 1_000, 1_000);
      assert.equal((await source.read())?.text, text);
    }
    assert.equal((await source.read())?.text, 'four!');
    rmSync(path);
    assert.equal(await source.read(), null);
  });

  it('stays a link, leaves nothing beside it, and keeps the rights of the file', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'real.json'), '{}', { mode: 0o640 });
    symlinkSync('real.json', join(directory, 'assistants.json'));
    const source = sourceAt(join(directory, 'assistants.json'));
    const read = await source.read();
    assert.equal(await source.replace(read?.version ?? null, '{ }'), 'replaced');
    assert.equal(readFileSync(join(directory, 'real.json'), 'utf8'), '{ }');
    assert.equal(statSync(join(directory, 'real.json')).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(directory).toSorted(), ['assistants.json', 'real.json']);
  });

  it('rejects where something else is in its place, and waits for nobody who writes into it', async (t) => {
    const path = join(temporaryDirectory(t), 'assistants.json');
    mkdirSync(path);
    await assert.rejects(sourceAt(path).read(), /it is a folder/);
    rmSync(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    const source = sourceAt(path);
    await assert.rejects(source.read(), /it is a device, a pipe or a socket/);
    await assert.rejects(source.replace(null, '{}'), /it is a device, a pipe or a socket/);
  });

  it('rejects a file that is too large for a registry', async (t) => {
    const path = join(temporaryDirectory(t), 'assistants.json');
    writeFileSync(path, '');
    truncateSync(path, 600_000_000);
    await assert.rejects(
      sourceAt(path).read(),
      /it has 600000000 bytes, and more than 16777216 are not read/,
    );
  });
});
