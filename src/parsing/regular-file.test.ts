import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { readRegularFile, readRegularFileNow } from './read-file.ts';

const MAX_BYTES = 10;

test('an ordinary file is read up to its limit, and nothing else, without waiting for anybody', async (t) => {
  const directory = temporaryDirectory(t);
  const at = (name: string) => join(directory, name);
  writeFileSync(at('whole'), 'ä23456789');
  writeFileSync(at('large'), 'ä234567890');
  execFileSync('mkfifo', [at('pipe')]);
  for (const read of [
    readRegularFile,
    async (path: string, maxBytes: number) => readRegularFileNow(path, maxBytes),
  ]) {
    assert.equal(await read(at('whole'), MAX_BYTES), 'ä23456789');
    for (const [path, fault] of [
      [at('large'), /^it has 11 bytes, and more than 10 are not read$/],
      [at('pipe'), /^it is a device, a pipe or a socket, and not a file$/],
      ['/dev/zero', /^it is a device/],
      [directory, /^it is a folder, and not a file$/],
      [at('missing'), /^ENOENT/],
    ] as const) {
      await assert.rejects(read(path, MAX_BYTES), ({ message }: Error) => fault.test(message), path);
    }
  }
});
