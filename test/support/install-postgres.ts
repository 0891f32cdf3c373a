import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findPostgres } from './postgres-server.ts';

const INSTALL_LIMIT_MS = 8 * 60_000;

/** Installs Debian's package where there is no PostgreSQL, as root on Debian. Returns what went wrong. */
export function installPostgres(): { readonly missing: string } | undefined {
  if (findPostgres() !== undefined) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return { missing: 'it is not installed, and cannot be installed here' };
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'postgresql']]) {
    const { status } = spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_LIMIT_MS,
      // At this runlevel the package does not start a server of its own.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status !== 0) return { missing: `apt-get ${args[0]} did not succeed` };
  }
  return findPostgres() === undefined ? { missing: 'Debian’s package brought no server' } : undefined;
}
