import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/clock.ts';
import { openLedgerOutbox } from '../../src/storage/cluster/ledger-outbox.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { numbersFrom, quotesOf } from './workload.ts';

const OUTBOX_PROCESS = fileURLToPath(new URL('./outbox-process.ts', import.meta.url));
const ROUNDS = Number(process.env.STAYWIRE_KILL_ROUNDS ?? 6);
const SEED = Number(process.env.STAYWIRE_KILL_SEED ?? 1);
const REVISION_WITH_QUOTES = 3;

it(`has every quote of a kept change in the ledger in the end, over ${ROUNDS} kills`, async (t) => {
  const directory = temporaryDirectory(t);
  const random = numbersFrom(SEED);
  const [tried, kept, ledger] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const output = await appendAndKill(directory, round, random() * 200);
    for (const line of output.split('\n').slice(0, -1)) {
      const [what, id = ''] = line.split(' ');
      if (what === 'tried') tried.add(id);
      if (what === 'kept') kept.add(id);
      if (what === 'delivered') ledger.add(id);
    }
  }
  const warnings: string[] = [];
  const outbox = await openLedgerOutbox({
    directory,
    clock: systemClock,
    report: (warning) => warnings.push(warning),
    writer: {
      async insert(quotes) {
        for (const { nxq } of quotes) ledger.add(nxq);
      },
    },
  });
  await outbox.flushed();
  await outbox.close();

  const quotes = (ids: ReadonlySet<string>) =>
    [...ids].flatMap((id) => quotesOf(id, REVISION_WITH_QUOTES)).map(({ nxq }) => nxq);
  const known = new Set(quotes(tried));
  assert.deepEqual(
    quotes(kept).filter((nxq) => !ledger.has(nxq)),
    [],
    'quotes are lost',
  );
  assert.deepEqual(
    [...ledger].filter((nxq) => !known.has(nxq)),
    [],
    'quotes are invented',
  );
  assert.deepEqual(warnings, []);
  assert.ok(kept.size > ROUNDS, 'the kills came too early to show anything');
  t.diagnostic(`seed ${SEED}: ${kept.size} changes were kept of ${tried.size}`);
});

async function appendAndKill(directory: string, round: number, moment: number): Promise<string> {
  const child = spawn(process.execPath, [OUTBOX_PROCESS, directory, `round${round}`, String(SEED + round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const output = text(child.stdout);
  await once(child.stdout, 'data');
  await sleep(moment);
  child.kill('SIGKILL');
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL', 'the process ended by itself');
  return output;
}
