import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/staywire.js', import.meta.url));

export type CommandRun = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunningCommand = {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandRun>;
  /** Resolves when the output so far has the text; rejects when the command ends without. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
};

export type CommandOptions = {
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
};

/** `staywire …` as a process of its own, without a terminal, and with nothing of the environment of the test. */
export function startCommand(
  words: readonly string[],
  { directory, env, input }: CommandOptions,
): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      // The emulators are on this machine.
      STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8',
      STAYWIRE_METRICS_PORT: 'off',
      STAYWIRE_CONSOLE_PORT: 'off',
      ...env,
    },
  });
  // A command that reads no input may end before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const look of watchers) look();
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }));
  return {
    child,
    ended,
    said(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
          if (!found) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
        void ended.then(() =>
          reject(new Error(`it never said ${pattern}:\n${output.stdout}${output.stderr}`)),
        );
      });
    },
  };
}

export function runCommand(words: readonly string[], options: CommandOptions): Promise<CommandRun> {
  return startCommand(words, options).ended;
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
