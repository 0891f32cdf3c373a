import type { RedisConnection } from './connection.ts';

/** Tells the owner of a Redis that would throw sessions out when it is full, after each connection. Returns how to stop. */
export function warnOfEviction(
  redis: Pick<RedisConnection, 'ask' | 'whenReady'>,
  report: (warning: string) => void,
): () => void {
  return redis.whenReady(() => {
    redis
      .ask((client) => client.info('memory'))
      .then((memory) => {
        const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
        const isLimited = !/^maxmemory:0\s*$/m.test(memory);
        if (policy === 'noeviction' || !isLimited) return;
        report(
          `Redis has the maxmemory-policy ${policy}: once it is full it forgets sessions that are in use. Set it to noeviction.`,
        );
      })
      // A server that does not tell how it is set up, or is gone again.
      .catch(() => {});
  });
}
