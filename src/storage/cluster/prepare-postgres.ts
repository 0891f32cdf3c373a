import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, pauseFor } from '../../clock.ts';
import { replaceFile } from '../../parsing/replace-file.ts';
import type { Random } from '../../random.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { PostgresPool, PostgresQueries } from '../postgres/connection.ts';
import { migrate } from '../postgres/migrate.ts';

type PreparedPostgres = {
  /** Counts as unreachable until its schema is one that this release works with. */
  readonly pool: PostgresPool;
  readonly secret: Uint8Array;
  stop(): void;
};

/**
 * Migrates the schema and reads the secret of the cluster. A node whose folder has a copy of everything it needs does not wait for a
 * PostgreSQL that is down: it starts without, and prepares it once it answers.
 */
export async function preparePostgres({
  pool,
  directory,
  hasCopy,
  random,
  clock,
  report,
}: {
  readonly pool: PostgresPool;
  readonly directory: string;
  /** Whether the folder has a copy of the inventory. */
  readonly hasCopy: boolean;
  readonly random: Random;
  readonly clock: Pick<Clock, 'after'>;
  readonly report: (warning: string) => void;
}): Promise<PreparedPostgres> {
  const known = storedSecretIn(directory);
  const stopping = new AbortController();
  const stop = () => stopping.abort();

  async function prepare(): Promise<Uint8Array> {
    await migrate(pool);
    const secret = await clusterSecret(pool, random);
    replaceFile(join(directory, SECRET_FILE), Buffer.from(secret).toString('base64url'), FILE_MODE);
    return secret;
  }

  const waiting = { clock, report, signal: stopping.signal };
  if (!known || !hasCopy) return { pool, secret: await untilReachable(prepare, waiting), stop };
  try {
    return { pool, secret: await prepare(), stop };
  } catch (failure) {
    if (!isTemporary(failure)) throw failure;
    report(`${failure.message} The node starts with what its folder has.`);
  }

  let isPrepared = false;
  untilReachable(prepare, { ...waiting, report: () => {} }).then(
    () => {
      isPrepared = true;
    },
    (failure: unknown) => {
      if (!stopping.signal.aborted) report(`The node goes on without PostgreSQL: ${String(failure)}`);
    },
  );
  return { pool: reachableOnce(() => isPrepared, pool), secret: known, stop };
}

const SECRET_BYTES = 32;

/** A secret that all nodes share, created by the first node that asks. Never stored in Redis, whose sealed contents are useless without it. */
async function clusterSecret(queries: PostgresQueries, random: Random): Promise<Uint8Array> {
  await queries.query(
    "INSERT INTO cluster_secret (name, secret) VALUES ('openings', $1) ON CONFLICT DO NOTHING",
    [random.bytes(SECRET_BYTES)],
  );
  const [row] = await queries.query<{ secret: Uint8Array }>(
    "SELECT secret FROM cluster_secret WHERE name = 'openings'",
  );
  if (!row) throw new Error('the secret of the cluster is gone');
  return row.secret;
}

function reachableOnce(isPrepared: () => boolean, pool: PostgresPool): PostgresPool {
  const prepared = async () => {
    if (!isPrepared())
      throw new StorageFailure('unreachable', 'PostgreSQL has not answered since the start.');
    return pool;
  };
  return {
    ...pool,
    isReachable: () => isPrepared() && pool.isReachable(),
    query: async (text, values) => (await prepared()).query(text, values),
    inTransaction: async (work, limits) => (await prepared()).inTransaction(work, limits),
    connect: async () => (await prepared()).connect(),
  };
}

const SECRET_FILE = 'cluster.secret';
const FILE_MODE = 0o600;

/**
 * This node's last known secret of the cluster, beside its copy of the inventory, so that it can start while PostgreSQL is down. Undefined when
 * there is none, or it is damaged.
 */
function storedSecretIn(directory: string): Uint8Array | undefined {
  try {
    const secret = Buffer.from(readFileSync(join(directory, SECRET_FILE), 'utf8'), 'base64url');
    return secret.length === SECRET_BYTES ? secret : undefined;
  } catch {
    return undefined;
  }
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5000;

/** Retries while the server is unreachable or busy: nodes and servers may start in any order. Other failures are for the owner. */
export async function untilReachable<Value>(
  work: () => Promise<Value>,
  {
    clock,
    report,
    signal,
  }: {
    readonly clock: Pick<Clock, 'after'>;
    readonly report: (warning: string) => void;
    /** Ends the wait. */
    readonly signal: AbortSignal;
  },
): Promise<Value> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
    try {
      return await work();
    } catch (failure) {
      if (!isTemporary(failure)) throw failure;
      report(`The start waits for PostgreSQL: ${failure.message}`);
      await pauseFor(pause, clock, signal);
      if (signal.aborted) throw failure;
    }
  }
}

function isTemporary(failure: unknown): failure is StorageFailure {
  return failure instanceof StorageFailure && (failure.kind === 'unreachable' || failure.kind === 'busy');
}
