import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import type { Clock } from '../clock.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

/** How long a decline outweighs the calendar, and reaches nodes that start. */
export const DECLINE_MEMORY_MS = 600_000;

/** An operator declined a stay that the index had offered. */
export type DeclinedStay = {
  readonly property: PropertyId;
  readonly stay: RequestedStay;
  readonly reason: UnavailableReason;
};

/** `ageMs` is how long ago it was published. */
export type OnDecline = (refused: DeclinedStay, ageMs: number) => void;

type DeclineSubscription = {
  /** Resolves once everything published before was taken, or when it cannot be read for now. Never rejects. */
  readonly caughtUp: Promise<void>;
  stop(): Promise<void>;
};

/** Carries declines from the node that an operator answered to the others, so that they stop offering the stay. */
export interface DeclineChannel {
  /** Returns immediately and never throws: a search neither waits for it nor fails with it. */
  publish(refused: DeclinedStay): void;
  /** Receives what other nodes publish about these brands, starting with the last minutes. Each brand has its own capacity. */
  subscribe(brands: readonly BrandId[], take: OnDecline): DeclineSubscription;
}

/** Enough for thousands of declines. A node whose server is unreachable or hangs starts without them. */
const MAX_WAIT_MS = 5000;

export type FollowedDeclines = ReturnType<typeof followDeclines>;

/** Follows the declines of other nodes. Until it has caught up, a node would offer the declined stays again. */
export function followDeclines({
  channel,
  brands,
  take,
  clock,
}: {
  readonly channel: DeclineChannel;
  readonly brands: readonly BrandId[];
  readonly take: OnDecline;
  readonly clock: Pick<Clock, 'after'>;
}) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasCaughtUp = false;

  function caughtUp(): void {
    cancelWait();
    hasCaughtUp = true;
    resolve();
  }

  const cancelWait = clock.after(MAX_WAIT_MS, caughtUp);
  const subscription = channel.subscribe(brands, take);
  void subscription.caughtUp.then(caughtUp);
  return {
    /** Whether it has received the declines from before it began, or the wait is over. */
    hasCaughtUp: () => hasCaughtUp,
    /** Resolves then, or when it is stopped. */
    untilCaughtUp: () => promise,
    stop() {
      cancelWait();
      resolve();
      return subscription.stop();
    },
  };
}
