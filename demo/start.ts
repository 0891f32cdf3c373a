import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';

/**
 * `npm start`: the demo network and, when it is ready, the service pointed at it. Both run in process groups of their own, so
 * that Ctrl-C reaches only this program, which then stops the service first: it drains while the operators still answer.
 */
const HERE = import.meta.dirname;
const REPEATED_MS = 1000;
const MAX_GOODBYE_MS = 30_000;

let service: ChildProcess | undefined;
let stopping = false;
let firstSignalAt = 0;

const demo = run([path.join(HERE, 'main.ts')]);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => pass(signal));
// Whatever ends this program, nothing is left behind.
process.on('exit', () => {
  demo.kill('SIGKILL');
  service?.kill('SIGKILL');
});

const ready = await Promise.race([readiness(demo), ended(demo)]);
if (stopping) process.exit(0);
if (typeof ready === 'number') process.exit(ready || 1);

service = run(['--import', path.join(HERE, 'leave-with-parent.ts'), path.join(HERE, '../src/main.ts')], {
  STAYWIRE_NETWORK: ready.networkFile,
});
const serviceEnded = ended(service);
const first = await Promise.race([
  serviceEnded.then(() => 'service' as const),
  ended(demo).then(() => 'demo' as const),
]);
if (first === 'demo') {
  console.error('The demo network has stopped, so the service stops too.');
  endSoon();
  service.kill('SIGTERM');
  await serviceEnded;
  process.exit(1);
}
const code = await serviceEnded;
if (demo.exitCode === null && demo.signalCode === null) {
  demo.kill('SIGTERM');
  await ended(demo);
}
process.exit(code);

function run(program: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, program, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
    detached: true,
  });
}

/** The first signal asks the service to close; npm and the terminal may repeat it at once. A later one is meant: it ends everything. */
function pass(signal: NodeJS.Signals): void {
  const now = performance.now();
  if (stopping && now - firstSignalAt > REPEATED_MS) process.exit(128 + constants.signals[signal]);
  if (stopping) return;
  stopping = true;
  firstSignalAt = now;
  endSoon();
  // A closed terminal asks for the same orderly end.
  (service ?? demo).kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
}

/** A service that cannot finish is not waited for without end; the exit above then ends it. */
function endSoon(): void {
  setTimeout(() => process.exit(1), MAX_GOODBYE_MS).unref();
}

async function readiness(child: ChildProcess): Promise<{ networkFile: string }> {
  const [message]: unknown[] = await once(child, 'message');
  if (typeof message === 'object' && message !== null && 'networkFile' in message) {
    return { networkFile: String(message.networkFile) };
  }
  throw new Error('the demo network said something unexpected');
}

async function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (child.exitCode !== null) return child.exitCode;
  return 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}
