import { writePrivately } from './private-files.ts';
import { DEFAULT_PORT, type DemoSettings, readDemoSettings } from './settings.ts';
import { type Demo, startDemo } from './start-demo.ts';

/** Starts the demo network and writes its network file; ends the process when a setting is wrong. */
export async function runDemo(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly demo: Demo; readonly settings: DemoSettings }> {
  const reading = readDemoSettings(environment);
  if (reading.kind === 'invalid') {
    console.error(`The demo network cannot start: ${reading.faults.join('; ')}`);
    process.exit(1);
  }
  const settings = reading.value;
  const demo = await startOnPort(settings);
  writePrivately(settings.networkFile, demo.networkFile());
  return { demo, settings };
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

/** `npm run demo`: the demo network alone. */
if (import.meta.main) {
  const { demo, settings } = await runDemo(process.env);
  const stop = async () => {
    await demo.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Printed only now: a reader of this line may send a signal.
  console.log(`Demo operators at ${demo.origin}/ (network file: ${settings.networkFile})`);
}
