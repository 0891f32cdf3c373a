import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from '../support/install-tools.ts';

export type Runtime = {
  /** Undefined where it is not installed. */
  readonly command: string | undefined;
  /** Before the program and its arguments. */
  readonly args: readonly string[];
};

/** What runs a module from a file. Workers have a file of their own. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  'the Node of this project': { command: process.execPath, args: [] },
  'Node 20': { command: nodeOfTheMachine(20), args: [] },
  Bun: { command: toolAt('@oven/bun-*/bin/bun') ?? onThePath('bun'), args: ['run'] },
  Deno: {
    command: toolAt('@deno/*/deno') ?? onThePath('deno'),
    args: ['run', '--no-prompt', '--allow-net=127.0.0.1', '--node-modules-dir=manual'],
  },
};

export const WORKERD = toolAt('@cloudflare/workerd-*/bin/workerd');

function toolAt(pattern: string): string | undefined {
  const folder = toolsFolder();
  // Packages for several platforms may be there, of which this machine runs one.
  return folder === undefined
    ? undefined
    : globSync(join(folder, 'node_modules', pattern)).find((file) => versionOf(file) !== null);
}

function onThePath(name: string): string | undefined {
  return versionOf(name) === null ? undefined : name;
}

function nodeOfTheMachine(major: number): string | undefined {
  const folders = (process.env.PATH ?? '').split(':').concat('/usr/bin', '/usr/local/bin');
  return folders
    .map((folder) => join(folder, 'node'))
    .find((file) => versionOf(file)?.startsWith(`v${major}.`));
}

/** Null where it does not run here. */
function versionOf(command: string): string | null {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? stdout : null;
}
