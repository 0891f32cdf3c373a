import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/command-line.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('what npm run build emits is a command that runs on JavaScript alone, as an installed package does', (t) => {
  const folder = temporaryFolder(t);
  const installed = join(folder, 'node_modules', 'staywire');
  mkdirSync(installed, { recursive: true });
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  for (const name of ['bin', 'package.json'])
    cpSync(join(ROOT, name), join(installed, name), { recursive: true });
  // Dependencies are looked up beside the package.
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(installed, 'node_modules'));
  const run = (...words: readonly string[]) =>
    execFileSync(process.execPath, [join(installed, 'bin', 'staywire.js'), ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '' },
    });
  assert.match(run('--help'), /^Usage: staywire /);
  run('init');
  assert.ok(existsSync(join(folder, 'network.jsonc')));
});
