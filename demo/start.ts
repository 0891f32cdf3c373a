import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import { whenNpmEnds } from '../src/app/process.ts';
import { consolePassword } from './console-password.ts';
import { DEFAULT_SERVICE, demoServiceSettings, serviceAddress } from './service-settings.ts';

/**
 * `npm start`: runs the demo network and, when that is ready, the service on it. Each runs in a separate process group, so that
 * Ctrl-C reaches only this program. It stops the service first, which needs the operators for searches in flight.
 */
const HERE = import.meta.dirname;
const REPEATED_SIGNAL_MS = 1000;
const MAX_CLOSING_MS = 30_000;

let service: ChildProcess | undefined;
let stopping = false;
let firstSignalAt = 0;

const demo = run([path.join(HERE, 'main.ts')]);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopOn(signal));
whenNpmEnds(() => stopOn('SIGTERM'));
// Leave no process behind, however this program ends.
process.on('exit', () => {
  demo.kill('SIGKILL');
  service?.kill('SIGKILL');
});

const demoEnded = ended(demo);
const started = await Promise.race([readiness(demo), demoEnded]);
const address = await serviceAddress(process.env);
if (stopping) process.exit(0);
if (started.kind === 'ended') process.exit(started.code || 1);

const settings = demoServiceSettings(process.env, started);
if (settings.STAYWIRE_TRUSTED_NETWORKS) {
  console.log(
    'Every program on this machine may call this demo. Do not put a proxy in front of it: npm run serve lets you say who may call.',
  );
}
if (settings.STAYWIRE_ASSISTANTS) {
  const { STAYWIRE_PUBLIC_URL: service = DEFAULT_SERVICE } = address;
  const option = service === DEFAULT_SERVICE ? '' : ` -- --service ${service}`;
  console.log(`To see it with travellers, once it is up, in another terminal: npm run demo:traffic${option}`);
}
const folder = process.env.STAYWIRE_DATA_DIR ? `STAYWIRE_DATA_DIR=${process.env.STAYWIRE_DATA_DIR} ` : '';
console.log(`What was counted of it, in another terminal: ${folder}npm run demo:report`);
const password = await consolePassword(process.env, started.dataDirectory);
if (password !== null) console.log(`Password of the console: ${password}`);
service = run(['--import', path.join(HERE, 'close-with-parent.ts'), path.join(HERE, '../src/main.ts')], {
  ...settings,
  ...address,
});
const serviceEnded = ended(service);
await Promise.race([serviceEnded, demoEnded]);
if (isRunning(service)) {
  console.error('The demo network has stopped, so the service stops too.');
  limitClosing();
  service.kill('SIGTERM');
  await serviceEnded;
  process.exit(1);
}
if (isRunning(demo)) demo.kill('SIGTERM');
await demoEnded;
process.exit((await serviceEnded).code);

function run(program: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, program, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
    detached: true,
  });
}

/** The first signal closes the service; npm and the terminal may repeat it within a second. A later one ends everything immediately. */
function stopOn(signal: NodeJS.Signals): void {
  const now = performance.now();
  if (stopping && now - firstSignalAt > REPEATED_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
  if (stopping) return;
  stopping = true;
  firstSignalAt = now;
  limitClosing();
  // A closed terminal is treated like SIGTERM.
  (service ?? demo).kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
}

/** Exits after a while; the exit handler then kills the remaining processes. */
function limitClosing(): void {
  setTimeout(() => process.exit(1), MAX_CLOSING_MS).unref();
}

type Readiness = { readonly kind: 'ready'; readonly networkFile: string; readonly dataDirectory: string };
type Ended = { readonly kind: 'ended'; readonly code: number };

async function readiness(child: ChildProcess): Promise<Readiness> {
  const [message]: unknown[] = await once(child, 'message');
  const isReady = typeof message === 'object' && message !== null;
  if (isReady && 'networkFile' in message && 'dataDirectory' in message) {
    const { networkFile, dataDirectory } = message;
    return { kind: 'ready', networkFile: String(networkFile), dataDirectory: String(dataDirectory) };
  }
  throw new Error('the demo network sent an unexpected message');
}

async function ended(child: ChildProcess): Promise<Ended> {
  if (isRunning(child)) await once(child, 'exit');
  const code = child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
  return { kind: 'ended', code };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
