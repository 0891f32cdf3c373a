import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const INSTALL_LIMIT_MS = 4 * 60_000;
const RUN_LIMIT_MS = 60_000;

/** Why a test is skipped that needs promtool; false when it is there. Installs Debian's package where that is possible. */
export function skippedWithoutPromtool(what: string): string | false {
  if (isThere()) return false;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installPrometheus();
  return isThere() ? false : `NOT TESTED: ${what}, because promtool is not installed.`;
}

export function promtool(...args: readonly string[]): { readonly isGood: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', timeout: RUN_LIMIT_MS });
  return { isGood: status === 0, output: `${stdout}${stderr}` };
}

function isThere(): boolean {
  return spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;
}

function installPrometheus(): void {
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'prometheus']]) {
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_LIMIT_MS,
      // At this runlevel the package does not start a server of its own.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
  }
}
