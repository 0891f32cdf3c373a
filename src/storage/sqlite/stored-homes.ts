import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { HomeState, LoadedHome } from '../../availability/inventory-store.ts';
import type { PropertyId } from '../../catalogue/catalogue.ts';
import { asNumber, asText, bytesIn, numberIn, type SqliteRow, textIn } from './columns.ts';
import { homeIn } from './home-columns.ts';
import { unpackCalendar } from './packed-calendar.ts';
import { withStorageFailures } from './sqlite-failure.ts';

/** Of those whose calendar is known, a turn of the event loop takes more. */
const READ_A_TURN = 512;
const CALENDARS_A_TURN = 32;

const WHOLE_HOME = `number, id, brand, reference, weight, property.digest AS listing_digest,
  calendar.digest AS calendar_digest, read_at, place, currency, max_guests, lead_days, amenities, columns`;

/** What tells the state of a home, without the names of the columns: a start reads all of these, and arrays take half the time of objects. */
type StateRow = readonly SQLOutputValue[];
/** Among the few that are handed out together. */
type UnknownHome = { readonly position: number; readonly number: number };

/** Every home with a calendar, a few at a time; each few were read at once. */
export function storedHomesIn(
  database: DatabaseSync,
): (isKnown: (home: HomeState) => boolean) => Iterator<readonly LoadedHome[], undefined> {
  // In the order of both tables, so that no page is read twice, and by the index, so that no calendar is.
  const statesAfter = database.prepare(
    `SELECT number, id, brand, reference, weight, property.digest, calendar.digest, read_at
     FROM calendar INDEXED BY calendar_state CROSS JOIN property ON number = calendar.property
     WHERE calendar.property > ? ORDER BY calendar.property LIMIT ${READ_A_TURN}`,
  );
  statesAfter.setReturnArrays(true);
  // One JSON array instead of one statement for each home.
  const wholeHomes = database.prepare(
    `SELECT ${WHOLE_HOME} FROM property JOIN calendar ON calendar.property = number
     WHERE number IN (SELECT value FROM json_each(?))`,
  );

  function stateRowsAfter(number: number): readonly StateRow[] {
    const rows: unknown = withStorageFailures(() => statesAfter.all(number));
    return rows as readonly StateRow[];
  }

  /** Adds the content of those that are unknown. One may have gone meanwhile, or have been read again. */
  function complete(few: LoadedHome[], unknown: readonly UnknownHome[]): readonly LoadedHome[] {
    if (unknown.length === 0) return few;
    const numbers = JSON.stringify(unknown.map(({ number }) => number));
    const rows = withStorageFailures(() => wholeHomes.all(numbers));
    const rowOf = new Map(rows.map((row) => [numberIn(row, 'number'), row]));
    for (const { position, number } of unknown.toReversed()) {
      const row = rowOf.get(number);
      if (row) few[position] = wholeIn(row);
      else few.splice(position, 1);
    }
    return few;
  }

  return function* (isKnown) {
    for (let after = 0; ; ) {
      const rows = stateRowsAfter(after);
      let few: LoadedHome[] = [];
      let unknown: UnknownHome[] = [];
      for (const row of rows) {
        const state = stateIn(row);
        after = asNumber(row[0], 'number');
        if (!isKnown(state)) unknown.push({ position: few.length, number: after });
        few.push(state);
        if (unknown.length < CALENDARS_A_TURN) continue;
        yield complete(few, unknown);
        [few, unknown] = [[], []];
      }
      if (few.length > 0) yield complete(few, unknown);
      if (rows.length < READ_A_TURN) return undefined;
    }
  };
}

/** The homes with these ids that have a calendar, all of them at once. */
export function storedHomesByIdIn(
  database: DatabaseSync,
): (ids: readonly PropertyId[]) => readonly LoadedHome[] {
  const wholeHomes = database.prepare(
    `SELECT ${WHOLE_HOME} FROM property JOIN calendar ON calendar.property = number
     WHERE id IN (SELECT value FROM json_each(?))`,
  );
  return (ids) => withStorageFailures(() => wholeHomes.all(JSON.stringify(ids))).map(wholeIn);
}

function stateIn(row: StateRow): LoadedHome {
  return {
    id: asText(row[1], 'id'),
    brand: asText(row[2], 'brand'),
    reference: asText(row[3], 'reference'),
    weight: asNumber(row[4], 'weight'),
    version: {
      listing: asNumber(row[5], 'listing_digest'),
      calendar: asNumber(row[6], 'calendar_digest'),
    },
    readAt: asNumber(row[7], 'read_at'),
    content: null,
  };
}

function wholeIn(row: SqliteRow): LoadedHome {
  const home = homeIn(row);
  const calendar = unpackCalendar(bytesIn(row, 'columns'));
  const version = { listing: numberIn(row, 'listing_digest'), calendar: numberIn(row, 'calendar_digest') };
  return {
    id: home.id,
    brand: home.brand,
    reference: textIn(row, 'reference'),
    weight: numberIn(row, 'weight'),
    version,
    readAt: numberIn(row, 'read_at'),
    content: { home, calendar, version },
  };
}
