import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const INSTALL_LIMIT_MS = 8 * 60_000;

/** Installs a package of Debian, as root on Debian, unless what it brings is there. Returns what went wrong, to be said loudly. */
export function installPackage(
  name: string,
  isThere: () => boolean,
): { readonly missing: string } | undefined {
  if (isThere()) return undefined;
  if (process.env.STAYWIRE_TEST_INSTALL === 'no') return { missing: `${name} is not installed` };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return { missing: `${name} is not installed, and cannot be installed here` };
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', name]]) {
    const { status } = spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_LIMIT_MS,
      // At this runlevel a package does not start a server of its own.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status !== 0) return { missing: `apt-get ${args[0]} did not succeed for ${name}` };
  }
  return isThere() ? undefined : { missing: `Debian’s package ${name} did not bring what it should` };
}
