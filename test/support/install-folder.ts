import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL_LIMIT_MS = 8 * 60_000;

type Lockfile = {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
};

/** Installs a folder with a lockfile of its own, unless it is there as locked. Returns what went wrong. */
export async function installFolder(folder: string): Promise<{ readonly missing: string } | undefined> {
  if (isInstalled(folder)) return undefined;
  const modules = join(PROJECT, folder, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return { missing: `${folder}/node_modules belongs to another checkout, which has other versions.` };
  }
  // npm ci refuses a lockfile that was written where packages for other platforms cannot be had. What is locked is checked
  // afterwards.
  const child = spawn('npm', ['install', '--no-save', '--ignore-scripts', '--loglevel=error'], {
    cwd: join(PROJECT, folder),
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_LIMIT_MS,
  });
  const [status] = await once(child, 'close').catch((error: Error) => [error.message]);
  if (status === 0 && isInstalled(folder)) return undefined;
  return { missing: `npm install in ${folder}/ did not succeed: ${status ?? 'it was ended'}.` };
}

/** By content: a checkout or a copy changes the times of files. Packages for other platforms are not installed. */
export function isInstalled(folder: string): boolean {
  const installed = join(PROJECT, folder, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = packagesIn(installed);
  return Object.entries(packagesIn(join(PROJECT, folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional === true && !present[path]),
  );
}

/** Why a test is skipped that needs the folder; false when it is there. The test run repeats it at its end. */
export function skippedWithout(folder: string, what: string): string | false {
  return isInstalled(folder) ? false : `NOT TESTED: ${what}, because ${folder}/ is not installed.`;
}

function packagesIn(file: string): Lockfile['packages'] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Lockfile).packages;
}
