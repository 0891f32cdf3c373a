import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { csvFile } from './csv-files.ts';
import { QUESTION_FORMS } from './full-question.ts';
import { answerIn, type Cell, type Engine, type Peer, parametersOf } from './peer.ts';
import { peerPackage } from './peer-packages.ts';
import { columnsOf, TABLES, type Table } from './tables.ts';

type PostgresClient = {
  connect(): Promise<void>;
  query(question: string | PreparedQuery): Promise<{ readonly rows: Cell[][] }>;
  end(): Promise<void>;
};
type PreparedQuery = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly number[];
  readonly rowMode: 'array';
};
type PostgresApi = { readonly Client: new (options: Readonly<Record<string, string>>) => PostgresClient };

const USER = 'bench';

/** Enough memory for all tables, and none of the care that a benchmark's data does not need. */
const SETTINGS = [
  "listen_addresses=''",
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'shared_buffers=2GB',
  'work_mem=256MB',
  'maintenance_work_mem=1GB',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'random_page_cost=1.1',
];

/** A server of its own on this machine, asked through its socket on one connection. */
export const postgres: Engine = {
  name: 'PostgreSQL',
  async open(table, folder) {
    const api = peerPackage<PostgresApi>('pg');
    if (!api) return { missing: 'its package is not installed in bench/peers/' };
    const home = join(folder, 'postgres');
    mkdirSync(home);
    // The server reads the files of the tables, and may be run by another account.
    chmodSync(folder, 0o755);
    const server = startPostgres({ folder: home, user: USER, settings: SETTINGS });
    if ('missing' in server) return server;
    const client = new api.Client({ host: server.folder, user: USER, database: 'postgres' });
    try {
      await client.connect();
      for (const description of TABLES) await load(client, description, folder);
      // Index-only scans need to know that every page is visible.
      await client.query('VACUUM (FREEZE, ANALYZE)');
      const { rows } = await client.query({ text: 'SHOW server_version', rowMode: 'array' });
      const version = /^\d+(\.\d+)*/.exec(String(rows[0]?.[0]))?.[0];
      const keys = table.amenityKeys.length;
      const peers = QUESTION_FORMS.filter(({ fits }) => fits(keys)).map(
        ({ name, statement }, position): Peer => ({
          engine: `PostgreSQL ${version}`,
          form: name,
          isWholeInSql: true,
          async ask(question) {
            const amenities = question.amenities.length;
            const answered = await client.query({
              // What has a name is prepared once.
              name: `form ${position}, ${amenities} amenities`,
              text: statement(amenities, keys),
              values: parametersOf(question, table),
              rowMode: 'array',
            });
            return answerIn(answered.rows, table);
          },
        }),
      );
      return {
        peers,
        async close() {
          await client.end();
          server.stop();
        },
      };
    } catch (error) {
      server.stop();
      throw error;
    }
  },
};

/** The key covers all columns, so that no question has to look into the table itself. */
async function load(client: PostgresClient, table: Table, folder: string): Promise<void> {
  const { name, columns, key } = table;
  await client.query(`CREATE UNLOGGED TABLE ${name} (${columnsOf(table)})`);
  await client.query(`COPY ${name} FROM '${csvFile(folder, name)}' (FORMAT csv)`);
  const others = Object.keys(columns).filter((column) => !key.includes(column));
  const covered = others.length > 0 ? ` INCLUDE (${others.join()})` : '';
  await client.query(`ALTER TABLE ${name} ADD PRIMARY KEY (${key.join()})${covered}`);
}
