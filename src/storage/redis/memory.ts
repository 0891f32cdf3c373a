import type { Clock } from '../../clock.ts';
import { askRegularly, type RegularlyAsked } from './ask-regularly.ts';

/** How much Redis may hold, by its own setting, and whether it refuses changes because it holds as much. */
export type RedisMemory = {
  /** Infinite where there is no limit, or Redis was never asked. */
  maxBytes(): number;
  isFull(): boolean;
  stop(): void;
};

const ASK_EVERY_MS = 5_000;
/** Redis refuses a change when what waits to be read, this change too, has no room either. */
const FULL_SHARE = 0.98;

/** Warns of a Redis that would throw sessions out when it is full. */
export function watchRedisMemory(
  redis: RegularlyAsked,
  clock: Pick<Clock, 'after'>,
  report: (warning: string) => void,
): RedisMemory {
  let maxBytes = Number.POSITIVE_INFINITY;
  let isFull = false;
  let warnedOf = '';

  const stop = askRegularly(redis, clock, ASK_EVERY_MS, async () => {
    const memory = await redis.ask((client) => client.info('memory'));
    const read = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(memory)?.[1];
    // Zero, or not said, is no limit.
    maxBytes = Number(read('maxmemory')) || Number.POSITIVE_INFINITY;
    const policy = read('maxmemory_policy') ?? 'noeviction';
    isFull = policy === 'noeviction' && Number(read('used_memory')) >= maxBytes * FULL_SHARE;
    if (policy === 'noeviction' || policy === warnedOf || maxBytes === Number.POSITIVE_INFINITY) return;
    warnedOf = policy;
    report(
      `Redis has the maxmemory-policy ${policy}: once it is full it forgets sessions that are in use. Set it to noeviction.`,
    );
  });
  return { maxBytes: () => maxBytes, isFull: () => isFull, stop };
}
