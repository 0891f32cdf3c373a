import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { demoServiceSettings } from './service-settings.ts';
import { readDemoSettings } from './settings.ts';

/** `npm run demo:report`: the command `staywire report` on the demo, with its arguments. The command knows nothing of what `npm start` sets. */
const STAYWIRE = fileURLToPath(new URL('../bin/staywire.js', import.meta.url));

const reading = readDemoSettings(process.env);
if (reading.kind === 'invalid') fail(reading.faults.join('; '));
else if (!existsSync(reading.value.networkFile)) fail('There is no demo here yet. Start it with: npm start');
else {
  const command = spawn(process.execPath, [STAYWIRE, 'report', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ...demoServiceSettings(process.env, reading.value) },
  });
  const [code] = await once(command, 'exit');
  process.exitCode = code ?? 1;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}
