import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { installPackage } from './install-package.ts';

export type ThrowawayRedis = {
  readonly url: string;
  readonly port: number;
  /** Ends at once, as a machine that fails does, and forgets everything. */
  stop(): Promise<void>;
  /** A stopped server starts again, empty, at the same address. */
  start(): Promise<void>;
};

export type MissingServer = { readonly missing: string };

const STARTS_WITHIN_MS = 60_000;
const PROGRAM = 'redis-server';

let shared: Promise<ThrowawayRedis | MissingServer> | undefined;

/** One server for all tests of the process, or of the whole run where that has started one. Tests use prefixes of their own. */
export function throwawayRedis(): Promise<ThrowawayRedis | MissingServer> {
  const url = process.env.STAYWIRE_TEST_REDIS_URL;
  shared ??= url ? Promise.resolve(ofTheRun(url)) : ownRedis();
  return shared;
}

/** For tests that stop the server, make it forget, or need other settings. */
export async function ownRedis(
  settings: Readonly<Record<string, string>> = {},
): Promise<ThrowawayRedis | MissingServer> {
  const failure = installPackage(PROGRAM, isInstalled);
  if (failure) return { missing: `NOT TESTED: ${failure.missing}` };
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let running = await startServer(port, settings);
  return {
    url,
    port,
    stop: () => running.stop(),
    async start() {
      running = await startServer(port, settings);
    },
  };
}

function ofTheRun(url: string): ThrowawayRedis {
  const mine = async () => {
    throw new Error('the server is shared by the whole run');
  };
  return { url, port: Number(new URL(url).port), stop: mine, start: mine };
}

async function startServer(
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-redis-'));
  const options = {
    port,
    bind: '127.0.0.1',
    dir: directory,
    save: '',
    appendonly: 'no',
    loglevel: 'warning',
    ...settings,
  };
  const server = spawn(
    PROGRAM,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: 'ignore' },
  );
  // Neither the process nor the test runner waits for it.
  server.unref();
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const endWithProcess = () => {
    server.kill('SIGKILL');
    remove();
  };
  process.once('exit', endWithProcess);
  await untilItAnswers(port, server);
  return {
    async stop() {
      process.off('exit', endWithProcess);
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.ref();
      server.kill('SIGKILL');
      await once(server, 'exit');
      remove();
    },
  };
}

async function untilItAnswers(port: number, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  while (!(await answersPing(port))) {
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    if (hasEnded || performance.now() > deadline) throw new Error(`${PROGRAM} does not start`);
    await wait(20);
  }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('data', (data) => settle(data.toString().startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}

function isInstalled(): boolean {
  return spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0;
}
