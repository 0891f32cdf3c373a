import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Manifest = { readonly name: string; readonly version: string; readonly devDependencies?: object };
type Lockfile = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> };

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const MAX_RUN_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** `npm run sbom`: writes what the published package is made of, as CycloneDX, into `release/`. */
if (import.meta.main) console.log(`Wrote ${writeSbom(join(PROJECT, 'release'))}`);

/** Returns the path of the file. It is made from the lockfile alone, and so lists the same packages on every machine. */
export function writeSbom(folder: string): string {
  const { name, version } = read<Manifest>('package.json');
  const sbom = sbomWithoutDevelopment();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${version}.cdx.json`);
  writeFileSync(file, sbom);
  return file;
}

/**
 * Of a project without what is needed for development: `npm sbom --omit=dev` of npm 11.19 leaves out packages that both the
 * service and its development need.
 */
function sbomWithoutDevelopment(): string {
  const { devDependencies: _, ...manifest } = read<Manifest>('package.json');
  const { packages, ...lockfile } = read<Lockfile>('package-lock.json');
  const installed = Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => !dev));
  const root = { ...installed[''], devDependencies: undefined };
  const directory = mkdtempSync(join(tmpdir(), 'staywire-sbom-'));
  try {
    // npm calls the package by the name of its folder.
    const cwd = join(directory, manifest.name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(cwd, 'package-lock.json'),
      JSON.stringify({ ...lockfile, packages: { ...installed, '': root } }),
    );
    const { stdout, stderr, status } = spawnSync(
      'npm',
      ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
      { cwd, encoding: 'utf8', timeout: MAX_RUN_MS, maxBuffer: MAX_BYTES },
    );
    if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function read<Document>(file: string): Document {
  return JSON.parse(readFileSync(join(PROJECT, file), 'utf8'));
}
