import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('..', import.meta.url);
const documentNow = () => readFileSync(new URL('docs/benchmarks.md', ROOT), 'utf8');

it('a quick run of one part prints its table and leaves the document alone', { timeout: 120_000 }, () => {
  const before = documentNow();
  const { status, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('run.ts', import.meta.url)), '--quick', '--only', 'index'],
    { encoding: 'utf8', cwd: fileURLToPath(ROOT), env: { ...process.env, STAYWIRE_BENCH_CITY: undefined } },
  );
  assert.equal(status, 0);
  assert.match(stdout, /^what +figure +p99 +baseline +ratio +goal$/m);
  assert.match(stdout, /^full question, biggest place \(200 homes\) .* at most 150 µs {2}(met|MISSED)$/m);
  assert.match(stdout, /goals are met\.\n$/);
  assert.doesNotMatch(stdout, /requests\/s/, 'no other part has run');
  assert.equal(documentNow(), before);
});
