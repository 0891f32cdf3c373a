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
// A program that does not stop must fail its test, not block it.
const TIMEOUT = { timeout: 60_000 };
const started: ChildProcess[] = [];
after(() => {
  for (const program of started) program.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

async function startProgram(): Promise<ChildProcess> {
  const program = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      STAYWIRE_DEMO_PORT: '0',
      STAYWIRE_DEMO_DATA_DIR: directory,
      STAYWIRE_DEMO_NETWORK: '',
    },
  });
  started.push(program);
  const [line] = await once(program.stdout, 'data');
  assert.ok(String(line).includes(path.join(directory, 'network.json')));
  return program;
}

test(
  'when it says that it is ready, its network file is written and its operators answer; it stops when asked',
  TIMEOUT,
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

function settingsFrom(environment: Record<string, string>) {
  const reading = readDemoSettings(environment);
  assert.equal(reading.kind, 'valid');
  return reading.value;
}

test('settings have defaults, and a port that is none is refused', () => {
  assert.deepEqual(settingsFrom({}), {
    port: null,
    steady: false,
    dataDirectory: path.resolve('data/demo'),
    networkFile: path.resolve('data/demo/network.json'),
  });
  assert.equal(settingsFrom({ STAYWIRE_DEMO_PORT: '0' }).port, 0);
  assert.equal(settingsFrom({ STAYWIRE_DEMO_STEADY: '1' }).steady, true);
  for (const port of ['eighty', '65536', '-1']) {
    const reading = readDemoSettings({ STAYWIRE_DEMO_PORT: port });
    assert.equal(reading.kind, 'invalid');
    assert.match(reading.faults.join(), /^STAYWIRE_DEMO_PORT/);
  }
});

test('its data lies below the data of the service, unless it has a folder of its own', () => {
  assert.equal(settingsFrom({ STAYWIRE_DATA_DIR: '/srv/a' }).networkFile, '/srv/a/demo/network.json');
  const own = settingsFrom({ STAYWIRE_DATA_DIR: '/srv/a', STAYWIRE_DEMO_DATA_DIR: '/srv/b' });
  assert.equal(own.dataDirectory, '/srv/b');
});
