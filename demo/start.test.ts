import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

// A program that does not stop must fail its test, not block it.
const TIMEOUT = { timeout: 120_000 };

let directory = '';
let starters: ChildProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'staywire-start-'));
});
afterEach(() => {
  for (const starter of starters) starter.kill('SIGKILL');
  starters = [];
  rmSync(directory, { recursive: true, force: true });
});

const START = path.join(import.meta.dirname, 'start.ts');
const DIRECTLY = { command: process.execPath, args: [START], env: {} };
/** As npm does: in a shell that waits, and dies of a signal without passing it on. */
const UNDER_NPM = {
  command: '/bin/sh',
  args: ['-c', `"${process.execPath}" "${START}"; exit $?`],
  env: { npm_lifecycle_event: 'start' },
};

/** Node takes standard output for a terminal, in every process. */
const ON_A_TERMINAL = {
  ...DIRECTLY,
  env: { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' },
};

type Started = {
  readonly starter: ChildProcess;
  readonly demo: string;
  readonly service: string;
  readonly output: string;
};

/** Runs `npm start` on free ports, in an empty folder, until both programs have printed their address. */
async function startEverything(dataDirectory = 'data', start = DIRECTLY): Promise<Started> {
  const starter = spawn(start.command, start.args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      STAYWIRE_DATA_DIR: path.join(directory, dataDirectory),
      STAYWIRE_METRICS_PORT: '0',
      STAYWIRE_CONSOLE_PORT: '0',
      STAYWIRE_DEMO_PORT: '0',
      STAYWIRE_DEMO_STEADY: '1',
      ...start.env,
    },
  });
  starters.push(starter);
  const { promise, resolve, reject } = Promise.withResolvers<Started>();
  let output = '';
  starter.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const demo = /Demo operators at (http:\/\/[\d.:]+)/.exec(output)?.[1];
    const service = /Staywire serves .* on (http:\/\/[\d.:]+)/.exec(output)?.[1];
    if (demo !== undefined && service !== undefined) resolve({ starter, demo, service, output });
  });
  starter.once('exit', () => reject(new Error(`it ended before it was ready:\n${output}`)));
  return promise;
}

/** Both programs inherit the starter's output, so it is closed only when all three have ended. */
async function everythingEnded(starter: ChildProcess): Promise<unknown[]> {
  return once(starter, 'close');
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
async function readJson(url: string): Promise<any> {
  return (await fetch(url)).json();
}

async function answers(origin: string): Promise<boolean> {
  const response = await fetch(origin).catch(() => null);
  await response?.body?.cancel();
  return response !== null;
}

test('a signal that reaches only the shell of npm ends everything too', TIMEOUT, async () => {
  const { starter, demo, service } = await startEverything('data', UNDER_NPM);
  starter.kill('SIGKILL');
  await everythingEnded(starter);
  assert.deepEqual([await answers(service), await answers(demo)], [false, false]);
});

test(
  'on a terminal it says that every program on this machine may call, and writes no line of a log',
  TIMEOUT,
  async () => {
    const { starter, demo, service, output: untilReady } = await startEverything('data', ON_A_TERMINAL);
    let output = untilReady;
    starter.stdout?.on('data', (text: string) => {
      output += text;
    });
    assert.match(output, /Every program on this machine may call this demo/);
    assert.match(output, /in another terminal: STAYWIRE_DATA_DIR=\S+ npm run demo:report/);
    assert.match(output, /every caller in 127\.0\.0\.0\/8, ::1/);
    assert.equal((await fetch(`${service}/healthz`)).status, 200);
    assert.equal((await fetch(`${demo}/`)).status, 200);
    const terms = await fetch(`${service}/ai/v1/terms`);
    assert.equal(terms.status, 200);
    assert.equal(terms.headers.get('x-ratelimit-limit'), '600', 'as everywhere');
    assert.equal((await fetch(`${service}/ai/v1/nothing`)).status, 404);
    const session = await readJson(`${service}/ai/v1/auth`);
    assert.ok(session.next_request.url.startsWith(`${service}/ai/v1/search?`), 'addresses are whole');
    const step = await readJson(session.next_request.url);
    assert.ok(step.next_request.url.startsWith(`${service}/ai/v1/search?`));
    starter.kill('SIGTERM');
    await everythingEnded(starter);
    assert.deepEqual([await answers(service), await answers(demo)], [false, false]);
    assert.doesNotMatch(output, /^\{/m);
  },
);

test('two copies with data folders of their own run side by side and share nothing', TIMEOUT, async () => {
  const names = ['one', 'two'];
  const copies = await Promise.all(names.map((name) => startEverything(name)));
  assert.deepEqual(readdirSync(directory).sort(), names);
  for (const [index, { demo, service }] of copies.entries()) {
    const file = path.join(directory, names[index] ?? '', 'demo', 'network.json');
    assert.ok(
      readFileSync(file, 'utf8').includes(`${demo}/operators/`),
      'the network file of the other copy',
    );
    assert.equal((await fetch(`${service}/readyz`)).status, 200);
  }
  const [first, second] = copies;
  assert.ok(first && second);
  first.starter.kill('SIGTERM');
  assert.deepEqual(await everythingEnded(first.starter), [0, null]);
  assert.equal((await fetch(`${second.service}/readyz`)).status, 200);
  second.starter.kill('SIGKILL');
  await everythingEnded(second.starter);
  assert.deepEqual([await answers(second.service), await answers(second.demo)], [false, false]);
});
