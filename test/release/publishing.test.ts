import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { startRegistry } from './loopback-registry.ts';
import { packageFile } from './project-files.ts';
import { runNpm } from './run-npm.ts';

test('the package is one that can be published, with a statement of where it was built', () => {
  const { private: isPrivate, publishConfig, repository } = packageFile();
  assert.equal(isPrivate, undefined);
  assert.deepEqual(publishConfig, { access: 'public', provenance: true });
  // The registry compares it with the repository that the workflow ran in.
  assert.deepEqual(repository, { type: 'git', url: 'git+https://github.com/staywire/staywire.git' });
});

test('it cannot be published from anybody’s own machine', async (t) => {
  const directory = temporaryDirectory(t);
  const registry = await startRegistry(t, directory);
  const cwd = join(directory, 'package');
  mkdirSync(cwd);
  const { publishConfig, repository } = packageFile();
  const manifest = { name: 'sample', version: '1.0.0', license: 'Apache-2.0', repository, publishConfig };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
  const host = registry.url.replace('http:', '');
  writeFileSync(join(cwd, '.npmrc'), `registry=${registry.url}\n${host}:_authToken=somebody\n`);
  const npm = (...args: string[]) => runNpm({ cwd, cache: join(directory, 'cache') }, ...args);
  const packed = await npm('pack');
  assert.equal(packed.status, 0, packed.output);
  // As the workflow does it: what is published is the file that was made and tested before.
  const { status, output } = await npm('publish', './sample-1.0.0.tgz');
  assert.notEqual(status, 0);
  assert.match(output, /provenance/i);
  assert.deepEqual(
    registry.requests.filter((request) => !request.startsWith('GET ')),
    [],
  );
});
