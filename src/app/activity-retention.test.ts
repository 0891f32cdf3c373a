import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleCount } from '../analytics/activity-store.contract.ts';
import { sampleOutcome } from '../analytics/bookings/booking-outcomes.contract.ts';
import { hourOf } from '../analytics/count.ts';
import { createMemoryOwnerStore } from '../storage/memory/storage.ts';
import { createLog } from '../telemetry/log.ts';
import { startRetention } from './retention.ts';

const QUARTER_OF_AN_HOUR = 15 * 60_000;
const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 10, 17);

async function aStage(activityDays: number | 'for_ever', isFull = false) {
  const clock = createFakeClock(NOW);
  const lines: { readonly msg: string }[] = [];
  const { activity, outcomes } = createMemoryOwnerStore();
  const days = [10, 29, 31, 400];
  const counts = days.flatMap((ago) =>
    Array.from({ length: 150 }, (_, at) =>
      sampleCount('wishes', hourOf(NOW - ago * DAY), { facet: `${ago}`, place: `${at}` }),
    ),
  );
  await activity.add({ id: 'first', at: NOW, counts });
  await outcomes.put(days.map((ago) => sampleOutcome(`${ago}`, { bookedAt: NOW - ago * DAY })));
  const full = { deleteBefore: () => Promise.reject(new Error('the disk is full')) };
  const retention = startRetention({
    ...{ settings: { activityDays, ledgerDays: 'for_ever' as const, maxLedgerMegabytes: null }, clock },
    ledger: { deleteQuotes: async () => assert.fail(), deleteSurplus: async () => assert.fail() },
    ...(isFull ? { activity: full, outcomes: full } : { activity, outcomes }),
    log: createLog({
      ...{ level: 'info', clock },
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    }),
  });
  const left = async () => {
    const read = await activity.read({ measures: ['wishes'], from: 0, to: hourOf(NOW) });
    const booked = await outcomes.read({ from: 0, before: NOW, limit: 9 });
    return [
      [...new Set(read.map(({ facet }) => facet))].sort(),
      booked.map(({ reference }) => reference).sort(),
    ];
  };
  return { clock, lines, left, retention };
}

it('keeps counts and bookings for as many days as are set', async () => {
  const { clock, lines, left, retention } = await aStage(30);
  await clock.advance(QUARTER_OF_AN_HOUR + 200);
  assert.deepEqual(await left(), [
    ['10', '29'],
    ['10', '29'],
  ]);
  assert.deepEqual(lines, []);
  await retention.stop();
  assert.equal(clock.pendingTimers, 0);
});
