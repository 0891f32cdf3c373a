import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NetworkFile } from '../../src/network/network-file.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service as its owner runs it: a process configured by its environment. */
export type ServiceProcess = {
  readonly child: ChildProcess;
  /** Resolves with the origin once the service listens; rejects if it ends before that. */
  readonly ready: Promise<string>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>;
};

export function startServiceProcess(options: {
  readonly dataDirectory: string;
  readonly network?: NetworkFile;
  readonly env?: Record<string, string>;
  /** The limit of its file descriptors, where it is not that of the test. */
  readonly maxOpenFiles?: number;
}): ServiceProcess {
  const { dataDirectory, network, env = {}, maxOpenFiles } = options;
  const file = `${dataDirectory}.network.json`;
  if (network) writeFileSync(file, JSON.stringify(network));
  const [command, args] =
    maxOpenFiles === undefined
      ? [process.execPath, [MAIN]]
      : ['/bin/sh', ['-c', `ulimit -n ${maxOpenFiles}; exec "$0" "$1"`, process.execPath, MAIN]];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      // An empty value means no cache.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      STAYWIRE_METRICS_PORT: 'off',
      STAYWIRE_CONSOLE_PORT: 'off',
      // What several threads add has tests of its own, and each takes a second to start.
      STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8',
      STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8',
      STAYWIRE_DATA_DIR: dataDirectory,
      ...(network ? { STAYWIRE_NETWORK: file } : {}),
      ...env,
    },
  });
  let output = '';
  const origin = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const said = /Staywire serves .* on (http:\S+)/.exec(output);
      if (said?.[1]) origin.resolve(said[1]);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    origin.reject(new Error(`it ended (${code ?? signal}) before it was ready:\n${output}`));
    return { code, signal, output };
  });
  // A test that does not wait for it must not fail with an unhandled rejection.
  origin.promise.catch(() => {});
  return { child, ready: origin.promise, ended };
}
