import { after } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openRedis, type RedisConnection } from '../../src/storage/redis/connection.ts';
import { throwawayRedis } from './throwaway-redis.ts';

const server = await throwawayRedis();
let connection: Promise<RedisConnection> | undefined;

/** Why tests that need Redis are skipped; false where it is there. */
export const skippedWithoutRedis: string | false = 'missing' in server && server.missing;

/** One connection for the tests of a file, which keep apart by their prefixes. */
export function testRedis(): Promise<RedisConnection> {
  if ('missing' in server) throw new Error(server.missing);
  // A busy machine answers later than a service may wait.
  connection ??= openRedis({ url: server.url, deadlineMs: 30_000 });
  return connection;
}

/** When the connection has come back, without anybody's help. */
export async function untilItAnswers(redis: RedisConnection): Promise<void> {
  const answers = () => redis.ask((client) => client.ping()).catch(() => undefined);
  while ((await answers()) !== 'PONG') await wait(10);
}

after(async () => (await connection)?.close());
