import { type ClusterStorageOptions, openClusterStorage } from '../../src/storage/cluster/storage.ts';
import { createPostgresPool } from '../../src/storage/postgres/connection.ts';
import { openRedis } from '../../src/storage/redis/connection.ts';
import type { OpenStorage, ServerAddresses, Storage, StorageOptions } from '../../src/storage/storage.ts';
import { newPrefix } from './new-prefix.ts';
import { temporarySchema, throwawayPostgres } from './throwaway-postgres.ts';
import { throwawayRedis } from './throwaway-redis.ts';

const [postgres, redis] = [await throwawayPostgres(), await throwawayRedis()];

/** Why tests that need both servers are skipped; false where they are there. */
export const skippedWithoutServers: string | false =
  'missing' in postgres
    ? `NOT TESTED: the store of many nodes: ${postgres.missing}.`
    : 'missing' in redis && `NOT TESTED: the store of many nodes: ${redis.missing}.`;

export function clusterServers(): ServerAddresses {
  if ('missing' in postgres || 'missing' in redis) throw new Error(String(skippedWithoutServers));
  return { postgresUrl: postgres.url, redisUrl: redis.url };
}

/** A slow machine answers late; tests of hanging servers set deadlines of their own. */
const REDIS_DEADLINE_MS = 30_000;
const FORGET = `for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':*')) do redis.call('DEL', key) end`;

/** What several nodes share, apart from all other tests. */
export type SharedServers = {
  readonly prefix: string;
  readonly schema: string;
  open(options: StorageOptions & Partial<ClusterStorageOptions>): Promise<Storage>;
  /** After all nodes have closed their stores. */
  remove(): Promise<void>;
};

export function newSharedServers(): SharedServers {
  const [prefix, schema] = [newPrefix(), temporarySchema()];
  return {
    prefix,
    schema,
    open: (options) =>
      openClusterStorage({
        servers: clusterServers(),
        redisDeadlineMs: REDIS_DEADLINE_MS,
        prefix,
        schema,
        ...options,
      }),
    async remove() {
      const redis = await openRedis({ url: clusterServers().redisUrl });
      await redis.ask((client) => client.eval(FORGET, 0, prefix));
      await redis.close();
      const pool = createPostgresPool({ url: clusterServers().postgresUrl, schema });
      await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await pool.close();
    },
  };
}

/** One node alone, whose part of the servers is removed when it closes. */
export const openLonelyNode: OpenStorage = async (options) => {
  const shared = newSharedServers();
  const storage = await shared.open({ ...options, maxSkewMs: 0 });
  let closing: Promise<void> | undefined;
  return {
    ...storage,
    close() {
      closing ??= storage.close().then(() => shared.remove());
      return closing;
    },
  };
};
