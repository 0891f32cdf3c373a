import type { BrandId } from '../catalogue/catalogue.ts';

/** Which node reads a brand from its operator: one at a time, of all that share a store. */
export interface BrandLeases {
  /**
   * Calls `lead` whenever this node may read the brand, and takes the brand to be its own until the promise settles. `signal` aborts when
   * it has to end: the lease was lost, another node is to have the brand, or the competition was stopped.
   */
  compete(brand: BrandId, lead: (signal: AbortSignal) => Promise<void>): CompetingNode;
}

export type CompetingNode = {
  /** Gives the brand up at once, so that another node need not wait for the end of the lease. */
  stop(): Promise<void>;
};
