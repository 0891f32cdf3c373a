import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { readJsonFile, readJsonText, readRegularFile, readRegularFileNow } from './read-file.ts';

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

test('a member that an object has twice is a fault, however it is spelt', () => {
  const faultsIn = (text: string) => {
    const reading = readJsonText(text);
    return reading.kind === 'invalid' ? reading.faults : [];
  };
  assert.deepEqual(faultsIn('{"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 1}]}'), []);
  assert.deepEqual(faultsIn('{\n  "a": 1,\n  "a": 1\n}'), [
    'has the member "a" twice in one object, the second time in line 3, column 3; only one of them can count',
  ]);
  // The first is spelt by its number, and one of those below is of no ordinary object.
  assert.equal(
    faultsIn('\uFEFF{"l": [{"\\u0061": 1, "a": 2, "b": {}}, {"__proto__": 1, "__proto__": 1}]}').length,
    2,
  );
  assert.ok(faultsIn(`{${'"a": 1,'.repeat(1000)}}`).length < 30);
});

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
