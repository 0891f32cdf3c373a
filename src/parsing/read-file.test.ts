import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { readJsonFile, readJsonText } from './read-file.ts';

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
