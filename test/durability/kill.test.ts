import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkStorage, nothingConfirmed, recordConfirmed } from './check-storage.ts';
import { numbersFrom } from './workload.ts';

/**
 * A process that writes without a pause is killed at random moments, over and over on the same directory: what
 * it was told is kept must be there, and no change may be half there. `STAYWIRE_KILL_ROUNDS` and
 * `STAYWIRE_KILL_SEED` make longer and other runs.
 */
const ROUNDS = Number(process.env.STAYWIRE_KILL_ROUNDS ?? 60);
const SEED = Number(process.env.STAYWIRE_KILL_SEED ?? 1);
const TRACKS = 2;
/** Then a new directory, so that the first start and its migrations are interrupted too. */
const ROUNDS_A_DIRECTORY = 8;
const WRITING_PROCESS = fileURLToPath(new URL('./writing-process.ts', import.meta.url));

it(`keeps every confirmed change and no half of any over ${ROUNDS} kills`, async (t) => {
  const failed = new AbortController();
  const tracks = Array.from({ length: TRACKS }, (_, at) =>
    track(Math.ceil(ROUNDS / TRACKS), SEED * TRACKS + at, failed.signal),
  );
  // The first failure ends the other track too, so that it is told at once.
  const totals = await Promise.all(tracks).finally(() => failed.abort());
  const sum = (key: 'confirmed' | 'unconfirmed' | 'beforeReady') =>
    totals.reduce((total, one) => total + one[key], 0);
  t.diagnostic(
    `seed ${SEED}: ${sum('confirmed')} confirmed changes, ${sum('unconfirmed')} more had landed unconfirmed, ` +
      `${sum('beforeReady')} kills during the start`,
  );
  assert.ok(sum('confirmed') > ROUNDS, 'the kills came too early to show anything');
});

async function track(rounds: number, seed: number, failed: AbortSignal) {
  const random = numbersFrom(seed);
  const totals = { confirmed: 0, unconfirmed: 0, beforeReady: 0 };
  for (let round = 0; round < rounds && !failed.aborted; round += ROUNDS_A_DIRECTORY) {
    const directory = mkdtempSync(join(tmpdir(), 'staywire-kill-'));
    const confirmed = nothingConfirmed();
    for (let time = 0; time < Math.min(ROUNDS_A_DIRECTORY, rounds - round); time += 1) {
      const name = `round${round + time}`;
      const output = await writeAndKill({ directory, name, firstEnd: time * 1_000_000, random });
      if (!output.includes('ready\n')) totals.beforeReady += 1;
      totals.confirmed += recordConfirmed(confirmed, name, output);
      totals.unconfirmed += await checkStorage(directory, confirmed);
    }
    // Only now: the directory of a failure stays for whoever looks into it.
    rmSync(directory, { recursive: true });
  }
  return totals;
}

async function writeAndKill({
  directory,
  name,
  firstEnd,
  random,
}: {
  readonly directory: string;
  readonly name: string;
  readonly firstEnd: number;
  readonly random: () => number;
}): Promise<string> {
  const child = spawn(process.execPath, [WRITING_PROCESS, directory, name, String(firstEnd)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const output = text(child.stdout);
  const duringStart = random() < 0.2;
  if (!duringStart) await once(child.stdout, 'data');
  await sleep(random() * (duringStart ? 250 : 150));
  child.kill('SIGKILL');
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL', 'the writing process ended by itself');
  return output;
}
