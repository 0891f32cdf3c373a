import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the README quotes the recorded session of an owner line by line', () => {
  const [, section = ''] = read('README.md').split('## A network of your own');
  const [, quoted = ''] = section.split('```sh\n');
  const lines =
    quoted
      .split('```')[0]
      ?.split('\n')
      .filter((line) => line !== '') ?? [];
  const recorded = new Set(read('docs/examples/owner-session.txt').split('\n'));
  assert.ok(lines.length > 15);
  assert.deepEqual(
    lines.filter((line) => !recorded.has(line)),
    [],
  );
});
