import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSbom } from './write-sbom.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const CHECKSUMS = 'SHA256SUMS';
const MAX_PACK_MS = 5 * 60_000;

/** `npm run release`: writes all that a release consists of into `release/`. It publishes nothing. */
if (import.meta.main) makeRelease(join(PROJECT, 'release'));

function makeRelease(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { status } = spawnSync('npm', ['pack', '--pack-destination', folder], {
    cwd: PROJECT,
    stdio: 'inherit',
    timeout: MAX_PACK_MS,
  });
  if (status !== 0) throw new Error(`npm pack ended with ${status}`);
  writeSbom(folder);
  writeChecksums(folder);
}

/** One line for each file, as `sha256sum --check` reads it. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => name !== CHECKSUMS)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
}
