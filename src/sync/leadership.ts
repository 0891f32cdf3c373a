import type { FollowedChanges, InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../clock.ts';
import { untilAborted } from '../limits/deadline.ts';

/** Which node reads a brand from its operator: one at a time, of all that share a store. */
export interface BrandLeases {
  /**
   * Calls `lead` whenever this node obtains the lease, and holds the lease until the promise resolves or rejects. `signal` aborts when
   * leading has to end: the lease was lost, another node should lead, or `stop` was called.
   */
  compete(brand: BrandId, lead: (signal: AbortSignal) => Promise<void>): CompetingNode;
}

export type CompetingNode = {
  /** Releases the lease, so that another node need not wait for it to expire. */
  stop(): Promise<void>;
};

/** Pause before a failed request to the store is repeated. */
const STORE_RETRY_MS = 1000;

/** Whether this node reads a brand from its operator, of all that share a store. */
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
  /** Aborts when this node shuts down. */
  readonly stopping: AbortSignal;
  /** This node has every change that others stored. Calls `lead`, unless the signal has aborted by then. */
  readonly begin: (signal: AbortSignal, lead: () => void) => Promise<void>;
  /** The signal has aborted. Resolves once reading and storing have ended. */
  readonly end: () => Promise<void>;
  /** This node follows again. */
  readonly ended: () => void;
  readonly onStoreFailure: (error: unknown) => void;
}) {
  let competing: CompetingNode | undefined;
  let isAlone = true;
  let holdsLease = false;
  let leading: AbortSignal | undefined;

  async function lead(signal: AbortSignal, changes: Pick<FollowedChanges, 'caughtUp'>): Promise<void> {
    if (signal.aborted) return;
    holdsLease = true;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const giveUp = () => {
      // While this node shuts down it still holds the lease, and stores its progress.
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
      // Also when `begin` failed: from here on another node may hold the lease, so this one must not store.
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
    compete(leases: BrandLeases, changes: Pick<FollowedChanges, 'caughtUp'>): void {
      isAlone = false;
      competing = leases.compete(brand, (signal) => lead(signal, changes));
    },
    /** True from obtaining the lease until it is lost, or released after all reading has ended. Always true for a node that does not compete. */
    get mayStore() {
      return isAlone || holdsLease;
    },
    /** Always true for a node that does not compete: it reads on request, even if other nodes read too. */
    get mayRead() {
      return isAlone || leading?.aborted === false;
    },
    /** Aborts when leading has to end; undefined while this node does not lead. */
    get signal() {
      return leading;
    },
    stop: async () => competing?.stop(),
  };
}

/** The writes of a node that reads a brand. */
export type BrandWrites = Pick<InventoryStore, 'replaceCatalogue' | 'saveCalendars' | 'saveDocument'>;

/** Stores readings while this node may write. Drops later writes, because another node may have read something newer by then. */
export function createLeadingStore(store: BrandWrites, mayWrite: () => boolean): BrandWrites {
  const write = async (work: () => Promise<void>) => {
    if (mayWrite()) await work();
  };
  return {
    replaceCatalogue: (brand, properties) => write(() => store.replaceCatalogue(brand, properties)),
    saveCalendars: (calendars) => write(() => store.saveCalendars(calendars)),
    saveDocument: (name, document) => write(() => store.saveDocument(name, document)),
  };
}
