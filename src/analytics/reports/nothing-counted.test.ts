import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countsOf,
  NO_ACTIVITY,
  type PlainActivity,
  plainActivityStore,
  plainOutcomes,
} from '../../../test/support/plain-activity.ts';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { createReports } from './create-reports.ts';
import { REPORT_IDS, type ReportId } from './report.ts';

const now = Date.UTC(2026, 10, 17, 11, 20, 5);

async function emptyTables(id: ReportId, activity: Partial<PlainActivity> = {}, brand: string | null = null) {
  const all = { ...NO_ACTIVITY, ...activity };
  const { sections } = await createReports({
    activity: plainActivityStore(countsOf(all)),
    outcomes: plainOutcomes(all.bookings),
    network: sampleNetwork(['casas']),
    health: async () => [],
    assistants: () => [],
    sessionMinutes: 30,
    clock: { now: () => now },
  })(id, { from: '2026-11-17', to: '2026-11-17', brand });
  return Object.fromEntries(
    sections.flatMap(({ id: table, rows, whenEmpty }) => (rows.length === 0 ? [[table, whenEmpty]] : [])),
  );
}

describe('a table without rows', () => {
  it('brings no good news where nothing was counted', async () => {
    for (const id of REPORT_IDS) {
      for (const [table, text] of Object.entries(await emptyTables(id)))
        assert.doesNotMatch(text, /^Every|failed|refused|stopped|turned away/, `${id}.${table}`);
    }
  });

  it('brings it where there was something', async () => {
    const [brand, assistant, place] = ['', 'claude', 'lisbon-pt'];
    const demand = await emptyTables('demand', {
      wishes: [{ at: now, brand, assistant, place, month: '2027-05', reason: 'found' }],
    });
    assert.equal(demand.unmet, 'Every wish in this time was met.');
    assert.equal(demand.unmet_by_month, demand.unmet);
    const today = await emptyTables('today', {
      sessions: [
        { openedAt: now, brand, assistant, stands: [['completed', '']], millisecondsToResult: 5000 },
      ],
    });
    assert.equal(today.refusals, 'No value was refused.');
    const assistants = await emptyTables('assistants', {
      requests: [{ at: now, assistant, door: 'search', answer: 'suspended', milliseconds: 1 }],
    });
    assert.equal(assistants.strangers, 'No stranger was turned away in this time.');
  });

  it('says how to see a first search, of a brand one that comes through it', async () => {
    const hint = 'A search shows up here within seconds. Make one with: staywire try';
    for (const [brand, end] of [
      [null, ''],
      ['casas', ' --source casas'],
    ] as const) {
      const { periods } = await emptyTables('today', {}, brand);
      assert.equal(periods, `No session was opened in this time. ${hint}${end}`);
      const { unmet } = await emptyTables('demand', {}, brand);
      assert.equal(unmet, `No wish was counted in this time. ${hint}${end}`);
    }
  });
});
