import type { Clock } from '../../clock.ts';
import type { RedisConnection } from './connection.ts';

/** The server's clock, which all nodes share, as a node reads it from its own elapsed time. */
export type ServerTime = {
  /** Whole milliseconds; undefined until the server was asked. */
  at(elapsed: number): number | undefined;
  stop(): void;
};

const ASK_EVERY_MS = 60_000;

/** In milliseconds, with a fraction. */
export async function serverNow(redis: Pick<RedisConnection, 'ask'>): Promise<number> {
  const [seconds, microseconds] = await redis.ask((client) => client.time());
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

/** Asked after every connection, because another server may have another clock, and now and then, because clocks drift. */
export function watchServerTime(
  redis: Pick<RedisConnection, 'ask' | 'whenReady'>,
  clock: Pick<Clock, 'elapsed' | 'after'>,
): ServerTime {
  let offset: number | undefined;
  let isStopped = false;
  let cancel = () => {};

  async function measure(): Promise<void> {
    cancel();
    const before = clock.elapsed();
    try {
      const now = await serverNow(redis);
      const middle = (before + clock.elapsed()) / 2;
      offset = now - middle;
    } catch {
      // What was measured before is better than nothing, and the next connection measures anew.
    }
    cancel();
    if (!isStopped) cancel = clock.after(ASK_EVERY_MS, () => void measure());
  }

  const unsubscribe = redis.whenReady(() => void measure());
  return {
    at: (elapsed) => (offset === undefined ? undefined : Math.floor(elapsed + offset)),
    stop() {
      isStopped = true;
      unsubscribe();
      cancel();
    },
  };
}
