import { spawnSync } from 'node:child_process';
import { installPackage } from './install-package.ts';

const RUN_LIMIT_MS = 60_000;

/** Debian has it in the package of the server. Returns what went wrong. */
export function installPromtool(): { readonly missing: string } | undefined {
  return installPackage('prometheus', isThere);
}

/** Why a test is skipped that needs promtool; false when it is there. */
export function skippedWithoutPromtool(what: string): string | false {
  const failure = installPromtool();
  return failure ? `NOT TESTED: ${what}: ${failure.missing}.` : false;
}

export function promtool(...args: readonly string[]): { readonly isGood: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', timeout: RUN_LIMIT_MS });
  return { isGood: status === 0, output: `${stdout}${stderr}` };
}

function isThere(): boolean {
  return spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;
}
