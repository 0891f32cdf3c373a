import type { DatabaseSync } from 'node:sqlite';
import type { OwnerSetting } from '../../access/owner-settings.ts';
import type { BrandControl } from '../../sync/brand-controls.ts';
import { type CountRow, countedLabels, countsAsJson } from '../count-rows.ts';
import type { OwnerStore } from '../owner-store.ts';
import { numberIn, textIn } from './columns.ts';
import { createCountTable } from './count-table.ts';
import { createOutcomeTable } from './outcome-table.ts';

/** Everything in `activity.sqlite`. Arguments and values are plain data, because a thread of its own works on it while the service runs. */
export type ActivityTables = ReturnType<typeof createActivityTables>;

/** A call has begun before its arguments are there, so that whoever closes waits for it too. */
export type CallTables = <Name extends keyof ActivityTables>(
  name: Name,
  args: ArgumentsOf<Name> | Promise<ArgumentsOf<Name>>,
) => Promise<ReturnType<ActivityTables[Name]>>;

type ArgumentsOf<Name extends keyof ActivityTables> = Readonly<Parameters<ActivityTables[Name]>>;

export function createActivityTables(database: DatabaseSync) {
  const allControls = database.prepare(
    'SELECT brand, paused_at, reading_requested_at, confirmed_losses FROM brand_control',
  );
  const pause = database.prepare(
    `INSERT INTO brand_control (brand, paused_at) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET paused_at = coalesce(paused_at, excluded.paused_at)`,
  );
  const resume = database.prepare(
    'INSERT INTO brand_control (brand) VALUES (?) ON CONFLICT DO UPDATE SET paused_at = NULL',
  );
  const requestReading = database.prepare(
    `INSERT INTO brand_control (brand, reading_requested_at) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET reading_requested_at = max(coalesce(reading_requested_at, 0), excluded.reading_requested_at)`,
  );
  const confirmLosses = database.prepare(
    `INSERT INTO brand_control (brand, confirmed_losses) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET confirmed_losses = json_patch(confirmed_losses, excluded.confirmed_losses)`,
  );
  const setting = database.prepare('SELECT value FROM owner_setting WHERE name = ?');
  const setSetting = database.prepare('INSERT OR REPLACE INTO owner_setting (name, value) VALUES (?, ?)');

  return {
    ...createCountTable(database),
    ...createOutcomeTable(database),

    controls(): BrandControl[] {
      return allControls.all().map((row) => ({
        brand: textIn(row, 'brand'),
        pausedAt: row.paused_at === null ? null : numberIn(row, 'paused_at'),
        readingRequestedAt: row.reading_requested_at === null ? null : numberIn(row, 'reading_requested_at'),
        confirmedLosses: new Map(Object.entries<number>(JSON.parse(textIn(row, 'confirmed_losses')))),
      }));
    },
    setPaused(brand: string, isPaused: boolean, at: number): void {
      if (isPaused) pause.run(brand, at);
      else resume.run(brand);
    },
    requestReading(brand: string, at: number): void {
      requestReading.run(brand, at);
    },
    confirmLosses(brand: string, reference: string, at: number): void {
      confirmLosses.run(brand, JSON.stringify({ [reference]: at }));
    },
    setting(name: OwnerSetting): string | null {
      const row = setting.get(name);
      return row ? textIn(row, 'value') : null;
    },
    setSetting(name: OwnerSetting, value: string): void {
      setSetting.run(name, value);
    },
  };
}

/** The ports over these tables, wherever they are worked on. */
export function ownerStoreOver(call: CallTables): OwnerStore {
  return {
    activity: {
      add: ({ id, at, counts }) =>
        call(
          'addCounts',
          countsAsJson(counts).then((rows) => [{ id, at }, rows]),
        ),
      async read(question) {
        const rows: readonly CountRow[] = JSON.parse(await call('readCounts', [question]));
        return rows.map(countedLabels);
      },
      mostCounted: (question) => call('mostCounted', [question]),
      span: () => call('countSpan', []),
      deleteBefore: (hour, limit) => call('deleteCounts', [hour, limit]),
    },
    controls: {
      all: () => call('controls', []),
      setPaused: (brand, isPaused, at) => call('setPaused', [brand, isPaused, at]),
      requestReading: (brand, at) => call('requestReading', [brand, at]),
      confirmLosses: (brand, reference, at) => call('confirmLosses', [brand, reference, at]),
    },
    outcomes: {
      put: (outcomes) => call('putOutcomes', [outcomes]),
      read: (question) => call('readOutcomes', [question]),
      ofQuote: (quote, limit) => call('outcomesOfQuote', [quote, limit]),
      known: (brand, references) => call('knownOutcomes', [brand, references]),
      count: (brand) => call('countOutcomes', [brand]),
      lastCollectedAt: (brand) => call('lastCollectedAt', [brand]),
      deleteBefore: (bookedAt, limit) => call('deleteOutcomes', [bookedAt, limit]),
    },
    owner: {
      get: (name) => call('setting', [name]),
      set: (name, value) => call('setSetting', [name, value]),
    },
  };
}
