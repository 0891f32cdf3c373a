import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { LoadedHome } from './inventory-store.ts';

/**
 * What other nodes have stored since this one loaded its homes, in the order in which it was stored. Each change is handed out after this
 * node's own listings have it, so that what can be found can be shown.
 */
export interface InventoryChanges {
  /**
   * Begins after what `InventoryStore.load` has handed out; to be called once it has. `take` is called for one change at a time and the
   * next one waits for it; a change may come twice.
   */
  follow(take: (change: InventoryChange) => Promise<void>): FollowedChanges;
}

export type InventoryChange = {
  readonly brand: BrandId;
  /** With a calendar, and in their latest state. `content` is never null. */
  readonly homes: readonly LoadedHome[];
  /** In no catalogue any more, or without a calendar. */
  readonly removed: readonly PropertyId[];
};

export type FollowedChanges = {
  /** Resolves once everything has been taken that was stored before the call; rejects when the store cannot be asked. */
  caughtUp(): Promise<void>;
  /** How long ago it was known that nothing was missed, in milliseconds; 0 where nobody else stores anything. */
  ageMs(): number;
  stop(): Promise<void>;
};
