import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('hooks stand inside a suite: at the top of a file they would run for every file of a shared process', () => {
  const files = globSync(['src/**/*.{test,contract}.ts', 'test/**/*.test.ts'], { cwd: ROOT });
  assert.ok(files.length > 100, 'the tests were found');
  const hook = /^(?:before|after|beforeEach|afterEach)\(/m;
  assert.deepEqual(
    files.filter((file) => hook.test(readFileSync(join(ROOT, file), 'utf8'))),
    [],
  );
});
