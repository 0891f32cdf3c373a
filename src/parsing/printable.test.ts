import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { printable } from './printable.ts';

describe('text for a terminal', () => {
  it('keeps lines, tabs and, where there are any, the styles of our own', () => {
    const text = 'a\tb\r\nc\n\u001b[31m✖\u001b[39m \\ é 家';
    assert.equal(printable(text, { hasStyles: true }), text);
    assert.equal(
      printable(text, { hasStyles: false }),
      String.raw`a	b${'\r\n'}c${'\n'}\u001b[31m✖\u001b[39m \ é 家`,
    );
  });

  it('writes out what is obeyed or not seen', () => {
    assert.equal(
      printable('\u001b[8m\u001b[2J\r\u0007\u009b\u202e\u2028\u{e0041}', { hasStyles: true }),
      String.raw`\u001b[8m\u001b[2J\u000d\u0007\u009b\u202e\u2028\udb40\udc41`,
    );
  });

  it('leaves the data of JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value, null, 2);
        assert.deepEqual(JSON.parse(printable(text, { hasStyles: true })), JSON.parse(text));
      }),
    );
  });

  it('is all that commands can write, because none has another way to a terminal', () => {
    const commands = `${import.meta.dirname}/../cli`;
    const files = globSync('**/*.ts', { cwd: commands }).filter((file) => !file.endsWith('.test.ts'));
    assert.ok(files.length > 20);
    for (const file of files) {
      const source = readFileSync(`${commands}/${file}`, 'utf8');
      assert.doesNotMatch(source, /process\.std(?:out|err)|\bconsole\.(?:log|info|warn|error|debug)\b/, file);
    }
  });
});
