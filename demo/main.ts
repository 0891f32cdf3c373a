import { writePrivately } from './private-files.ts';
import { DEFAULT_PORT, type DemoSettings, readDemoSettings } from './settings.ts';
import { type Demo, startDemo } from './start-demo.ts';

/** The demo network as a program: run by `npm run demo`, or by `start.ts`, to which it sends a message when it is ready. */
const reading = readDemoSettings(process.env);
if (reading.kind === 'invalid') {
  console.error(`The demo network cannot start: ${reading.faults.join('; ')}`);
  process.exit(1);
}
const settings = reading.value;
const demo = await startOnPort(settings);
writePrivately(settings.networkFile, demo.networkFile());

let closing = false;
const stop = async () => {
  if (closing) return;
  closing = true;
  await demo.close();
  process.exit(0);
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Printed only now: a reader of this line may send a signal.
console.log(`Demo operators at ${demo.origin}/ (network file: ${settings.networkFile})`);

if (process.send) {
  // Ends with its parent, because no other process would stop it.
  process.on('disconnect', stop);
  const { networkFile, dataDirectory } = settings;
  process.send({ ready: true, networkFile, dataDirectory });
}

async function startOnPort({ port, steady, dataDirectory }: DemoSettings): Promise<Demo> {
  try {
    return await startDemo({ port: port ?? DEFAULT_PORT, steady, dataDirectory });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (port !== null || !isTaken) throw error;
    return startDemo({ port: 0, steady, dataDirectory });
  }
}
