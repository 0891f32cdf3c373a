import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { startRegistry } from './loopback-registry.ts';
import { lockedPackages, packageFile, textOf } from './project-files.ts';
import { runNpm } from './run-npm.ts';

/** Leaves a file with the name of its package in the folder in which npm was called. */
const TELLTALE = `node -e "fs.writeFileSync(process.env.INIT_CWD + '/' + process.env.npm_package_name + '.ran', '')"`;

const skip = skippedByOldNpm();

test('a package that was denied runs no script, and one that was allowed does', { skip }, async (t) => {
  const project = await installProject(t, { loud: false, needed: true });
  const { status, output } = await project.install();
  assert.equal(status, 0, output);
  assert.deepEqual(project.ran(), { loud: false, needed: true });
});

test('an install fails, and runs nothing, when nobody has decided about a script', { skip }, async (t) => {
  const project = await installProject(t, { needed: true });
  const { status, output } = await project.install();
  assert.notEqual(status, 0);
  assert.match(output, /ESTRICTALLOWSCRIPTS[\s\S]*loud@1\.0\.0/);
  assert.deepEqual(project.ran(), { loud: false, needed: false });
});

test('in the other folders no package runs a script', async (t) => {
  const project = await installProject(t, {}, 'tools/.npmrc');
  const { status, output } = await project.install();
  assert.equal(status, 0, output);
  assert.deepEqual(project.ran(), { loud: false, needed: false });
});

test('the package that counts installs is told to count neither ours nor those of who installs us', () => {
  assert.ok(lockedPackages().some(([path]) => path === 'node_modules/@scarf/scarf'));
  // For an npm that does not know allowScripts yet, and for projects that depend on us.
  assert.deepEqual(JSON.parse(JSON.stringify(packageFile())).scarfSettings, { enabled: false });
});

/** Such an npm runs the scripts of all packages, whatever the project says. */
function skippedByOldNpm(): string | false {
  const args = ['config', 'get', 'strict-allow-scripts'];
  const { stdout } = spawnSync('npm', args, { cwd: tmpdir(), encoding: 'utf8', timeout: 120_000 });
  return stdout.trim() === 'undefined' && 'NOT TESTED: install scripts, because this npm cannot refuse them.';
}

/** A project with the settings of ours and two packages that want to run a script. */
async function installProject(
  t: TestContext,
  allowScripts: Readonly<Record<string, boolean>>,
  settings = '.npmrc',
) {
  const directory = temporaryDirectory(t);
  const registry = await startRegistry(t, directory);
  const names = ['loud', 'needed'];
  for (const name of names) {
    await registry.add({ name, version: '1.0.0', scripts: { postinstall: TELLTALE } });
  }
  const cwd = join(directory, 'project');
  mkdirSync(cwd);
  writeFileSync(join(cwd, '.npmrc'), `${textOf(settings)}registry=${registry.url}\n`);
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'project', dependencies, allowScripts }));
  const npm = (...args: string[]) => runNpm({ cwd, cache: join(directory, 'cache') }, ...args);
  const locked = await npm('install', '--package-lock-only', '--ignore-scripts');
  assert.equal(locked.status, 0, locked.output);
  rmSync(join(cwd, 'node_modules'), { recursive: true, force: true });
  return {
    install: () => npm('ci'),
    ran: () => Object.fromEntries(names.map((name) => [name, existsSync(join(cwd, `${name}.ran`))])),
  };
}
