import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgePackage } from './judge-package.ts';
import { type PackedPackage, packPackage } from './packed-package.ts';
import { runEverywhere } from './run-everywhere.ts';

test('the package as npm would publish it', async (t) => {
  // Built and packed once, which takes longer than all that follows.
  const packed = packPackage(t);
  await judgePackage(t, packed);
  await runEverywhere(t, packed);
  await runCommand(t, packed);
});

async function runCommand(t: TestContext, { project, folder }: PackedPackage): Promise<void> {
  await t.test('has a command that runs on JavaScript alone', () => {
    // Dependencies are looked up beside the package.
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
    const run = (...words: readonly string[]) =>
      execFileSync(process.execPath, [join(folder, 'bin', 'staywire.js'), ...words], {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: process.env.PATH ?? '' },
      });
    assert.match(run('--help'), /^Usage: staywire /);
    run('init');
    assert.ok(existsSync(join(project, 'network.jsonc')));
  });
}
