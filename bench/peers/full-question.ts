import { CHEAPEST } from '../index/ask.ts';
import { COUNT_ROW, TOTAL_ROW } from './peer.ts';
import { MAX_AMENITIES_IN_BITS } from './tables.ts';

/** A way to ask the full question in SQL that SQLite, PostgreSQL and DuckDB all understand. */
export type QuestionForm = {
  readonly name: string;
  /** One statement, so that a question is one call. `amenities` is how many are wanted, `keys` how many there are. */
  statement(amenities: number, keys: number): string;
  /** Whether it can tell so many amenities apart. */
  fits(keys: number): boolean;
  /** Whether it has dozens of sums, with which DuckDB takes three times as long as with rows. */
  readonly hasManySums: boolean;
};

/** Parameters: place, arrival, departure, nights, guests, and the wanted amenities. */
const FIRST_AMENITY = 6;

/** The home and the total of each match, from the rows of its arrival and its departure. */
export function matchedHomes(amenities: number): string {
  return `SELECT a.home AS home, d.price_before - a.price_before AS total
    FROM arrivals a JOIN arrivals d ON d.place = a.place AND d.home = a.home AND d.day = $3
    WHERE a.place = $1 AND a.day = $2 AND a.free_run >= $4 AND a.minimum_stay <= $4 AND a.maximum_stay >= $4
      AND a.max_guests >= $5 AND d.can_leave = 1 ${hasRows(amenities, 'a.home')}`;
}

/** The same from the nights themselves. */
function matchedNights(amenities: number): string {
  return `SELECT s.home AS home, s.total AS total
    FROM (SELECT home, sum(price) AS total FROM nights
      WHERE place = $1 AND day >= $2 AND day < $3 AND available = 1
        AND (day > $2 OR (can_arrive = 1 AND minimum_stay <= $4 AND maximum_stay >= $4))
      GROUP BY home HAVING count(*) = $4) s
    JOIN nights d ON d.place = $1 AND d.day = $3 AND d.home = s.home
    JOIN homes h ON h.home = s.home
    WHERE d.can_leave = 1 AND h.max_guests >= $5 ${hasRows(amenities, 's.home')}`;
}

/** With the amenities of a home as the bits of a number. */
function matchedBits(amenities: number): string {
  const wanted = parameters(amenities).map((parameter) => `AND (h.amenity_bits >> ${parameter}) & 1 = 1`);
  return `SELECT m.home AS home, m.total AS total, h.amenity_bits AS bits
    FROM (${matchedHomes(0)}) m JOIN homes h ON h.home = m.home WHERE true ${wanted.join(' ')}`;
}

// A cross join lets SQLite begin with the few matches instead of reading all amenities of all homes.
const COUNTED_ROWS = `SELECT * FROM (SELECT amenity, count(*) FROM matched CROSS JOIN home_amenities x
    WHERE x.home = matched.home GROUP BY amenity) AS counted`;

export const QUESTION_FORMS: readonly QuestionForm[] = [
  {
    name: 'precomputed rows, amenities as rows',
    statement: (amenities) => together(matchedHomes(amenities), COUNTED_ROWS),
    fits: () => true,
    hasManySums: false,
  },
  {
    name: 'precomputed rows, amenities as bits',
    statement(amenities, keys) {
      const all = Array.from({ length: keys }, (_, number) => number);
      const sums = all.map((number) => `sum((bits >> ${number}) & 1) AS s${number}`).join(', ');
      const rows = all.map((number) => `SELECT ${number}, s${number} FROM counted`).join(' UNION ALL ');
      return together(
        matchedBits(amenities),
        rows,
        `, counted AS MATERIALIZED (SELECT ${sums} FROM matched)`,
      );
    },
    fits: (keys) => keys > 0 && keys <= MAX_AMENITIES_IN_BITS,
    hasManySums: true,
  },
  {
    name: 'home × night',
    statement: (amenities) => together(matchedNights(amenities), COUNTED_ROWS),
    fits: () => true,
    hasManySums: false,
  },
];

function together(matched: string, counts: string, besides = ''): string {
  return `WITH matched AS MATERIALIZED (${matched})${besides}
    SELECT ${COUNT_ROW} AS about, count(*) AS value FROM matched
    UNION ALL SELECT * FROM (SELECT ${TOTAL_ROW}, total FROM matched ORDER BY total NULLS LAST LIMIT ${CHEAPEST}) AS cheapest
    UNION ALL ${counts}`;
}

function hasRows(amenities: number, home: string): string {
  return parameters(amenities)
    .map(
      (parameter) =>
        `AND EXISTS (SELECT 1 FROM home_amenities x WHERE x.home = ${home} AND x.amenity = ${parameter})`,
    )
    .join(' ');
}

function parameters(amenities: number): readonly string[] {
  return Array.from({ length: amenities }, (_, position) => `$${FIRST_AMENITY + position}`);
}

/** A statement for each number of amenities that a question can want. */
export const MAX_WANTED_AMENITIES = 2;
