import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DemoSettings, readDemoSettings, USUAL_PORT } from './settings.ts';
import { type Demo, startDemo } from './start-demo.ts';

/** The demo network as a program of its own: `npm run demo`, or as a child of `start.ts`, which it tells when it is ready. */
const settings = readDemoSettings(process.env);
const demo = await startOnPort(settings);
writeNetworkFile(settings.networkFile, demo);
console.log(`Demo operators at ${demo.origin}/ (network file: ${settings.networkFile})`);

let closing = false;
const stop = async () => {
  if (closing) return;
  closing = true;
  await demo.close();
  process.exit(0);
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

if (process.send) {
  // Without its parent nobody would ever stop it.
  process.on('disconnect', stop);
  process.send({ ready: true, networkFile: settings.networkFile });
}

async function startOnPort({ port, steady, dataDirectory }: DemoSettings): Promise<Demo> {
  try {
    return await startDemo({ port: port ?? USUAL_PORT, steady, dataDirectory });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (port !== null || !isTaken) throw error;
    return startDemo({ port: 0, steady, dataDirectory });
  }
}

/** Renamed into place, so that the service never reads half a file. */
function writeNetworkFile(file: string, { networkFile }: Demo): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(networkFile(), null, 2)}\n`);
  renameSync(draft, file);
}
