import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { NetworkFile } from '../src/network/network-file.ts';
import { readDemoSettings } from './settings.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'staywire-main-'));
// A program that does not stop must fail its test, not hold it up.
const PATIENTLY = { timeout: 30_000 };
const started: ChildProcess[] = [];
after(() => {
  for (const program of started) program.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

async function startProgram(): Promise<ChildProcess> {
  const program = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      STAYWIRE_DEMO_PORT: '0',
      STAYWIRE_DEMO_DATA_DIR: directory,
      STAYWIRE_DEMO_NETWORK: '',
    },
  });
  started.push(program);
  const [message] = await once(program, 'message');
  assert.deepEqual(message, { ready: true, networkFile: path.join(directory, 'network.json') });
  return program;
}

test(
  'when it says that it is ready, its network file is written and its operators answer; it stops when asked',
  PATIENTLY,
  async () => {
    const program = await startProgram();
    const file: unknown = JSON.parse(readFileSync(path.join(directory, 'network.json'), 'utf8'));
    assert.ok(Compile(NetworkFile).Check(file));
    const system = file.brands[0]?.booking_system;
    assert.equal(system?.kind, 'open');
    assert.equal((await fetch(`${system.url}/catalogue`)).status, 200);
    program.kill('SIGTERM');
    assert.deepEqual(await once(program, 'exit'), [0, null]);
  },
);

test('it does not outlive the program that started it', PATIENTLY, async () => {
  const program = await startProgram();
  program.disconnect();
  assert.deepEqual(await once(program, 'exit'), [0, null]);
});

test('settings have defaults, and a port that is none is refused', () => {
  const settings = readDemoSettings({});
  assert.equal(settings.port, null);
  assert.equal(settings.steady, false);
  assert.equal(settings.networkFile, path.resolve('data/demo/network.json'));
  assert.equal(readDemoSettings({ STAYWIRE_DEMO_PORT: '0', STAYWIRE_DEMO_STEADY: '1' }).steady, true);
  for (const port of ['eighty', '65536', '-1']) {
    assert.throws(() => readDemoSettings({ STAYWIRE_DEMO_PORT: port }), /STAYWIRE_DEMO_PORT/);
  }
});
