import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, ParentRequest } from './parent-line.ts';

export type Child<Ready> = {
  readonly ready: Ready;
  ask<Value>(name: string, argument?: unknown): Promise<Value>;
  /** Pins all threads of the process. Does nothing without `taskset`. */
  pinTo(cores: readonly number[]): void;
  close(): Promise<void>;
};

/** Servers run on the first core; load and booking systems on the second. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
/** For what is not pinned: a child would be where its parent is. */
export const ALL_CORES: readonly number[] = cpus().map((_, core) => core);

type Cores = number | readonly number[];

const canPin = spawnSync('taskset', ['-c', `${SERVER_CORE},${LOAD_CORE}`, 'true']).status === 0;

export function pinned(cores: Cores, command: string, args: readonly string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', String(cores), command, ...args]] : [command, [...args]];
}

export function pinThisProcess(cores: Cores): boolean {
  return pin(process.pid, cores);
}

/** For parts that are about all processors. Afterwards this process is with the load again. */
export async function onAllCores(work: () => Promise<void>): Promise<void> {
  pinThisProcess(ALL_CORES);
  try {
    await work();
  } finally {
    pinThisProcess(LOAD_CORE);
  }
}

function pin(pid: number, cores: Cores): boolean {
  return canPin && spawnSync('taskset', ['-a', '-c', '-p', String(cores), String(pid)]).status === 0;
}

/** Runs a file of this folder as a child process and waits until it is ready. */
export async function startChild<Ready>(
  file: string,
  cores: Cores,
  args: readonly string[] = [],
  nodeOptions: readonly string[] = [],
): Promise<Child<Ready>> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const [command, commandArgs] = pinned(cores, process.execPath, [
    ...profiling(),
    ...nodeOptions,
    script,
    ...args,
  ]);
  // Log lines are discarded: writing them is measured, reading them is not.
  const child = spawn(command, commandArgs, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${file} ended: ${code ?? signal}`)));
  });
  ended.catch(() => {});
  const ready = await Promise.race([readiness<Ready>(child), ended]);
  const waiting = new Map<number, (value: never) => void>();
  let asked = 0;
  child.on('message', (message: ChildMessage) => {
    if (!('id' in message)) return;
    waiting.get(message.id)?.(message.value as never);
    waiting.delete(message.id);
  });

  return {
    ready,
    ask<Value>(name: string, argument?: unknown) {
      const id = asked++;
      const answer = new Promise<Value>((resolve) => waiting.set(id, resolve));
      child.send({ id, name, argument } satisfies ParentRequest);
      return Promise.race([answer, ended]);
    },
    pinTo(cores) {
      if (child.pid !== undefined) pin(child.pid, cores);
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await exit;
    },
  };
}

/** STAYWIRE_BENCH_PROFILE=<folder> writes a CPU profile of every child to that folder. */
function profiling(): string[] {
  const folder = process.env.STAYWIRE_BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

function readiness<Ready>(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve) => {
    child.on('message', function listen(message: ChildMessage) {
      if (!('ready' in message)) return;
      child.off('message', listen);
      resolve(message.ready as Ready);
    });
  });
}
