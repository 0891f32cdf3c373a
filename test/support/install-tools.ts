import { fileURLToPath } from 'node:url';
import { installFolder, isInstalled, skippedWithout } from './install-folder.ts';

/** The folder with the tools that judge what is published, or undefined where they are not installed as locked. */
export function toolsFolder(): string | undefined {
  return isInstalled('tools') ? fileURLToPath(new URL('../../tools', import.meta.url)) : undefined;
}

/** Why a test is skipped that needs the tools; false when they are there. The test run repeats it at its end. */
export function skippedWithoutTools(what: string): string | false {
  return skippedWithout('tools', what);
}

/** Installs the tools where they are missing or differ from their lockfile. Returns what went wrong. */
export function installTools(): Promise<{ readonly missing: string } | undefined> {
  return installFolder('tools');
}
