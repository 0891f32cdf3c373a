import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { lockedPackages, nameIn, PROJECT, packageFile, textOf } from './project-files.ts';

const FOLDERS = ['.', 'bench/peers', 'docs/examples/assistants', 'tools'];
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

it('every folder with packages is looked at here', () => {
  const found = globSync('**/package.json', {
    cwd: PROJECT,
    exclude: ['**/node_modules', 'dist', 'release', 'data'],
  });
  assert.deepEqual(found.map(dirname).sort(), FOLDERS);
});

for (const folder of FOLDERS) {
  describe(`what ${folder === '.' ? 'the project' : folder} installs`, () => {
    const packages = lockedPackages(folder);

    it('is locked with the digest of every package, and comes from the registry alone', () => {
      for (const [path, { version, integrity, resolved, link }] of packages) {
        assert.match(version ?? '', EXACT_VERSION, path);
        assert.match(integrity ?? '', INTEGRITY, path);
        // An address would be that of a repository, a server or a file: those of the registry are not written.
        assert.deepEqual({ resolved, link }, { resolved: undefined, link: undefined }, path);
      }
    });

    it('is installed by the same rules', () => {
      const settings = textOf(`${folder}/.npmrc`)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      assert.deepEqual(settings, [
        'save-exact=true',
        'min-release-age=7',
        'allow-git=none',
        'allow-remote=none',
        // Only the project itself has a package whose script is needed.
        folder === '.' ? 'strict-allow-scripts=true' : 'ignore-scripts=true',
        'fund=false',
        'audit=false',
        'omit-lockfile-registry-resolved=true',
      ]);
    });
  });
}

it('every package with an install script was decided about, and only the one that brings Node may run it', () => {
  const withScript = lockedPackages().filter(([, { hasInstallScript }]) => hasInstallScript);
  const { allowScripts } = packageFile();
  assert.deepEqual(withScript.map(([path]) => nameIn(path)).sort(), Object.keys(allowScripts));
  assert.deepEqual(allowScripts, { '@scarf/scarf': false, esbuild: false, node: true });
});
