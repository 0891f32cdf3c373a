import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { BookingOutcome } from '../../quotes/booking.ts';
import type { BrandControl } from '../../sync/brand-controls.ts';
import type { CountRow } from '../count-rows.ts';
import { ACTIVITY_FILE, WHAT_IS_LOST } from './activity-file.ts';
import { ACTIVITY_SCHEMA } from './activity-schema.ts';
import { createActivityTables } from './activity-tables.ts';
import { numberIn, textIn } from './columns.ts';
import { openCache } from './open-database.ts';
import { outcomeIn } from './outcome-table.ts';
import { withStorageFailures } from './sqlite-failure.ts';

/** What an embedded store has for its owner, for whoever moves it elsewhere. */
export type EmbeddedActivity = {
  /** Tells these counts from those of other stores. */
  readonly source: string;
  totals(): { readonly counts: number; readonly bookings: number };
  /** A few at a time. */
  counts(): Iterable<readonly CountRow[]>;
  outcomes(): Iterable<readonly BookingOutcome[]>;
  controls(): readonly BrandControl[];
  settings(): readonly { readonly name: string; readonly value: string }[];
  close(): void;
};

const ROWS_AT_ONCE = 1_000;
const LOCK_TIMEOUT_MS = 2_000;
const COUNT_KEY = 'measure, hour, brand, assistant, place, facet, reason';

/** Undefined where nothing was counted. The caller has locked the folder. */
export function openEmbeddedActivity(
  directory: string,
  report: (warning: string) => void,
): EmbeddedActivity | undefined {
  const file = join(directory, ACTIVITY_FILE);
  if (!existsSync(file)) return undefined;
  return activityIn(
    openCache({ file, lockTimeoutMs: LOCK_TIMEOUT_MS }, ACTIVITY_SCHEMA, report, { loss: WHAT_IS_LOST }),
  );
}

function activityIn(database: DatabaseSync): EmbeddedActivity {
  const countsAfter = database.prepare(
    `SELECT ${COUNT_KEY}, counted, summed FROM activity_count
     WHERE (${COUNT_KEY}) > (?, ?, ?, ?, ?, ?, ?) ORDER BY ${COUNT_KEY} LIMIT ${ROWS_AT_ONCE}`,
  );
  countsAfter.setReturnArrays(true);
  const outcomesAfter = database.prepare(
    `SELECT * FROM booking_outcome WHERE (brand, reference) > (?, ?) ORDER BY brand, reference LIMIT ${ROWS_AT_ONCE}`,
  );
  const settings = database.prepare('SELECT name, value FROM owner_setting');
  const numberOf = (query: string) => numberIn(database.prepare(query).get() ?? {}, 'number');

  return {
    source: textIn(database.prepare('SELECT id FROM activity_source').get() ?? {}, 'id'),
    totals: () => ({
      counts: numberOf('SELECT count(*) AS number FROM activity_count'),
      bookings: numberOf('SELECT count(*) AS number FROM booking_outcome'),
    }),
    *counts() {
      let key: readonly (string | number | null)[] = ['', 0, '', '', '', '', ''];
      for (;;) {
        // Arrays, as asked for above; the type knows only objects.
        const rows = withStorageFailures(() => countsAfter.all(...key)) as unknown as CountRow[];
        const last = rows.at(-1);
        if (!last) return;
        yield rows;
        const [measure, hour, brand, assistant, place, facet, reason] = last;
        key = [measure, hour, brand, assistant, place, facet, reason];
      }
    },
    *outcomes() {
      let after: readonly [string, string] = ['', ''];
      for (;;) {
        const few = withStorageFailures(() => outcomesAfter.all(...after)).map(outcomeIn);
        const last = few.at(-1);
        if (!last) return;
        yield few;
        after = [last.brand, last.reference];
      }
    },
    controls: () => createActivityTables(database).controls(),
    settings: () => settings.all().map((row) => ({ name: textIn(row, 'name'), value: textIn(row, 'value') })),
    close: () => database.close(),
  };
}
