import { csvFile } from './csv-files.ts';
import { MAX_WANTED_AMENITIES, QUESTION_FORMS } from './full-question.ts';
import { answerIn, type Cell, type Engine, type Peer, parametersOf } from './peer.ts';
import { peerPackage } from './peer-packages.ts';
import { columnsOf, TABLES } from './tables.ts';

type DuckDbApi = {
  readonly DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbInstance>;
  };
};
type DuckDbInstance = { connect(): Promise<DuckDbConnection>; closeSync(): void };
type DuckDbConnection = {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<DuckDbRows>;
  prepare(sql: string): Promise<DuckDbStatement>;
  closeSync(): void;
};
type DuckDbStatement = {
  bind(values: readonly number[]): void;
  runAndReadAll(): Promise<DuckDbRows>;
};
type DuckDbRows = { getRows(): Cell[][] };

/** In memory, in this process, with one thread as everybody else. */
export const duckDb: Engine = {
  name: 'DuckDB',
  async open(table, folder) {
    const api = peerPackage<DuckDbApi>('@duckdb/node-api');
    if (!api) return { missing: 'its package is not installed in bench/peers/' };
    const instance = await api.DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    for (const description of TABLES) {
      // Without keys: they slow down loading, and rows in order are found by the least and most of each block.
      await connection.run(`CREATE TABLE ${description.name} (${columnsOf(description)})`);
      await connection.run(`COPY ${description.name} FROM '${csvFile(folder, description.name)}'`);
    }
    const version = (await connection.runAndReadAll('SELECT version()')).getRows()[0]?.[0];
    const keys = table.amenityKeys.length;
    const peers = await Promise.all(
      QUESTION_FORMS.filter(({ fits, hasManySums }) => fits(keys) && !hasManySums).map(
        async ({ name, statement }): Promise<Peer> => {
          const statements: DuckDbStatement[] = [];
          for (let amenities = 0; amenities <= MAX_WANTED_AMENITIES; amenities += 1) {
            statements.push(await connection.prepare(statement(amenities, keys)));
          }
          return {
            engine: `DuckDB ${String(version).replace(/^v/, '')}`,
            form: name,
            isWholeInSql: true,
            async ask(question) {
              const prepared = statements[question.amenities.length] as DuckDbStatement;
              prepared.bind(parametersOf(question, table));
              return answerIn((await prepared.runAndReadAll()).getRows(), table);
            },
          };
        },
      ),
    );
    return {
      peers,
      async close() {
        connection.closeSync();
        instance.closeSync();
      },
    };
  },
};
