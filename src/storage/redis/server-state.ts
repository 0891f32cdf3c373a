import type { Clock } from '../../clock.ts';
import type { RedisConnection } from './connection.ts';

/** A node's knowledge of the server itself. */
export type ServerState = {
  /** The server's clock, which all nodes share, at an elapsed time of this node: whole milliseconds; undefined until the server has answered. */
  at(elapsed: number): number | undefined;
  /** Its memory limit; infinite where it has none or has not answered yet. */
  maxBytes(): number;
  /** Whether it refuses changes because the limit is reached. */
  isFull(): boolean;
  stop(): void;
};

const ASK_EVERY_MS = 5_000;
/** Redis counts its input buffers too, so it refuses changes slightly before its data reach the limit. */
const FULL_SHARE = 0.98;
/** Nodes that differ by more store calendars that others consider too old, and end sessions too early. */
const MAX_SKEW_MS = 60_000;

/** In milliseconds, with a fraction. */
export async function serverNow(redis: Pick<RedisConnection, 'ask'>): Promise<number> {
  const [seconds, microseconds] = await redis.ask((client) => client.time());
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

/** Asks the server for its time and memory after every connection and every few seconds. Warns when clocks differ and when it may evict sessions. */
export function watchServer(
  redis: Pick<RedisConnection, 'ask' | 'whenReady'>,
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>,
  report: (warning: string) => void = () => {},
): ServerState {
  let offset: number | undefined;
  let maxBytes = Number.POSITIVE_INFINITY;
  let isFull = false;
  const warned = new Map<string, string>();
  let isStopped = false;
  let cancel = () => {};

  /** Reports a warning once for each state; null is a state without one. */
  function warnOf(subject: string, state: string | null, warning: string): void {
    if (state !== null && state !== warned.get(subject)) report(warning);
    warned.set(subject, state ?? '');
  }

  async function askForTime(): Promise<void> {
    const before = clock.elapsed();
    const now = await serverNow(redis);
    offset = now - (before + clock.elapsed()) / 2;
    const skewMs = clock.now() - now;
    const [seconds, side] = [Math.round(Math.abs(skewMs) / 1000), skewMs > 0 ? 'ahead of' : 'behind'];
    const state = Math.abs(skewMs) > MAX_SKEW_MS ? side : null;
    warnOf('clock', state, `The clock of this node is ${seconds} s ${side} that of Redis. Set it right.`);
  }

  async function askForMemory(): Promise<void> {
    const memory = await redis.ask((client) => client.info('memory'));
    const read = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(memory)?.[1];
    // Zero or absent means no limit.
    maxBytes = Number(read('maxmemory')) || Number.POSITIVE_INFINITY;
    const policy = read('maxmemory_policy') ?? 'noeviction';
    const evicts = policy !== 'noeviction' && maxBytes !== Number.POSITIVE_INFINITY;
    isFull = !evicts && Number(read('used_memory')) >= maxBytes * FULL_SHARE;
    const warning = `Redis has the maxmemory-policy ${policy}: once it is full it forgets sessions that are in use. Set it to noeviction.`;
    warnOf('policy', evicts ? policy : null, warning);
  }

  async function ask(): Promise<void> {
    cancel();
    // A failure keeps the previous values; a server may refuse to report its configuration.
    await Promise.allSettled([askForTime(), askForMemory()]);
    cancel();
    if (!isStopped) cancel = clock.after(ASK_EVERY_MS, () => void ask());
  }

  const unsubscribe = redis.whenReady(() => void ask());
  return {
    at: (elapsed) => (offset === undefined ? undefined : Math.floor(elapsed + offset)),
    maxBytes: () => maxBytes,
    isFull: () => isFull,
    stop() {
      isStopped = true;
      unsubscribe();
      cancel();
    },
  };
}
