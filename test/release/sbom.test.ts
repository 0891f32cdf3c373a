import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, test } from 'node:test';
import { writeChecksums } from '../../tools/make-release.ts';
import { writeSbom } from '../../tools/write-sbom.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { lockedPackages, nameIn, packageFile } from './project-files.ts';

type Component = {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license: { readonly id?: string } }[];
};
type Sbom = {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

/** Permissive ones, under which the package may be passed on as it is. */
const ALLOWED_LICENCES = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

describe('the SBOM of a release', () => {
  const { name, version } = packageFile();
  let sbom: Sbom;

  it('is written by npm run sbom', (t) => {
    const file = writeSbom(temporaryDirectory(t));
    assert.equal(basename(file), `${name}-${version}.cdx.json`);
    sbom = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(packageFile().scripts.sbom, 'node tools/write-sbom.ts');
  });

  it('lists exactly the packages that are installed with it, each with the digest that is locked', () => {
    const locked = lockedPackages()
      .filter(([, { dev }]) => !dev)
      .map(([path, one]) => ({ id: `${nameIn(path)}@${one.version}`, digest: hexOf(one.integrity) }));
    const listed = sbom.components.map(({ hashes, ...one }) => {
      assert.equal(one['bom-ref'], `${one.name}@${one.version}`);
      assert.equal(one.purl, `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`);
      assert.equal(one.type, 'library');
      return { id: one['bom-ref'], digest: hashes?.find(({ alg }) => alg === 'SHA-512')?.content };
    });
    assert.ok(listed.length > 50, 'the packages were found');
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
    const inOrder = (ones: typeof listed) => new Map(ones.map(({ id, digest }) => [id, digest] as const));
    assert.deepEqual([...inOrder(listed)].sort(), [...inOrder(locked)].sort());
  });

  it('names a licence for each, which is one that we may pass on', () => {
    for (const { name: of, licenses } of sbom.components) {
      assert.ok(licenses.length > 0, of);
      for (const { license } of licenses) assert.ok(ALLOWED_LICENCES.includes(license.id ?? ''), of);
    }
  });

  it('says which package needs which, from ours to the last', () => {
    const needs = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const waiting = [sbom.metadata.component['bom-ref']];
    for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
      if (reached.has(ref)) continue;
      reached.add(ref);
      const next = needs.get(ref);
      assert.ok(next, `${ref} is described`);
      waiting.push(...next);
    }
    assert.equal(reached.size, sbom.components.length + 1);
  });
});

test('the checksums of a release are read by sha256sum, and a changed file is found', (t) => {
  const cwd = temporaryDirectory(t);
  writeFileSync(join(cwd, 'staywire-1.0.0.tgz'), 'a package');
  writeFileSync(join(cwd, 'staywire-1.0.0.cdx.json'), '{}');
  writeChecksums(cwd);
  const check = () => spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd, encoding: 'utf8' });
  const good = check();
  assert.equal(good.status, 0, good.stderr);
  assert.equal(good.stdout, 'staywire-1.0.0.cdx.json: OK\nstaywire-1.0.0.tgz: OK\n');
  writeFileSync(join(cwd, 'staywire-1.0.0.tgz'), 'another package');
  assert.match(check().stdout, /^staywire-1\.0\.0\.tgz: FAILED$/m);
});

function hexOf(integrity = ''): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}
