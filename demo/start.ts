import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import { whenNpmEnds } from '../src/app/process.ts';
import { consolePassword } from './console-password.ts';
import { runDemo } from './main.ts';
import { DEFAULT_SERVICE, demoServiceSettings, serviceAddress } from './service-settings.ts';

/**
 * `npm start`: runs the demo network in this process and, when that is ready, the service on it in another. The service has a separate
 * process group, so that Ctrl-C reaches only this program. It stops the service first, which needs the operators for searches in flight.
 */
const HERE = import.meta.dirname;
const REPEATED_SIGNAL_MS = 1000;
const MAX_CLOSING_MS = 30_000;
let service: ChildProcess | undefined;
let stopping = false;
let firstSignalAt = 0;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopOn(signal));
whenNpmEnds(() => stopOn('SIGTERM'));
// Leave no process behind, however this program ends.
process.on('exit', () => service?.kill('SIGKILL'));

const { demo, settings: demoSettings } = await runDemo(process.env);
const address = await serviceAddress(process.env);
console.log(`Demo operators at ${demo.origin}/ (network file: ${demoSettings.networkFile})`);

const settings = demoServiceSettings(process.env, demoSettings);
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
const password = await consolePassword(process.env, demoSettings.dataDirectory);
if (password !== null) console.log(`Password of the console: ${password}`);
service = spawn(
  process.execPath,
  [
    // The options of `npm start` limit the memory of both processes.
    ...process.execArgv,
    '--import',
    path.join(HERE, 'close-with-parent.ts'),
    path.join(HERE, '../src/main.ts'),
  ],
  {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Otherwise glibc keeps for each thread what its start has freed.
    env: { MALLOC_ARENA_MAX: '1', ...process.env, ...settings, ...address },
    detached: true,
  },
);
await once(service, 'exit');
await demo.close();
process.exit(service.exitCode ?? 128 + constants.signals[service.signalCode ?? 'SIGKILL']);

/** The first signal closes the service; npm and the terminal may repeat it within a second. A later one ends everything immediately. */
function stopOn(signal: NodeJS.Signals): void {
  const now = performance.now();
  if (stopping && now - firstSignalAt > REPEATED_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
  if (stopping) return;
  stopping = true;
  firstSignalAt = now;
  if (!service) process.exit(0);
  // The exit handler then kills the service.
  setTimeout(() => process.exit(1), MAX_CLOSING_MS).unref();
  // A closed terminal is treated like SIGTERM.
  service.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
}
