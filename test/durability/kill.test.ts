import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkStorage, nothingConfirmed, recordConfirmed } from './check-storage.ts';
import { numbersFrom } from './workload.ts';

/**
 * A process that writes without a pause is killed at random moments, again and again on the same directory: every
 * change that was confirmed to it must be there, and no change may be half there. `STAYWIRE_KILL_ROUNDS` makes a
 * longer run, and `STAYWIRE_KILL_SEED` another.
 */
const ROUNDS = Number(process.env.STAYWIRE_KILL_ROUNDS ?? 12);
const SEED = Number(process.env.STAYWIRE_KILL_SEED ?? 1);
const TRACKS = 2;
/** Each new directory is one more first start, with its migrations, to interrupt. */
const ROUNDS_PER_DIRECTORY = Math.min(8, Math.ceil(ROUNDS / TRACKS / 2));
const WRITING_PROCESS = fileURLToPath(new URL('./writing-process.ts', import.meta.url));

it(`keeps every confirmed change and no half of any over ${ROUNDS} kills`, async (t) => {
  const failed = new AbortController();
  const tracks = Array.from({ length: TRACKS }, (_, at) =>
    track(Math.ceil(ROUNDS / TRACKS), SEED * TRACKS + at, failed.signal),
  );
  // The first failure also ends the other track, so that it is reported at once.
  const totals = await Promise.all(tracks).finally(() => failed.abort());
  const sum = (key: keyof Totals) => totals.reduce((total, one) => total + one[key], 0);
  t.diagnostic(
    `seed ${SEED}: ${sum('confirmed')} confirmed changes, ${sum('unconfirmed')} more were written unconfirmed, ` +
      `${sum('starts')} kills during a start, ${sum('firstStarts')} of them the first on their directory`,
  );
  assert.ok(sum('confirmed') > ROUNDS, 'the kills came too early to show anything');
  assert.ok(sum('firstStarts') > 0, 'no kill came during a first start');
});

type Totals = Record<'confirmed' | 'unconfirmed' | 'starts' | 'firstStarts', number>;

async function track(rounds: number, seed: number, failed: AbortSignal): Promise<Totals> {
  const random = numbersFrom(seed);
  const totals = { confirmed: 0, unconfirmed: 0, starts: 0, firstStarts: 0 };
  for (let round = 0; round < rounds && !failed.aborted; round += ROUNDS_PER_DIRECTORY) {
    const directory = mkdtempSync(join(tmpdir(), 'staywire-kill-'));
    const confirmed = nothingConfirmed();
    for (let time = 0; time < Math.min(ROUNDS_PER_DIRECTORY, rounds - round); time += 1) {
      const name = `round${round + time}`;
      const moment = momentOfKill(directory, time === 0, random);
      const output = await writeAndKill({ directory, name, firstExpiry: time * 1_000_000, moment });
      const duringStart = !output.includes('ready\n');
      if (duringStart) totals.starts += 1;
      if (duringStart && time === 0) totals.firstStarts += 1;
      totals.confirmed += recordConfirmed(confirmed, name, output);
      totals.unconfirmed += await checkStorage(directory, confirmed);
    }
    // Only on success: the directory of a failure stays for inspection.
    rmSync(directory, { recursive: true });
  }
  return totals;
}

type MomentOfKill = (child: ChildProcessByStdio<null, Readable, null>) => Promise<unknown>;

/** Among the writes; or during the start, always when it is the first on its directory and else in one round of five. */
function momentOfKill(directory: string, isFirstStart: boolean, random: () => number): MomentOfKill {
  const duringLaterStart = random() < 0.2;
  const share = random();
  return async (child) => {
    if (isFirstStart) {
      while (child.exitCode === null && readdirSync(directory).length === 0) await sleep(1);
      // Squared, because most of these kills should come before the start is over.
      return sleep(share ** 2 * 60);
    }
    if (duringLaterStart) return sleep(share * 250);
    await once(child.stdout, 'data');
    return sleep(share * 150);
  };
}

async function writeAndKill({
  directory,
  name,
  firstExpiry,
  moment,
}: {
  readonly directory: string;
  readonly name: string;
  readonly firstExpiry: number;
  readonly moment: MomentOfKill;
}): Promise<string> {
  const child = spawn(process.execPath, [WRITING_PROCESS, directory, name, String(firstExpiry)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const output = text(child.stdout);
  await moment(child);
  child.kill('SIGKILL');
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL', 'the writing process ended by itself');
  return output;
}
