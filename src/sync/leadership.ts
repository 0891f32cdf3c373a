import type { FollowedChanges } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../clock.ts';
import { untilAborted } from '../limits/deadline.ts';
import type { BrandLeases, CompetingNode } from './brand-leases.ts';

/** Until a store is asked again that could not be. */
const STORE_RETRY_MS = 1000;

/** Whether this node reads a brand from its operator, of all that share a store. */
export type Leadership = {
  compete(leases: BrandLeases, changes: Pick<FollowedChanges, 'caughtUp'>): void;
  /** From when the lease is given until it is lost, or given back after everything has ended. Also for whoever does not compete. */
  readonly mayStore: boolean;
  /** Also for whoever does not compete: it reads when it is asked to, whoever else does. */
  readonly mayRead: boolean;
  /** Aborts when the lead has to end; undefined while this node does not lead. */
  readonly signal: AbortSignal | undefined;
  stop(): Promise<void>;
};

export function createLeadership({
  brand,
  clock,
  stopping,
  begin,
  end,
  ended,
  onStoreFailure,
}: {
  readonly brand: BrandId;
  readonly clock: Pick<Clock, 'after'>;
  /** This node stops altogether. */
  readonly stopping: AbortSignal;
  /** Nothing that others have stored is missed any more. Calls `lead`, unless the signal has aborted by then. */
  readonly begin: (signal: AbortSignal, lead: () => void) => Promise<void>;
  /** The signal has aborted. Resolves once nothing is read or stored any more. */
  readonly end: () => Promise<void>;
  /** This node follows again. */
  readonly ended: () => void;
  readonly onStoreFailure: (error: unknown) => void;
}): Leadership {
  let competing: CompetingNode | undefined;
  let isAlone = true;
  let holdsLease = false;
  let leading: AbortSignal | undefined;

  async function lead(signal: AbortSignal, changes: Pick<FollowedChanges, 'caughtUp'>): Promise<void> {
    if (signal.aborted) return;
    holdsLease = true;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const giveUp = () => {
      // While this node stops, the lease is still its own: it stores how far it got.
      holdsLease = stopping.aborted;
      resolve();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await catchUp(changes, signal);
      await begin(signal, () => {
        leading = signal;
      });
      await aborted;
    } finally {
      // Also when it could not begin: the lease is another node's from then on, and nothing may be stored under it.
      await end();
      leading = undefined;
      holdsLease = false;
    }
    if (!stopping.aborted) ended();
  }

  async function catchUp(changes: Pick<FollowedChanges, 'caughtUp'>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await untilAborted(changes.caughtUp(), signal);
      } catch (error) {
        if (signal.aborted) return;
        onStoreFailure(error);
        await pauseFor(STORE_RETRY_MS, clock, signal);
      }
    }
  }

  return {
    compete(leases, changes) {
      isAlone = false;
      competing = leases.compete(brand, (signal) => lead(signal, changes));
    },
    get mayStore() {
      return isAlone || holdsLease;
    },
    get mayRead() {
      return isAlone || leading?.aborted === false;
    },
    get signal() {
      return leading;
    },
    stop: async () => competing?.stop(),
  };
}
