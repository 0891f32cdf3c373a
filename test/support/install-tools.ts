import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../tools', import.meta.url));
const INSTALL_LIMIT_MS = 8 * 60_000;

type Lockfile = {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
};

/** The folder with the tools that judge what is published, or undefined where they are not installed as locked. */
export function toolsFolder(): string | undefined {
  return areInstalled() ? FOLDER : undefined;
}

/** Why a test is skipped that needs the tools; false when they are there. The test run repeats it at its end. */
export function skippedWithoutTools(what: string): string | false {
  return toolsFolder() === undefined ? `NOT TESTED: ${what}, because tools/ is not installed.` : false;
}

/** Installs the tools where they are missing or differ from their lockfile. Returns what went wrong. */
export function installTools(): { readonly missing: string } | undefined {
  if (areInstalled()) return undefined;
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_LIMIT_MS,
  });
  if (status === 0 && areInstalled()) return undefined;
  return { missing: `npm ci in tools/ did not succeed${error ? `: ${error.message}` : ''}.` };
}

/** By content: a checkout or a copy changes the times of files. Packages for other platforms are not installed. */
function areInstalled(): boolean {
  const installed = join(FOLDER, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = packagesIn(installed);
  return Object.entries(packagesIn(join(FOLDER, 'package-lock.json'))).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional === true && !present[path]),
  );
}

function packagesIn(file: string): Lockfile['packages'] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Lockfile).packages;
}
