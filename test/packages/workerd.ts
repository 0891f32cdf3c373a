import { spawn } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';

const WORKER = `import * as client from './node_modules/staywire/dist/client/client.js';
import { wholeSearch } from './whole-search.mjs';
export default {
  async fetch(request) {
    const [baseUrl, silentUrl] = new URL(request.url).searchParams.getAll('at');
    return Response.json(await wholeSearch(client, baseUrl, silentUrl));
  },
};
`;

/** Runs the program in a worker that the real workerd serves. Returns what it answered. */
export async function searchInWorkerd(
  t: TestContext,
  binary: string,
  project: string,
  addresses: readonly string[],
): Promise<unknown> {
  writeFileSync(join(project, 'worker.mjs'), WORKER);
  const modules = [
    'worker.mjs',
    'whole-search.mjs',
    ...globSync('node_modules/staywire/dist/client/*.js', { cwd: project }),
  ];
  writeFileSync(join(project, 'workerd.capnp'), configurationOf(modules));
  const child = spawn(
    binary,
    ['serve', 'workerd.capnp', '--socket-addr=http=127.0.0.1:0', '--control-fd=3'],
    { cwd: project, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  t.after(() => child.kill('SIGKILL'));
  const port = await Promise.race([portSaidOn(child.stdio[3] as Readable), faultSaidBy(child)]);
  const query = new URLSearchParams(addresses.map((address): [string, string] => ['at', address]));
  const answer = await fetch(`http://127.0.0.1:${port}/?${query}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the worker answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** The service of the test is on loopback, which a worker reaches only where it is allowed to. */
function configurationOf(modules: readonly string[]): string {
  const embedded = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${embedded.join(', ')}], compatibilityDate = "2025-01-01")),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}

async function portSaidOn(control: Readable): Promise<number> {
  let said = '';
  for await (const text of control.setEncoding('utf8')) {
    said += text;
    const port = /"event":"listen","socket":"http","port":(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`workerd did not listen: ${said}`);
}

function faultSaidBy(child: ReturnType<typeof spawn>): Promise<never> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((_resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`workerd ended: ${said}`)));
  });
}
