import type { DatabaseSync } from 'node:sqlite';
import type { HomeVersion, HomeWithCalendar } from '../../inventory/availability-index/availability-index.ts';
import type { HomeState, LoadedHome } from '../../inventory/inventory-store.ts';
import { bytesIn, numberIn, type SqliteRow, textIn } from './columns.ts';
import { homeIn } from './home-columns.ts';
import { unpackCalendar } from './packed-calendar.ts';
import { withStorageFailures } from './sqlite-failure.ts';

/** Of those whose calendar is known, a turn of the event loop takes more. */
const READ_A_TURN = 512;
const CALENDARS_A_TURN = 32;

const STATE = `number, id, brand, reference, weight, property.digest AS listing_digest, read_at,
  calendar.digest AS calendar_digest`;

/** Every home with a calendar, a few at a time; each few were read at once. */
export function storedHomesIn(
  database: DatabaseSync,
): (isKnown: (home: HomeState) => boolean) => Iterator<readonly LoadedHome[], undefined> {
  // In the order of both tables, so that no page is read twice, and by the index, so that no calendar is.
  const statesAfter = database.prepare(
    `SELECT ${STATE} FROM calendar INDEXED BY calendar_state CROSS JOIN property ON number = calendar.property
     WHERE calendar.property > ? ORDER BY calendar.property LIMIT ${READ_A_TURN}`,
  );
  const wholeHome = database.prepare(
    `SELECT ${STATE}, place, currency, max_guests, lead_days, amenities, columns
     FROM property JOIN calendar ON calendar.property = number WHERE number = ?`,
  );

  return function* (isKnown) {
    let few: LoadedHome[] = [];
    let calendars = 0;
    for (let after = 0; ; ) {
      const states = withStorageFailures(() => statesAfter.all(after));
      for (const state of states) {
        after = numberIn(state, 'number');
        const known = stateIn(state);
        if (isKnown(known)) {
          few.push(known);
          continue;
        }
        const row = withStorageFailures(() => wholeHome.get(after));
        // It may have gone meanwhile, or have been read again.
        if (row) few.push(wholeIn(row));
        calendars += 1;
        if (calendars < CALENDARS_A_TURN) continue;
        yield few;
        [few, calendars] = [[], 0];
      }
      if (few.length > 0) yield few;
      [few, calendars] = [[], 0];
      if (states.length < READ_A_TURN) return undefined;
    }
  };
}

function stateIn(row: SqliteRow, content: HomeWithCalendar | null = null): LoadedHome {
  return {
    id: textIn(row, 'id'),
    brand: textIn(row, 'brand'),
    reference: textIn(row, 'reference'),
    weight: numberIn(row, 'weight'),
    version: versionIn(row),
    readAt: numberIn(row, 'read_at'),
    content,
  };
}

function wholeIn(row: SqliteRow): LoadedHome {
  const calendar = unpackCalendar(bytesIn(row, 'columns'));
  return stateIn(row, { home: homeIn(row), calendar, version: versionIn(row) });
}

function versionIn(row: SqliteRow): HomeVersion {
  return { listing: numberIn(row, 'listing_digest'), calendar: numberIn(row, 'calendar_digest') };
}
