import type { Clock } from '../../clock.ts';
import type { RedisConnection } from './connection.ts';

export type RegularlyAsked = Pick<RedisConnection, 'ask' | 'whenReady'>;

/** Asks after every connection, because another server may answer otherwise, and now and then. A failure leaves what was learned before. Returns how to stop. */
export function askRegularly(
  redis: Pick<RegularlyAsked, 'whenReady'>,
  clock: Pick<Clock, 'after'>,
  everyMs: number,
  ask: () => Promise<void>,
): () => void {
  let isStopped = false;
  let cancel = () => {};

  async function askOnce(): Promise<void> {
    cancel();
    await ask().catch(() => {});
    cancel();
    if (!isStopped) cancel = clock.after(everyMs, () => void askOnce());
  }

  const unsubscribe = redis.whenReady(() => void askOnce());
  return () => {
    isStopped = true;
    unsubscribe();
    cancel();
  };
}
