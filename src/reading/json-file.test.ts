import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { readJsonFile } from './json-file.ts';

test('a file is read as JSON, and one that is missing or broken is a fault', (t) => {
  const directory = temporaryDirectory(t);
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  assert.deepEqual(readJsonFile(file('good.json', '{"a": [1, null]}')), {
    kind: 'valid',
    value: { a: [1, null] },
  });
  for (const [path, fault] of [
    [join(directory, 'missing.json'), /^cannot be read: ENOENT/],
    [directory, /^cannot be read: EISDIR/],
    [file('broken.json', '{"a":'), /^is not valid JSON: /],
    [file('empty.json', ''), /^is not valid JSON: /],
  ] as const) {
    const reading = readJsonFile(path);
    assert.equal(reading.kind, 'invalid', path);
    assert.equal(reading.faults.length, 1);
    assert.match(reading.faults[0] ?? '', fault);
  }
});
