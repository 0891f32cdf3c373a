import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../release/project-files.ts';
import { temporaryFolder } from '../support/command-line.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEEDED = Number(/^>=(\d+)$/.exec(packageFile().engines.node ?? '')?.[1]);

it('runs on the Node that the package declares', () => {
  const { status, stderr } = runOn(`${NEEDED}.0.0`, ROOT);
  assert.equal(status, 0, stderr);
});

it('says what to type on an older Node, in a checkout', () => {
  const { status, stderr } = runOn(`${NEEDED - 1}.9.0`, ROOT);
  assert.equal(status, 2);
  assert.match(stderr, new RegExp(`needs Node ${NEEDED} or newer; this is v${NEEDED - 1}\\.9\\.0`));
  assert.match(stderr, /^→ npm ci\b.*npx staywire …/m);
  assert.doesNotMatch(stderr, /-p node/);
});

it('says what to type on an older Node, where the package is installed', (t) => {
  const installed = join(temporaryFolder(t), 'node_modules/staywire');
  mkdirSync(installed, { recursive: true });
  cpSync(join(ROOT, 'bin'), join(installed, 'bin'), { recursive: true });
  const { status, stderr } = runOn(`${NEEDED - 1}.9.0`, installed);
  assert.equal(status, 2);
  assert.ok(stderr.includes(`→ npx -p node@${NEEDED} -p staywire staywire …`), stderr);
  assert.doesNotMatch(stderr, /checkout|npm ci/);
});

/** The command in a process that reports another version of Node. */
function runOn(node: string, folder: string) {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`;
  const version = `Object.defineProperty(process, 'version', { value: 'v${node}' });`;
  const preload = `data:text/javascript,${encodeURIComponent(versions + version)}`;
  return spawnSync(process.execPath, ['--import', preload, join(folder, 'bin/staywire.js'), '--version'], {
    encoding: 'utf8',
    timeout: 120_000,
  });
}
