import { existsSync } from 'node:fs';
import { installPackage } from './install-package.ts';

/** Without windows, it takes a quarter of the processor time. */
const HEADLESS = 'chromium-headless-shell';
const PLACES = [
  `/usr/bin/${HEADLESS}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export function findChromium(): { path: string } | { missing: string } {
  const path = [process.env.CHROMIUM_PATH ?? '', ...PLACES].find((one) => one !== '' && existsSync(one));
  return path === undefined
    ? { missing: 'Chromium is not installed. Install it, or set CHROMIUM_PATH.' }
    : { path };
}

/** Looks for Chromium, and installs Debian's package where there is none. */
export function findOrInstallChromium(): { path: string } | { missing: string } {
  const failure = installPackage(HEADLESS, () => 'path' in findChromium());
  if (failure) return { missing: `${failure.missing}. Install it, or set CHROMIUM_PATH.` };
  return findChromium();
}
