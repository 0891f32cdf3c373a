import { existsSync } from 'node:fs';
import { installPackage } from './install-package.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Looks for Chromium, and installs Debian's package where there is none. */
export function findOrInstallChromium(): { path: string } | { missing: string } {
  const find = () =>
    [process.env.CHROMIUM_PATH ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
  const failure = installPackage('chromium', () => find() !== undefined);
  if (failure) return { missing: `${failure.missing}. Install it, or set CHROMIUM_PATH.` };
  return { path: find() ?? '' };
}
