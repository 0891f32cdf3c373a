import type { CompleteCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { FullAnswer } from '../index/ask.ts';
import type { PlaceTable } from './place-table.ts';

/** A database with the homes of a place, asked in one way. */
export type Peer = {
  /** With its version. */
  readonly engine: string;
  readonly form: string;
  /** Whether the database itself sorts and counts. */
  readonly isWholeInSql: boolean;
  ask(question: CompleteCriteria): FullAnswer | Promise<FullAnswer>;
};

export type OpenEngine = {
  readonly peers: readonly Peer[];
  close(): Promise<void>;
};

/** Loads the place into a new database in the folder. */
export type Engine = {
  readonly name: string;
  open(table: PlaceTable, folder: string): Promise<OpenEngine | { readonly missing: string }>;
};

/** The parameters of a question, in the order in which the statements number them. */
export function parametersOf(
  { checkIn, checkOut, guests, amenities }: CompleteCriteria,
  { firstDay, amenityKeys }: PlaceTable,
): readonly number[] {
  return [
    THE_PLACE,
    checkIn - firstDay,
    checkOut - firstDay,
    checkOut - checkIn,
    guests,
    ...amenities.map((key) => amenityKeys.indexOf(key)),
  ];
}

/** The number of the only place that is loaded. */
export const THE_PLACE = 1;

/** What stands for the number of an amenity in rows that tell something else. */
export const COUNT_ROW = -1;
export const TOTAL_ROW = -2;

/** Some clients give large whole numbers as text or as a `bigint`. */
export type Cell = number | bigint | string | null;

/** From the rows of a full question: what a row is about, and its number. */
export function answerIn(
  rows: readonly (readonly Cell[])[],
  { amenityKeys }: Pick<PlaceTable, 'amenityKeys'>,
): FullAnswer {
  let count = 0;
  const totals: (number | null)[] = [];
  const amenities = new Map<string, number>();
  for (const [about, cell = null] of rows) {
    const subject = Number(about);
    const value = cell === null ? null : Number(cell);
    if (subject === COUNT_ROW) count = value ?? 0;
    else if (subject === TOTAL_ROW) totals.push(value);
    else if (value !== null && value > 0) amenities.set(amenityKeys[subject] ?? `${subject}`, value);
  }
  return { count, totals, amenities };
}
