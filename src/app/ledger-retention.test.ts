import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import type { QuoteLedger, SurplusQuotes } from '../sessions/quote-ledger.ts';
import { createLog } from '../telemetry/log.ts';
import { startRetention } from './retention.ts';

const QUARTER_OF_AN_HOUR = 15 * 60_000;
const DAY = 24 * 60 * 60_000;

function aStage(
  ledgerDays: number | 'for_ever',
  deleteQuotes: () => Promise<number>,
  deleteSurplus: QuoteLedger['deleteSurplus'] = async () => 0,
) {
  const clock = createFakeClock(Date.UTC(2026, 10, 17));
  const lines: { readonly level: string; readonly msg: string }[] = [];
  const kept: number[] = [];
  const retention = startRetention({
    ...{ settings: { ledgerDays, maxLedgerMegabytes: 3, activityDays: 'for_ever' as const }, clock },
    activity: { deleteBefore: assert.fail },
    outcomes: { deleteBefore: assert.fail },
    log: createLog({
      ...{ level: 'info', clock },
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    }),
    ledger: {
      deleteQuotes({ keptMs }) {
        kept.push(keptMs);
        return deleteQuotes();
      },
      deleteSurplus,
    },
  });
  return { clock, lines, kept, retention };
}

it('keeps quotes for as many days as are set', async () => {
  const { clock, lines, kept, retention } = aStage(30, async () => 0);
  await clock.advance(QUARTER_OF_AN_HOUR);
  assert.deepEqual([kept, lines], [[30 * DAY], []]);
  await retention.stop();
  assert.equal(clock.pendingTimers, 0);
});

it('deletes quotes beyond the limit, also where all stay for ever, and warns once a round', async () => {
  const calls: SurplusQuotes[] = [];
  const { clock, lines, retention } = aStage('for_ever', assert.fail, async (surplus) => {
    calls.push(surplus);
    return [0, 1_000, 1_000, 5, 0][calls.length - 1] ?? 7;
  });
  await clock.advance(QUARTER_OF_AN_HOUR);
  assert.deepEqual(
    [calls, lines.length],
    [[{ maxBytes: 3 * 1024 * 1024, maxAssistantBytes: 1.5 * 1024 * 1024, limit: 1_000 }], 0],
  );
  await clock.advance(QUARTER_OF_AN_HOUR + 200);
  assert.deepEqual([calls.length, lines.length], [4, 1]);
  await clock.advance(QUARTER_OF_AN_HOUR);
  assert.deepEqual([calls.length, lines.length], [5, 1]);
  await clock.advance(QUARTER_OF_AN_HOUR);
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    Array(2).fill('the ledger is full: the oldest quotes of the assistant with most are deleted'),
  );
  await retention.stop();
  assert.equal(clock.pendingTimers, 0);
});
