import { THE_PLACE } from './peer.ts';
import type { PlaceTable } from './place-table.ts';

export type ColumnType = 'smallint' | 'integer' | 'bigint';

/** A table that every engine has, in its own dialect. */
export type Table = {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns by which rows are found; they come first and are unique together, and the rows are in their order. */
  readonly key: readonly string[];
  rows(table: PlaceTable): Iterable<readonly (number | bigint | null)[]>;
};

/** Computed for the question: a row for each place, day and home says all that is needed of an arrival or a departure. */
const ARRIVALS: Table = {
  name: 'arrivals',
  columns: {
    place: 'smallint',
    day: 'smallint',
    home: 'integer',
    free_run: 'smallint',
    minimum_stay: 'smallint',
    maximum_stay: 'smallint',
    max_guests: 'smallint',
    can_leave: 'smallint',
    price_before: 'integer',
  },
  key: ['place', 'day', 'home'],
  *rows({ homes, days, freeRun, minimumStay, maximumStay, maxGuests, canLeave, priceBefore }) {
    for (let at = 0; at < days * homes; at += 1) {
      const home = at % homes;
      yield [
        THE_PLACE,
        Math.floor(at / homes),
        home,
        freeRun[at] ?? 0,
        minimumStay[at] ?? 0,
        maximumStay[at] ?? 0,
        maxGuests[home] ?? 0,
        canLeave[at] ?? 0,
        orNull(priceBefore[at]),
      ];
    }
  },
};

/** The plain form: what an operator says of each night. */
const NIGHTS: Table = {
  name: 'nights',
  columns: {
    place: 'smallint',
    day: 'smallint',
    home: 'integer',
    available: 'smallint',
    can_arrive: 'smallint',
    minimum_stay: 'smallint',
    maximum_stay: 'smallint',
    can_leave: 'smallint',
    price: 'integer',
  },
  key: ['place', 'day', 'home'],
  *rows({ homes, days, available, freeRun, minimumStay, maximumStay, canLeave, price }) {
    for (let at = 0; at < days * homes; at += 1) {
      yield [
        THE_PLACE,
        Math.floor(at / homes),
        at % homes,
        available[at] ?? 0,
        freeRun[at] === 0 ? 0 : 1,
        minimumStay[at] ?? 0,
        maximumStay[at] ?? 0,
        canLeave[at] ?? 0,
        orNull(price[at]),
      ];
    }
  },
};

const HOMES: Table = {
  name: 'homes',
  columns: { home: 'integer', max_guests: 'smallint', amenity_bits: 'bigint' },
  key: ['home'],
  *rows({ amenities, maxGuests }) {
    for (const [home, numbers] of amenities.entries()) yield [home, maxGuests[home] ?? 0, bitsOf(numbers)];
  },
};

const HOME_AMENITIES: Table = {
  name: 'home_amenities',
  columns: { home: 'integer', amenity: 'smallint' },
  key: ['home', 'amenity'],
  *rows({ amenities }) {
    for (const [home, numbers] of amenities.entries()) {
      for (const amenity of numbers.toSorted((one, other) => one - other)) yield [home, amenity];
    }
  },
};

export const TABLES: readonly Table[] = [ARRIVALS, NIGHTS, HOMES, HOME_AMENITIES];

export const MAX_AMENITIES_IN_BITS = 64;

function bitsOf(numbers: readonly number[]): bigint {
  return BigInt.asIntN(
    MAX_AMENITIES_IN_BITS,
    numbers
      .filter((number) => number < MAX_AMENITIES_IN_BITS)
      .reduce((bits, number) => bits | (1n << BigInt(number)), 0n),
  );
}

function orNull(value: number | undefined): number | null {
  return value === undefined || value < 0 ? null : value;
}

/** What all three dialects understand, up to the key. */
export function columnsOf({ columns }: Table): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
}
