import { Redis } from 'ioredis';
import { createPostgresPool } from '../../src/storage/postgres/connection.ts';
import type { ServerAddresses } from '../../src/storage/storage.ts';
import { ownPostgres } from '../../test/support/throwaway-postgres.ts';
import { ownRedis } from '../../test/support/throwaway-redis.ts';
import { parentOf, processorTimeOf } from './process-times.ts';

/** Since the start of the servers. */
export type ServerReadings = {
  /** As Redis counts them: also those within scripts. */
  readonly redisCommands: number;
  readonly redisBytesIn: number;
  readonly redisBytesOut: number;
  readonly postgresTransactions: number;
  /** What PostgreSQL has written to its log, which is also what it sends to a replica. */
  readonly postgresLogBytes: number;
};

/** One PostgreSQL and one Redis on this machine, as an owner runs them: both write to the disk. */
export type StoreServers = {
  readonly addresses: ServerAddresses;
  /** In microseconds. */
  processorTimes(): { readonly redis: number; readonly postgres: number };
  readings(): Promise<ServerReadings>;
  /** Of all keys with their values, without the buffers of connections. */
  redisDataBytes(): Promise<number>;
  /** The first column of the first row. */
  askPostgres(statement: string): Promise<number>;
  close(): Promise<void>;
};

const REDIS_SETTINGS = { appendonly: 'yes', appendfsync: 'everysec' };
const POSTGRES_SETTINGS = ['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB'];

export async function startStoreServers(): Promise<StoreServers | { readonly missing: string }> {
  const redisServer = await ownRedis(REDIS_SETTINGS);
  if ('missing' in redisServer) return redisServer;
  const postgresServer = await ownPostgres(POSTGRES_SETTINGS);
  if ('missing' in postgresServer) {
    await redisServer.stop();
    return { missing: `PostgreSQL: ${postgresServer.missing}` };
  }
  const redis = new Redis(redisServer.url);
  const pool = createPostgresPool({ url: postgresServer.url, maxConnections: 1 });
  const info = async () => {
    const text = await redis.info();
    return (name: string) => Number(new RegExp(`^${name}:(.+)$`, 'm').exec(text)?.[1]);
  };
  const askPostgres = async (statement: string) => {
    const [row] = await pool.query<Record<string, unknown>>(statement);
    return Number(Object.values(row ?? {})[0]);
  };
  const redisProcess = (await info())('process_id');
  const postgresProcess = parentOf(await askPostgres('SELECT pg_backend_pid()'));

  return {
    addresses: { redisUrl: redisServer.url, postgresUrl: postgresServer.url },
    processorTimes: () => ({
      redis: processorTimeOf(redisProcess),
      postgres: processorTimeOf(postgresProcess),
    }),
    async readings() {
      const read = await info();
      return {
        redisCommands: read('total_commands_processed'),
        redisBytesIn: read('total_net_input_bytes'),
        redisBytesOut: read('total_net_output_bytes'),
        postgresTransactions: await askPostgres(
          'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()',
        ),
        postgresLogBytes: await askPostgres("SELECT pg_current_wal_lsn() - '0/0'"),
      };
    },
    async redisDataBytes() {
      let bytes = 0;
      for await (const keys of redis.scanStream({ count: 1000 })) {
        const pipeline = redis.pipeline();
        for (const key of keys as readonly string[]) pipeline.memory('USAGE', key, 'SAMPLES', 0);
        for (const [, usage] of (await pipeline.exec()) ?? []) bytes += Number(usage);
      }
      return bytes;
    },
    askPostgres,
    async close() {
      redis.disconnect();
      await pool.close();
      await redisServer.stop();
      postgresServer.stop();
    },
  };
}
