import type { Duplex } from 'node:stream';
import pg from 'pg';
import { type Clock, systemClock } from '../../clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: string;
  /** Contains all tables. Several networks can share a database. */
  readonly schema?: string;
  readonly maxConnections?: number;
  /** How long to wait for a connection: a new one, or one of the pool. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may take on the server; the wait for its answer is a little longer. */
  readonly statementTimeoutMs?: number;
  /** Called with the duration of each answered statement. */
  readonly onAnswered?: (seconds: number) => void;
  readonly clock?: Pick<Clock, 'elapsed' | 'after'>;
};

/** Statements on one connection. Names refer to the schema. Every failure of the server or connection is a `StorageFailure`. */
export type PostgresQueries = {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
};

/** A separate connection, for listening or for long statements. */
export type PostgresConnection = PostgresQueries & {
  onNotice(channel: string, onPayload: (payload: string) => void): Promise<void>;
  /** Resolves when the connection has ended, for any reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

export type PostgresPool = PostgresQueries & {
  readonly schema: string;
  /** Whether the last statement was answered. Nodes send one every few seconds. */
  isReachable(): boolean;
  /** Committed when the work resolves, rolled back when it rejects. */
  inTransaction<Value>(
    work: (transaction: PostgresQueries) => Promise<Value>,
    limits?: { readonly statementTimeoutMs: number },
  ): Promise<Value>;
  connect(): Promise<PostgresConnection>;
  /** Waits for statements under way, and refuses further ones. */
  close(): Promise<void>;
};

type ReleasableClient = pg.ClientBase & { release?(broken: boolean): void };

type Statement = {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  readonly answerTimeoutMs?: number | undefined;
  /** Return the client to the pool once the statement was answered. */
  readonly release?: boolean;
};

const DEFAULT_SCHEMA = 'staywire';
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,40}$/;
/** How much longer than the server's own limit to wait for an answer, so that usually the server cancels a slow statement. */
const ANSWER_GRACE_MS = 2_000;
/** A node that hangs in a transaction must not block the others, which wait for the locks of its rows. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Closing waits this long for statements under way, then breaks their connections. */
const MAX_CLOSING_MS = 3_000;
/** Small enough for a hundred nodes to fit into one server's few hundred connections. */
const MAX_CONNECTIONS = 8;

/** All stored integers fit into a JavaScript number. */
const INT8_OID = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)),
};

export function createPostgresPool({
  url,
  schema = DEFAULT_SCHEMA,
  maxConnections = MAX_CONNECTIONS,
  connectTimeoutMs = 3_000,
  statementTimeoutMs = 10_000,
  onAnswered = () => {},
  clock = systemClock,
}: PostgresOptions): PostgresPool {
  // The name becomes part of statements.
  if (!SCHEMA_NAME.test(schema)) throw new RangeError(`no name for a schema: ${schema}`);
  const config: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // Shown in pg_stat_activity.
    application_name: schema,
    options: `-c search_path=${schema}`,
    types,
  };
  const pool = new pg.Pool({ ...config, max: maxConnections, allowExitOnIdle: true });
  // Without a listener, the end of an idle connection would end the process. The pool drops it, and the next statement opens another.
  pool.on('error', () => {});
  const connected = new Set<pg.ClientBase>();
  pool.on('connect', (client) => {
    connected.add(client);
    client.on('error', () => {});
  });
  pool.on('remove', (client) => connected.delete(client));
  let closed: Promise<void> | undefined;
  let isReachable = true;

  /** A server that hangs must not delay the shutdown of a node. */
  async function endWithin(ending: Promise<void>, breakOff: () => void): Promise<void> {
    const cancel = clock.after(MAX_CLOSING_MS, breakOff);
    await ending.catch(() => {});
    cancel();
  }

  function failed(error: unknown): never {
    if (breaksConnection(error)) isReachable = false;
    throw asPostgresFailure(error);
  }

  async function take(): Promise<pg.PoolClient> {
    if (closed) throw new StorageFailure('closed', 'The store is closed.');
    return pool.connect().catch((error: unknown) => {
      // Also for a server that answers but accepts no connection: for this node it is unreachable.
      isReachable = false;
      return failed(error);
    });
  }

  async function run<Row extends object>(client: ReleasableClient, statement: Statement): Promise<Row[]> {
    const { text, values, answerTimeoutMs, release = false } = statement;
    const startedAt = clock.elapsed();
    try {
      const { rows } = await client.query<Row>({
        text,
        ...(values && { values: [...values] }),
        ...(answerTimeoutMs && { query_timeout: answerTimeoutMs }),
      });
      isReachable = true;
      onAnswered((clock.elapsed() - startedAt) / 1000);
      if (release) client.release?.(false);
      return rows;
    } catch (error) {
      if (release) client.release?.(breaksConnection(error));
      return failed(error);
    }
  }

  return {
    schema,
    isReachable: () => isReachable,

    async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      const client = await take();
      return run(client, { text, values, release: true });
    },

    async inTransaction(work, limits) {
      const client = await take();
      let broken = true;
      try {
        await run(client, { text: 'BEGIN' });
        if (limits) await run(client, { text: `SET LOCAL statement_timeout = ${limits.statementTimeoutMs}` });
        const answerTimeoutMs = limits && limits.statementTimeoutMs + ANSWER_GRACE_MS;
        const value = await work({
          query: (text, values) => run(client, { text, values, answerTimeoutMs }),
        });
        await run(client, { text: 'COMMIT' });
        broken = false;
        return value;
      } catch (failure) {
        broken = await run(client, { text: 'ROLLBACK' }).then(
          () => breaksConnection(failure),
          () => true,
        );
        throw failure;
      } finally {
        client.release(broken);
      }
    },

    async connect() {
      if (closed) throw new StorageFailure('closed', 'The store is closed.');
      const client = new pg.Client(config);
      const ended = new Promise<void>((resolve) => client.once('end', resolve));
      client.on('error', () => {});
      await client.connect().catch(failed);
      return {
        ended,
        query: (text, values) => run(client, { text, values }),
        async onNotice(channel, onPayload) {
          client.on('notification', (notice) => {
            if (notice.channel === channel) onPayload(notice.payload ?? '');
          });
          await run(client, { text: `LISTEN ${channel}` });
        },
        close: () => endWithin(client.end(), () => destroy(client)),
      };
    },

    close() {
      closed ??= endWithin(pool.end(), () => connected.forEach(destroy));
      return closed;
    },
  };
}

function destroy(client: pg.ClientBase): void {
  // pg has no other way to end a connection to a server that does not answer.
  const { connection } = client as unknown as { readonly connection?: { readonly stream?: Duplex } };
  connection?.stream?.destroy();
}

/** By prefix of PostgreSQL's error code; the first match counts. */
const KIND_OF_STATE: readonly (readonly [string, StorageFailureKind])[] = [
  ['53100', 'full'], // disk_full
  ['58030', 'input_output'], // io_error
  ['08', 'unreachable'], // connection_exception
  ['53', 'unreachable'], // insufficient_resources, such as too many connections
  ['57', 'unreachable'], // operator_intervention: shut down, starting up, cancelled after its time
  ['25P03', 'unreachable'], // idle_in_transaction_session_timeout
  ['25006', 'unreachable'], // read_only_sql_transaction: a standby that was not promoted yet
  ['40', 'busy'], // transaction_rollback: a deadlock, or changes at the same time
  ['55P03', 'busy'], // lock_not_available
  ['28', 'refused'], // invalid_authorization_specification: a wrong user or password
  ['3D', 'refused'], // invalid_catalog_name: there is no such database
  ['42501', 'refused'], // insufficient_privilege
  ['23', 'refused'], // integrity_constraint_violation
  ['XX', 'corrupt'], // internal_error, data_corrupted
];
/** Errors of pg itself have no code and no type, only these messages. */
const CONNECTION_LOST = /terminated|timeout|not queryable|Client was closed|connection/i;
const SYSTEM_CODE = /^E[A-Z]+$/;

/** Returns faults of the program itself, such as a wrong statement, unchanged. */
function asPostgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageFailure) return error;
  const kind = kindOf(error);
  return kind === undefined
    ? error
    : new StorageFailure(kind, `PostgreSQL: ${error.message}.`, { cause: error });
}

/** Whether the state of the connection is unknown, so that it must not be used again. */
function breaksConnection(error: unknown): boolean {
  const failure = asPostgresFailure(error);
  return failure instanceof StorageFailure && failure.kind === 'unreachable';
}

function kindOf(error: Error): StorageFailureKind | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (SYSTEM_CODE.test(code) && code.length !== 5) return 'unreachable';
  const known = KIND_OF_STATE.find(([state]) => code.startsWith(state));
  if (known) return known[1];
  if (code === '')
    return CONNECTION_LOST.test(error.message) || error instanceof AggregateError ? 'unreachable' : undefined;
  return 'errno' in error ? 'unreachable' : undefined;
}

/**
 * Deletes up to `$2` of the oldest rows before `$1`, and counts them. Skips rows that another node is deleting or changing. `$3` is the time of
 * the node: one whose clock is far ahead must not delete shared data.
 */
export const deleteOldFrom = (table: string, time: string) => `
  WITH old AS MATERIALIZED (
    SELECT ctid FROM ${table} WHERE ${time} < $1 AND $3::double precision < extract(epoch FROM statement_timestamp()) * 1000 + 3600000
    ORDER BY ${time} LIMIT $2 FOR UPDATE SKIP LOCKED
  ), deleted AS (
    DELETE FROM ${table} USING old WHERE ${table}.ctid = old.ctid RETURNING 1
  ) SELECT count(*)::integer AS rows FROM deleted`;
