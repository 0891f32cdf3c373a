import type { BrandId } from '../inventory/catalogue.ts';

/** What the owner has decided about brands, for all nodes and beyond a restart. */
export interface BrandControls {
  /** Of brands about which something was decided. */
  all(): Promise<readonly BrandControl[]>;
  setPaused(brand: BrandId, isPaused: boolean, at: number): Promise<void>;
  /** The node that leads the brand reads it again. */
  requestReading(brand: BrandId, at: number): Promise<void>;
}

export type BrandControl = {
  readonly brand: BrandId;
  /** Since when its homes are not on offer, in epoch milliseconds; null while they are. */
  readonly pausedAt: number | null;
  /** When a reading was last asked for, in epoch milliseconds; null when never. */
  readonly readingRequestedAt: number | null;
};
