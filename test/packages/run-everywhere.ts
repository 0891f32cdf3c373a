import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { priced, setScene } from '../support/scene.ts';
import type { PackedPackage } from './packed-package.ts';
import { readmeExample } from './readme-example.ts';
import { RUNTIMES, WORKERD } from './runtimes.ts';
import { searchInWorkerd } from './workerd.ts';

const MAX_RUN_MS = 30_000;

const EXPECTED = {
  asked: [
    ['check_out', 'conflicts_with'],
    ['guests', null],
  ],
  filters: ['pool'],
  options: [[1, 'House b', 250]],
  wider: 2,
  same: true,
  errors: [true, 'unknown_source', 'timeout', 'left'],
};

const MAIN = `import * as client from 'staywire/client';
import { wholeSearch } from './whole-search.mjs';
console.log(JSON.stringify(await wholeSearch(client, ...process.argv.slice(2))));
`;

/** The same program with the packed client, wherever it is said to run. */
export async function runEverywhere(t: TestContext, { project }: PackedPackage): Promise<void> {
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "dependencies": { "staywire": "*" } }');
  cpSync(new URL('whole-search.mjs', import.meta.url), join(project, 'whole-search.mjs'));
  writeFileSync(join(project, 'main.mjs'), MAIN);
  const baseUrl = await startService(t);
  const silentUrl = await startSilentServer(t);

  for (const [name, { command, args }] of Object.entries(RUNTIMES)) {
    const skip = command === undefined ? `NOT TESTED: the client in ${name}, which is not installed.` : false;
    await t.test(`searches in ${name}`, { skip }, async () => {
      const said = await run(command ?? '', [...args, 'main.mjs', baseUrl, silentUrl], project);
      assert.deepEqual(JSON.parse(said), EXPECTED);
    });
  }

  const skip = WORKERD === undefined ? 'NOT TESTED: the client in workerd, which is not installed.' : false;
  await t.test('searches in a worker', { skip }, async (worker) => {
    const said = await searchInWorkerd(worker, WORKERD ?? '', project, [baseUrl, silentUrl]);
    assert.deepEqual(said, EXPECTED);
  });

  await t.test('does what its page shows', async () => {
    const example = readmeExample().replace('https://stays.example.com', baseUrl);
    assert.ok(example.includes(baseUrl));
    writeFileSync(join(project, 'example.ts'), example);
    const said = await run(process.execPath, ['example.ts'], project);
    assert.match(said, /^guests\? One of 1, 2, 3, 4\n1\. House b \(.+\): 250 EUR, http.+\n$/);
  });
}

async function startService(t: TestContext): Promise<string> {
  const { service, operator } = await setScene(t);
  operator.quote = priced({ a: '300.00', b: '250.00' });
  return service.listen();
}

/** A server that takes connections and never says anything. */
async function startSilentServer(t: TestContext): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    timeout: MAX_RUN_MS,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, NO_COLOR: '1' },
  });
  return stdout;
}
