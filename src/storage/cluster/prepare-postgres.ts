import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { PostgresPool } from '../postgres/connection.ts';
import { migrate } from '../postgres/migrate.ts';
import { clusterSecret } from './cluster-secret.ts';
import { keptSecretIn } from './kept-secret.ts';
import { isTemporary, untilReachable } from './until-reachable.ts';

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
