import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_STEP_MS = 120_000;

/** What `npm install staywire` would bring, without its dependencies. */
export type PackedPackage = {
  readonly tarball: string;
  /** A project of a user, in whose `node_modules` the package is. */
  readonly project: string;
  /** The package inside of it. */
  readonly folder: string;
};

/** Builds, packs and unpacks in a folder of the test, so that the checkout stays as it is. */
export function packPackage(t: TestContext): PackedPackage {
  const workplace = temporaryDirectory(t);
  const source = join(workplace, 'source');
  mkdirSync(source);
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  for (const path of ['package.json', 'README.md', 'LICENSE', ...files.filter((file) => file !== 'dist')]) {
    cpSync(join(ROOT, path), join(source, path), { recursive: true });
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  run(
    process.execPath,
    [tsc, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(source, 'dist')],
    ROOT,
  );
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', workplace], source),
  ) as [{ filename: string }];
  const tarball = join(workplace, filename);
  const project = join(workplace, 'project');
  const folder = join(project, 'node_modules/staywire');
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder], workplace);
  return { tarball, project, folder };
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: MAX_STEP_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
