import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as nextTry } from 'node:timers/promises';
import { formatDay } from '../../src/stay/day.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);
const FREE = [{ from: formatDay(TODAY - 1), to: formatDay(TODAY + 90), available: true, price: '50.00' }];
const HOMES = 120;

async function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-snapshot-'));
  const operator = await startScriptedOperator();
  operator.properties = Array.from({ length: HOMES }, (_, number) => property(`home-${number}`, {}, FREE));
  const processes: ServiceProcess[] = [];
  t.after(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await operator.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const data = join(folder, 'data');

  /** Starts, waits until as many homes are found, tells how many were at first, and ends by the signal. */
  async function run(expected: number, signal: NodeJS.Signals = 'SIGTERM') {
    const started = startServiceProcess({
      dataDirectory: data,
      network: networkFile([brandEntry('acme', operator.origin)]),
    });
    processes.push(started);
    const origin = await started.ready;
    const atFirst = await homesFound(origin);
    for (let found = atFirst; found !== expected; found = await homesFound(origin)) await nextTry(100);
    started.child.kill(signal);
    return { output: (await started.ended).output, atFirst };
  }

  return { operator, run, data, snapshot: join(data, 'index.snapshot') };
}

async function homesFound(origin: string): Promise<number> {
  const auth = (await (await fetch(`${origin}/ai/v1/auth`)).json()) as { session: string };
  const stay = {
    destination: 'lisbon-pt',
    check_in_day: formatDay(TODAY + 10),
    check_out: formatDay(TODAY + 12),
    guests: 2,
  };
  const response = await fetch(`${origin}/ai/v1/search?session=${auth.session}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(stay),
  });
  const body = (await response.json()) as { comparison_set?: { selection: { matches: number } } };
  return body.comparison_set?.selection.matches ?? 0;
}

test('a start takes the index from its snapshot, and from the store where that cannot be trusted', {
  timeout: 300_000,
}, async (t) => {
  const { operator, run, data, snapshot } = await setUp(t);
  const first = await run(HOMES);
  assert.match(first.output, /snapshot of the index written/);
  assert.ok(!first.output.includes('snapshot of the index is not used'));
  assert.equal(statSync(snapshot).mode & 0o777, 0o600);

  const second = await run(HOMES, 'SIGKILL');
  assert.equal(second.atFirst, HOMES);
  assert.match(second.output, /snapshot of the index read/);
  assert.match(second.output, /"properties":120.*stored homes loaded/);

  // The operator has other homes now, and the service is killed before it writes another snapshot.
  const added = Array.from({ length: 5 }, (_, number) => property(`new-${number}`, {}, FREE));
  operator.properties = [...operator.properties.slice(0, 100), ...added];
  await run(105, 'SIGKILL');
  const later = await run(105);
  assert.match(later.output, /snapshot of the index read/);
  // New homes are offered once their catalogue is stored, and a moment before their calendars are.
  assert.ok(later.atFirst >= 100 && later.atFirst <= 105, `${later.atFirst} homes, as the store says`);

  const whole = readFileSync(snapshot);
  writeFileSync(snapshot, whole.with(whole.length >>> 1, (whole[whole.length >>> 1] ?? 0) ^ 4));
  const next = await run(105);
  assert.equal(next.atFirst, 105);
  assert.match(next.output, /the snapshot of the index is not used, and all stored homes are loaded/);
  assert.match(next.output, /snapshot of the index written/);
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('index')),
    ['index.snapshot'],
  );
});
