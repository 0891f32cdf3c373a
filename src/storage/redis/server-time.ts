import type { Clock } from '../../clock.ts';
import { askRegularly, type RegularlyAsked } from './ask-regularly.ts';
import type { RedisConnection } from './connection.ts';

/** The server's clock, which all nodes share, as a node reads it from its own elapsed time. */
export type ServerTime = {
  /** Whole milliseconds; undefined until the server was asked. */
  at(elapsed: number): number | undefined;
  stop(): void;
};

const ASK_EVERY_MS = 60_000;
/** Nodes that are apart by more read calendars that others take for too old, and end sessions too early. */
const MAX_SKEW_MS = 60_000;

/** In milliseconds, with a fraction. */
export async function serverNow(redis: Pick<RedisConnection, 'ask'>): Promise<number> {
  const [seconds, microseconds] = await redis.ask((client) => client.time());
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

export function watchServerTime(
  redis: RegularlyAsked,
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
  report: (warning: string) => void = () => {},
): ServerTime {
  let offset: number | undefined;
  let isWrong = false;
  const stop = askRegularly(redis, clock, ASK_EVERY_MS, async () => {
    const before = clock.elapsed();
    const now = await serverNow(redis);
    const middle = (before + clock.elapsed()) / 2;
    offset = now - middle;
    const skewMs = clock.now() - now;
    const wasWrong = isWrong;
    isWrong = Math.abs(skewMs) > MAX_SKEW_MS;
    if (isWrong && !wasWrong) {
      const seconds = Math.round(Math.abs(skewMs) / 1000);
      report(
        `The clock of this node is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of Redis. Set it right.`,
      );
    }
  });
  return {
    at: (elapsed) => (offset === undefined ? undefined : Math.floor(elapsed + offset)),
    stop,
  };
}
