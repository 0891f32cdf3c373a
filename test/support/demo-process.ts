import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../../demo/start.ts', import.meta.url));

export type DemoProcess = {
  /** Where the service on the demo network listens. */
  readonly service: string;
  stop(): Promise<void>;
};

/** What `npm start` runs, on free ports, with operators that answer at once. */
export async function startDemoProcess(directory: string): Promise<DemoProcess> {
  const child = spawn(process.execPath, [START], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      // Each thread takes a second to start.
      STAYWIRE_DATA_DIR: join(directory, 'data'),
      STAYWIRE_METRICS_PORT: 'off',
      STAYWIRE_CONSOLE_PORT: 'off',
      STAYWIRE_DEMO_PORT: '0',
      STAYWIRE_DEMO_STEADY: '1',
    },
  });
  try {
    return { service: await whenItServes(child), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

async function whenItServes(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const service = /Staywire serves .* on (http:\/\/[\d.:]+)/.exec(output)?.[1];
    if (service !== undefined) resolve(service);
  });
  child.once('exit', () => reject(new Error(`it ended before it was ready:\n${output}`)));
  return promise;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}
