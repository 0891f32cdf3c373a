import type { BrandId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { DeclineChannel, OnDecline } from './decline-channel.ts';

/** Enough for thousands of refusals. A node whose server is away, or hangs, does without them. */
const MAX_WAIT_MS = 5000;

export type HeardRefusals = {
  /** Whether it knows what was refused before it began, or has waited long enough for that. */
  hasCaughtUp(): boolean;
  /** Resolves then, or when it is stopped. */
  untilCaughtUp(): Promise<void>;
  stop(): Promise<void>;
};

/** Hears what operators refuse on other nodes. Until it has caught up, a node would ask them again. */
export function followDeclines({
  news,
  brands,
  take,
  clock,
}: {
  readonly news: DeclineChannel;
  readonly brands: readonly BrandId[];
  readonly take: OnDecline;
  readonly clock: Pick<Clock, 'after'>;
}): HeardRefusals {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasCaughtUp = false;

  function caughtUp(): void {
    cancelWait();
    hasCaughtUp = true;
    resolve();
  }

  const cancelWait = clock.after(MAX_WAIT_MS, caughtUp);
  const hearing = news.hear(brands, take);
  void hearing.caughtUp.then(caughtUp);
  return {
    hasCaughtUp: () => hasCaughtUp,
    untilCaughtUp: () => promise,
    stop() {
      cancelWait();
      resolve();
      return hearing.stop();
    },
  };
}
