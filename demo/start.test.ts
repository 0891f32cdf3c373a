import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

// A program that does not stop must fail its test, not hold it up.
const PATIENTLY = { timeout: 60_000 };

let directory = '';
let starter: ChildProcess | undefined;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'staywire-start-'));
});
afterEach(() => {
  starter?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Starts everything on free ports and waits until both have said where they are. */
async function startEverything(): Promise<{ starter: ChildProcess; demo: string; service: string }> {
  starter = spawn(process.execPath, [path.join(import.meta.dirname, 'start.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      STAYWIRE_DATA_DIR: path.join(directory, 'data'),
      STAYWIRE_METRICS_PORT: '0',
      STAYWIRE_DEMO_PORT: '0',
      STAYWIRE_DEMO_STEADY: '1',
      STAYWIRE_DEMO_DATA_DIR: path.join(directory, 'demo'),
    },
  });
  // Read to the end, not only to the greeting: a closed pipe would break whoever writes to it.
  let said = '';
  starter.stdout?.on('data', (text) => {
    said += text;
  });
  while (starter.exitCode === null) {
    const demo = /Demo operators at (http:\/\/[\d.:]+)/.exec(said)?.[1];
    const service = /Staywire serves .* on (http:\/\/[\d.:]+)/.exec(said)?.[1];
    if (demo !== undefined && service !== undefined) return { starter, demo, service };
    await pause(50);
  }
  throw new Error(`not started: ${said}`);
}

async function isGone(origin: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(origin).catch(() => null);
    if (answer === null) return true;
    await answer.body?.cancel();
    await pause(50);
  }
  return false;
}

test(
  'asked to stop, it closes the service and the demo and leaves with the code of the service',
  PATIENTLY,
  async () => {
    const { starter, demo, service } = await startEverything();
    assert.equal((await fetch(`${service}/healthz`)).status, 200);
    assert.equal((await fetch(`${demo}/`)).status, 200);
    starter.kill('SIGTERM');
    assert.deepEqual(await once(starter, 'exit'), [0, null]);
    assert.deepEqual([await isGone(service), await isGone(demo)], [true, true]);
  },
);

test('killed without a word, it leaves no orphan', PATIENTLY, async () => {
  const { starter, demo, service } = await startEverything();
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  assert.deepEqual([await isGone(service), await isGone(demo)], [true, true]);
});
