import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CompleteCriteria } from '../../src/catalogue/stay-criteria.ts';
import { CHEAPEST, type FullAnswer } from '../index/ask.ts';
import { MAX_WANTED_AMENITIES, matchedHomes, QUESTION_FORMS } from './full-question.ts';
import { answerIn, type Cell, type Engine, type Peer, parametersOf } from './peer.ts';
import type { PlaceTable } from './place-table.ts';
import { columnsOf, TABLES } from './tables.ts';

type Rows = readonly (readonly Cell[])[];

/** In this process, with all of the database in its cache. */
export const sqlite: Engine = {
  name: 'SQLite',
  async open(table, folder) {
    const database = new DatabaseSync(join(folder, 'peer.sqlite'));
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -2000000; PRAGMA mmap_size = 4000000000`);
    load(database, table);
    const [version] = Object.values(database.prepare('SELECT sqlite_version()').get() ?? {});
    const engine = `SQLite ${version}`;
    const keys = table.amenityKeys.length;

    const inSql = QUESTION_FORMS.filter(({ fits }) => fits(keys)).map(({ name, statement }): Peer => {
      const rowsOf = prepare(database, table, (amenities) => statement(amenities, keys));
      return {
        engine,
        form: name,
        isWholeInSql: true,
        ask: (question) => answerIn(rowsOf(question), table),
      };
    });
    const matched = prepare(database, table, matchedHomes);
    const inJavaScript: Peer = {
      engine,
      form: 'rows handed to JavaScript',
      isWholeInSql: false,
      ask: (question) => sortAndCount(matched(question), table),
    };
    return {
      peers: [...inSql, inJavaScript],
      async close() {
        database.close();
      },
    };
  },
};

function load(database: DatabaseSync, table: PlaceTable): void {
  database.exec('BEGIN');
  for (const description of TABLES) {
    const { name, columns, key, rows } = description;
    database.exec(
      `CREATE TABLE ${name} (${columnsOf(description)}, PRIMARY KEY (${key.join()})) WITHOUT ROWID`,
    );
    const places = Object.keys(columns).map(() => '?');
    const insert = database.prepare(`INSERT INTO ${name} VALUES (${places.join()})`);
    for (const row of rows(table)) insert.run(...row);
  }
  database.exec('COMMIT; ANALYZE');
}

function prepare(
  database: DatabaseSync,
  table: PlaceTable,
  textFor: (amenities: number) => string,
): (question: CompleteCriteria) => Rows {
  const statements = Array.from({ length: MAX_WANTED_AMENITIES + 1 }, (_, amenities) => {
    const statement = database.prepare(textFor(amenities));
    statement.setReturnArrays(true);
    return statement;
  });
  return (question) => {
    const statement = statements[question.amenities.length] as StatementSync;
    const parameters = parametersOf(question, table).map((value, position) => [`$${position + 1}`, value]);
    return statement.all(Object.fromEntries(parameters)) as unknown as Rows;
  };
}

/** What the statement leaves to do: the cheapest of the matches, and their amenities. */
function sortAndCount(rows: Rows, { amenities, amenityKeys }: PlaceTable): FullAnswer {
  const counts = new Int32Array(amenityKeys.length);
  const totals: (number | null)[] = [];
  for (const [home, total] of rows) {
    totals.push(total as number | null);
    for (const amenity of amenities[home as number] ?? []) counts[amenity] = (counts[amenity] ?? 0) + 1;
  }
  totals.sort((one, other) => (one ?? Number.POSITIVE_INFINITY) - (other ?? Number.POSITIVE_INFINITY));
  const counted = amenityKeys.map((key, number) => [key, counts[number] ?? 0] as const);
  return {
    count: rows.length,
    totals: totals.slice(0, CHEAPEST),
    amenities: new Map(counted.filter(([, count]) => count > 0)),
  };
}
