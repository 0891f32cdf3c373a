import { createNoncesInMemory } from '../../access/web-bot-auth/used-nonces.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { type Random, systemRandom } from '../../random.ts';
import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { SessionStore } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createPostgresBrandLeases, type LeaseTimes } from '../postgres/brand-leases.ts';
import { createPostgresPool } from '../postgres/connection.ts';
import { openPostgresInventory } from '../postgres/inventory-store.ts';
import { createPostgresOwnerStore } from '../postgres/owner-store.ts';
import { createPostgresLedgerWriter, createPostgresQuoteLedger } from '../postgres/quote-ledger.ts';
import { openRedis } from '../redis/connection.ts';
import { createRedisDeclineChannel } from '../redis/decline-channel.ts';
import { createRedisOpenings } from '../redis/openings.ts';
import { createRedisOperatorLimits } from '../redis/operator-limits.ts';
import { createRedisRateWindows, createRedisSearchPlaces } from '../redis/rate-windows.ts';
import { type ServerState, watchServer } from '../redis/server-state.ts';
import { createRedisSessionStore } from '../redis/session-store.ts';
import { createRedisUsedNonces } from '../redis/used-nonces.ts';
import { fileBytesIn, freeBytesAt, lockDirectory, prepareDirectory } from '../sqlite/data-directory.ts';
import { type CreateInventoryWriter, openSqliteInventory } from '../sqlite/inventory-store.ts';
import { createSnapshotFile } from '../sqlite/snapshot-file.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { openLedgerOutbox } from './ledger-outbox.ts';
import { preparePostgres } from './prepare-postgres.ts';

export type ClusterStorageOptions = StorageOptions & {
  /** Prefix of all keys in Redis. With `schema`, which contains all tables, it separates tests from each other. */
  readonly prefix?: string;
  readonly schema?: string;
  readonly leaseTimes?: LeaseTimes;
  /** How far the clocks of nodes may differ without one deleting data that is live for another. */
  readonly maxSkewMs?: number;
  /** In place of Redis' own clock, for tests. */
  readonly serverTime?: Pick<ServerState, 'at'>;
  /** Tests replace it to avoid the thread. */
  readonly createInventoryWriter?: CreateInventoryWriter;
  /** How long a command waits for Redis. */
  readonly redisDeadlineMs?: number;
  /** Limit of the quotes that wait for the ledger; more are refused. */
  readonly maxOutboxBytes?: number;
  readonly clock?: Clock;
  readonly random?: Random;
};

const PREFIX = 'staywire';
const MAX_SKEW_MS = 60_000;

/**
 * The store of any number of nodes: PostgreSQL has the durable data, Redis the short-lived. The folder of a node has a copy of the inventory,
 * which its searches use, and the quotes on their way to the ledger.
 */
export async function openClusterStorage({
  directory,
  rateRule,
  servers,
  prefix = PREFIX,
  schema,
  leaseTimes,
  maxSkewMs = MAX_SKEW_MS,
  serverTime: givenTime,
  createInventoryWriter,
  redisDeadlineMs,
  maxOutboxBytes,
  clock = systemClock,
  random = systemRandom,
  report = () => {},
  onCommand,
}: ClusterStorageOptions): Promise<Storage> {
  if (!servers) {
    const missing = 'The store of several nodes needs STAYWIRE_POSTGRES_URL and STAYWIRE_REDIS_URL.';
    throw new StorageFailure('refused', missing);
  }
  const { postgresUrl, redisUrl } = servers;
  /** Different for each process, so that a killed one is not mistaken for its successor. */
  const node = random.bytes(12).toString('hex');
  prepareDirectory(directory);
  const closings: (() => void | Promise<void>)[] = [lockDirectory(directory)];
  const closeAll = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };

  try {
    const copy = openSqliteInventory({ directory, report, createInventoryWriter });
    closings.push(() => copy.close());
    const connections = createPostgresPool({
      url: postgresUrl,
      ...(schema === undefined ? {} : { schema }),
      ...(onCommand && { onAnswered: (seconds) => onCommand('postgres', seconds) }),
    });
    closings.push(() => connections.close());
    const hasCopy = copy.replica.position() !== undefined;
    const prepared = await preparePostgres({
      pool: connections,
      ...{ directory, hasCopy, random, clock, report },
    });
    closings.push(() => prepared.stop());
    const { pool, secret } = prepared;
    const redis = await openRedis({
      url: redisUrl,
      report,
      ...(redisDeadlineMs !== undefined && { deadlineMs: redisDeadlineMs }),
      ...(onCommand && { onAnswered: (seconds) => onCommand('redis', seconds) }),
    });
    closings.push(() => redis.close());
    const server = watchServer(redis, clock, report);
    closings.push(() => server.stop());
    const serverFault = () => {
      if (!redis.isReachable()) return redis.wasReached() ? 'unreachable' : 'never_reached';
      return server.isFull() ? 'full' : null;
    };

    const inventory = openPostgresInventory({
      ...{ pool, copy, node, clock, report },
    });
    closings.push(() => inventory.close());
    const outbox = await openLedgerOutbox({
      directory,
      writer: createPostgresLedgerWriter(pool),
      ...{ clock, report, maxBytes: maxOutboxBytes },
    });
    closings.push(() => outbox.close());
    let isClosed = false;
    const redisSessions = createRedisSessionStore({
      ...{ redis, prefix, node, ledger: outbox, maxSkewMs },
      maxBytes: server.maxBytes,
    });
    const ledger = createPostgresQuoteLedger({
      queries: pool,
      async flushed() {
        if (isClosed) throw new StorageFailure('closed', 'The session store is closed.');
        await outbox.flushed();
      },
    });
    const sessions: SessionStore & QuoteLedger = {
      ...redisSessions,
      ...ledger,
      close() {
        isClosed = true;
        return redisSessions.close();
      },
    };
    closings.push(() => sessions.close());
    const leases = createPostgresBrandLeases({
      ...{ pool, node, clock, report },
      ...(leaseTimes && { times: leaseTimes }),
    });

    const sharedLimits = {
      ...{ redis, prefix, random },
      ...(givenTime && { now: () => givenTime.at(clock.elapsed()) ?? 0 }),
    };

    return {
      sessions,
      ...createPostgresOwnerStore(pool, clock),
      inventory: inventory.store,
      rateWindows: createRedisRateWindows({
        redis,
        prefix,
        rule: rateRule,
        serverTime: givenTime ?? server,
      }),
      openings: createRedisOpenings({ redis, prefix, key: secret, random, clock }),
      changes: inventory.changes,
      leases,
      declineChannel: createRedisDeclineChannel({ redis, url: redisUrl, prefix, node, clock }),
      operatorLimits: createRedisOperatorLimits(sharedLimits),
      searchPlaces: createRedisSearchPlaces(sharedLimits),
      usedNonces: createRedisUsedNonces({ redis, prefix, ofThisNode: createNoncesInMemory(clock) }),
      snapshot: createSnapshotFile(directory, () => freeBytesAt(directory)),
      waiting: () => outbox.waiting() + copy.waiting(),
      writeFault: () => serverFault() ?? outbox.writeFault(),
      checkWrites: async () => serverFault() ?? outbox.checkWrites(),
      bytes: () => fileBytesIn(directory),
      readings: {
        storeServers: () => ({ redis: redis.isReachable(), postgres: pool.isReachable() }),
        ledgerQueue: () => outbox.waiting(),
        ledgerQueueBytes: () => outbox.waitingBytes(),
        liveNodes: () => leases.liveNodes(),
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
