import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { replaceFile } from '../../parsing/replace-file.ts';
import type { Random } from '../../random.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { PostgresPool, PostgresQueries } from '../postgres/connection.ts';
import { migrate } from '../postgres/migrate.ts';
import { isTemporary, untilReachable } from './until-reachable.ts';

const SECRET_BYTES = 32;

/** A secret that all nodes share, made by the first of them that asks. It is never in Redis, so that what Redis holds tells nothing without it. */
async function clusterSecret(queries: PostgresQueries, name: string, random: Random): Promise<Uint8Array> {
  await queries.query('INSERT INTO cluster_secret (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    random.bytes(SECRET_BYTES),
  ]);
  const [row] = await queries.query<{ secret: Uint8Array }>(
    'SELECT secret FROM cluster_secret WHERE name = $1',
    [name],
  );
  if (!row) throw new Error('the secret of the cluster is gone');
  return row.secret;
}

export type PreparedPostgres = {
  /** Unreachable for everybody until its schema is one that this release works with. */
  readonly pool: PostgresPool;
  readonly secret: Uint8Array;
  stop(): void;
};

/**
 * Brings the schema up to date and reads the secret of the cluster. A node whose folder has all that it needs does not wait for a
 * PostgreSQL that is down: it starts without, and this is done once it answers.
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
  const kept = keptSecretIn(directory);
  const known = kept.read();
  const stopping = new AbortController();
  const stop = () => stopping.abort();

  async function prepare(): Promise<Uint8Array> {
    await migrate(pool);
    const secret = await clusterSecret(pool, 'openings', random);
    if (!isSame(secret, known)) kept.write(secret);
    return secret;
  }

  const waiting = { server: 'PostgreSQL', clock, report, signal: stopping.signal };
  if (!known || !hasCopy) return { pool, secret: await untilReachable(prepare, waiting), stop };
  try {
    return { pool, secret: await prepare(), stop };
  } catch (failure) {
    if (!isTemporary(failure)) throw failure;
    report(`${failure.message} The node starts with what its folder has.`);
  }

  let isPrepared = false;
  untilReachable(prepare, { ...waiting, report: () => {} }).then(
    (secret) => {
      isPrepared = true;
      if (!isSame(secret, known)) {
        report(
          'PostgreSQL is another one than this node knew. Start the node again, so that it shares its secret.',
        );
      }
    },
    (failure: unknown) => {
      if (!stopping.signal.aborted) report(`The node goes on without PostgreSQL: ${String(failure)}`);
    },
  );
  return { pool: reachableOnce(() => isPrepared, pool), secret: known, stop };
}

function isSame(secret: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(secret, other) === 0;
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

/** The secret of the cluster as this node knew it last, beside its copy of the inventory, so that it starts while PostgreSQL is down. */
type KeptSecret = {
  /** Undefined where there is none, or none that is whole. */
  read(): Uint8Array | undefined;
  write(secret: Uint8Array): void;
};

const FILE = 'cluster.secret';
const FILE_MODE = 0o600;

function keptSecretIn(directory: string): KeptSecret {
  const path = join(directory, FILE);
  return {
    read() {
      try {
        const secret = Buffer.from(readFileSync(path, 'utf8'), 'base64url');
        return secret.length === SECRET_BYTES ? secret : undefined;
      } catch {
        return undefined;
      }
    },
    write: (secret) => replaceFile(path, Buffer.from(secret).toString('base64url'), FILE_MODE),
  };
}
