import type { Day } from '../../stay/day.ts';
import type { IndexedHome } from './availability-index.ts';
import type { BookableDays } from './bookable-days.ts';
import { maskOfDays } from './day-set.ts';
import type { City } from './place-tree.ts';

export type IndexEntry = {
  readonly row: number;
  readonly home: IndexedHome;
  readonly city: City;
  readonly bookable: BookableDays;
};

/**
 * The entries by row. What queries read of every entry is also kept in columns, because a scan over objects spends its
 * time waiting for memory.
 */
export type IndexColumns = Record<ColumnName, Int32Array> & {
  readonly entries: (IndexEntry | undefined)[];
  readonly freeRows: number[];
  /** The arrival days of all entries as words of 32 days, those of an entry from its `arrivalsOffset` on. */
  arrivalWords: Int32Array;
  arrivalWordsUsed: number;
};

type ColumnName = (typeof COLUMN_NAMES)[number];
const COLUMN_NAMES = [
  'maxGuests',
  'leadDays',
  'cityNumber',
  'timeZoneNumber',
  'lastArrival',
  'maxShortestStay',
  'firstDay',
  'arrivalsOffset',
  'arrivalsCapacity',
] as const;

export function createIndexColumns(): IndexColumns {
  const empty = () => new Int32Array(0);
  return {
    entries: [],
    freeRows: [],
    maxGuests: empty(),
    leadDays: empty(),
    cityNumber: empty(),
    timeZoneNumber: empty(),
    lastArrival: empty(),
    maxShortestStay: empty(),
    firstDay: empty(),
    arrivalsOffset: empty(),
    arrivalsCapacity: empty(),
    arrivalWords: empty(),
    arrivalWordsUsed: 0,
  };
}

/** Freed rows are reused together with their arrival words, so that the columns do not grow with every change of a catalogue. */
export function allocateRow(columns: IndexColumns): number {
  const row = columns.freeRows.pop() ?? columns.entries.push(undefined) - 1;
  for (const name of COLUMN_NAMES) columns[name] = withCapacity(columns[name], row + 1);
  return row;
}

export function freeRow(columns: IndexColumns, row: number): void {
  columns.entries[row] = undefined;
  columns.freeRows.push(row);
}

export function writeRow(columns: IndexColumns, entry: IndexEntry): void {
  const { row, home, city, bookable } = entry;
  const { words } = bookable.arrivals;
  columns.entries[row] = entry;
  columns.maxGuests[row] = home.maxGuests;
  columns.leadDays[row] = Math.max(0, home.leadDays);
  columns.cityNumber[row] = city.number;
  columns.timeZoneNumber[row] = city.timeZoneNumber;
  columns.lastArrival[row] = bookable.lastArrival;
  columns.maxShortestStay[row] = bookable.maxShortestStay;
  columns.firstDay[row] = bookable.firstDay;
  if (words.length > (columns.arrivalsCapacity[row] ?? 0)) {
    columns.arrivalsOffset[row] = columns.arrivalWordsUsed;
    columns.arrivalsCapacity[row] = words.length;
    columns.arrivalWordsUsed += words.length;
    columns.arrivalWords = withCapacity(columns.arrivalWords, columns.arrivalWordsUsed);
  }
  columns.arrivalWords.set(words, columns.arrivalsOffset[row]);
}

/** Whether any stay can start in `[from, until)`, however far ahead it would end. */
export function hasArrivalBetween(columns: IndexColumns, row: number, from: Day, until: Day): boolean {
  const last = columns.lastArrival[row] ?? 0;
  if (!(from < until && from <= last)) return false;
  if (last < until) return true;
  const firstDay = columns.firstDay[row] ?? 0;
  const earliest = Math.max(from, firstDay);
  const offset = (columns.arrivalsOffset[row] ?? 0) - (firstDay >> 5);
  for (let word = earliest >> 5; word <= (until - 1) >> 5; word++) {
    const days = columns.arrivalWords[offset + word] ?? 0;
    if ((days & maskOfDays(word, earliest, until - 1)) !== 0) return true;
  }
  return false;
}

function withCapacity(column: Int32Array, length: number): Int32Array {
  if (column.length >= length) return column;
  const larger = new Int32Array(length * 2);
  larger.set(column);
  return larger;
}
