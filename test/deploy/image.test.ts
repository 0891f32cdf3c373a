import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startDemo } from '../../demo/start-demo.ts';
import { readSettings } from '../../src/app/settings.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { ROOT } from './deployed-files.ts';
import { readDockerfile, readDockerignore } from './dockerfile.ts';

const TIMEOUT = { timeout: 120_000 };
/** `nobody`, who may write nothing. Where the tests do not run as root, the tree is closed to writing instead. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const stages = readDockerfile();
const isIncluded = readDockerignore();

function stageCalled(name: string) {
  const stage = stages.find((one) => one.name === name);
  assert.ok(stage, `there is no stage ${name}`);
  return stage;
}

test('no test, data or installed package of the checkout gets into it', () => {
  const kept = [
    'data/sessions.sqlite',
    'node_modules/pg/package.json',
    'src/app/settings.test.ts',
    '.git/config',
    '.env',
  ];
  assert.deepEqual(kept.filter(isIncluded), []);
  assert.ok(isIncluded('src/app/settings.ts'));
});

test('it has the Node with which the tests run, and does not run as root', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const name of ['packages', 'service']) {
    const { base } = stageCalled(name);
    assert.ok(base.startsWith(`node:${devDependencies.node}-`), name);
    assert.match(base, /@sha256:[0-9a-f]{64}$/, 'a tag can be moved to another image');
  }
  assert.equal(stageCalled('service').base, stageCalled('packages').base);
  assert.equal(stageCalled('service').user, 'node');
});

test('its metrics are on loopback until an owner says otherwise', () => {
  const settings = readSettings({ ...stageCalled('service').environment, STAYWIRE_NETWORK: 'network.json' });
  assert.ok(settings.kind === 'valid');
  assert.deepEqual([settings.value.host, settings.value.metricsHost], ['0.0.0.0', '127.0.0.1']);
});

test(
  'the files that it has are enough to serve, to say so and to stop, without writing beside the data',
  TIMEOUT,
  async (t) => {
    const operators = await startDemo({ port: 0, steady: true, dataDirectory: null });
    t.after(() => operators.close());
    const { data, run, check } = buildImage(t, ['service']);
    const network = `${data}.network.json`;
    writeFileSync(network, JSON.stringify(operators.networkFile()), { mode: 0o644 });
    const port = await freePort();
    const service = run('service', {
      PORT: String(port),
      STAYWIRE_METRICS_PORT: '0',
      STAYWIRE_CONSOLE_PORT: '0',
      STAYWIRE_NETWORK: network,
      STAYWIRE_DATA_DIR: join(data, 'node'),
      STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8',
      STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8',
    });
    await said(service, /Staywire serves/);
    for (const path of ['/readyz', '/docs']) {
      assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path);
    }
    assert.equal(await check('service', { PORT: String(port) }), 0);
    service.kill('SIGTERM');
    assert.deepEqual(await once(service, 'exit'), [0, null]);
    assert.equal(await check('service', { PORT: String(port) }), 1);
  },
);

/** The tree that the image would have, with a Node of its own, and a folder in the place of its volume. */
function buildImage(t: TestContext, stageNames: readonly string[]) {
  const folder = temporaryDirectory(t);
  chmodSync(folder, 0o755);
  const [image, data, node] = ['app', 'data', 'node-of-the-image'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [image, data]) mkdirSync(made);
  if (UNPRIVILEGED.uid !== undefined) chownSync(data, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  cpSync(process.execPath, node, { dereference: true });
  copyPackages(image);
  for (const { sources, to } of stageNames.flatMap((name) => stageCalled(name).copied)) {
    for (const source of sources) copyIncluded(source, join(image, to === './' ? source : to));
  }
  closeToWriting(image, t);

  const environmentOf = (stage: string, environment: Record<string, string>) => ({
    ...stageCalled('service').environment,
    ...stageCalled(stage).environment,
    ...environment,
  });
  return {
    data,
    run(stage: string, environment: Record<string, string>): ChildProcess {
      const [program, ...args] = stageCalled(stage).command;
      assert.equal(program, 'node');
      const child = spawn(node, args, {
        cwd: image,
        env: environmentOf(stage, environment),
        ...UNPRIVILEGED,
      });
      t.after(() => void child.kill('SIGKILL'));
      return child;
    },
    async check(stage: string, environment: Record<string, string>): Promise<number | null> {
      const [program, ...args] = stageCalled(stage).healthCheck;
      assert.equal(program, 'node');
      const child = spawn(node, args, {
        cwd: image,
        env: environmentOf(stage, environment),
        ...UNPRIVILEGED,
      });
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

/** What `npm ci --omit=dev` installs, taken from what is installed here. */
function copyPackages(image: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional || !existsSync(join(ROOT, path))) continue;
    const isOwn = (file: string) => !relative(join(ROOT, path), file).split('/').includes('node_modules');
    mkdirSync(dirname(join(image, path)), { recursive: true });
    cpSync(join(ROOT, path), join(image, path), { recursive: true, filter: isOwn });
  }
}

function copyIncluded(source: string, to: string): void {
  cpSync(join(ROOT, source), to, { recursive: true, filter: (file) => isIncluded(relative(ROOT, file)) });
}

function closeToWriting(folder: string, t: TestContext): void {
  spawnSync('chmod', ['-R', 'a+rX,a-w', folder]);
  t.after(() => spawnSync('chmod', ['-R', 'u+w', folder]));
}

async function said(child: ChildProcess, sentence: RegExp): Promise<string> {
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (sentence.test(output)) resolve(output);
    });
  }
  child.once('close', () => reject(new Error(`it ended:\n${output}`)));
  return promise;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
