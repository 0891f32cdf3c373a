import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

export type PackageFile = {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly repository: { readonly url: string };
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly engines: Readonly<Record<string, string>>;
};

export type LockedPackage = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

export type Lockfile = {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

export function textOf(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

export function packageFile(folder = ''): PackageFile {
  return JSON.parse(textOf(join(folder, 'package.json')));
}

export function lockfile(folder = ''): Lockfile {
  return JSON.parse(textOf(join(folder, 'package-lock.json')));
}

/** The packages of a lockfile, without the project itself, as their paths. */
export function lockedPackages(folder = ''): readonly (readonly [string, LockedPackage])[] {
  return Object.entries(lockfile(folder).packages).filter(([path]) => path !== '');
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
