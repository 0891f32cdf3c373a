import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const INSTALL_LIMIT_MS = 8 * 60_000;

/** Looks for Chromium, and installs Debian's package when running as root on Debian. */
export function findOrInstallChromium(): { path: string } | { missing: string } {
  const found = [process.env.CHROMIUM_PATH ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
  if (found) return { path: found };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return {
      missing: 'There is no Chromium, and it cannot be installed here. Install it, or set CHROMIUM_PATH.',
    };
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_LIMIT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return { missing: `apt-get ${args[0]} did not succeed.` };
  }
  const installed = PLACES.find((path) => existsSync(path));
  return installed ? { path: installed } : { missing: 'Debian’s package brought no browser.' };
}
