import { spawnSync } from 'node:child_process';
import { installPackage } from './install-package.ts';

/** Python with the one package that the signer of the examples needs. Returns what went wrong. */
export function installPython(): { readonly missing: string } | undefined {
  return installPackage('python3-cryptography', isThere);
}

/** Why a test is skipped that needs it; false when it is there. */
export function skippedWithoutPython(what: string): string | false {
  const failure = installPython();
  return failure ? `NOT TESTED: ${what}: ${failure.missing}.` : false;
}

function isThere(): boolean {
  return spawnSync('python3', ['-c', 'import cryptography'], { stdio: 'ignore' }).status === 0;
}
