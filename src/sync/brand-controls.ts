import type { BrandId } from '../catalogue/catalogue.ts';
import type { ConfirmedLosses } from '../quotes/booking-system.ts';

/** What the owner has decided about brands, for all nodes and beyond a restart. */
export interface BrandControls {
  /** Of brands about which something was decided. */
  all(): Promise<readonly BrandControl[]>;
  setPaused(brand: BrandId, isPaused: boolean, at: number): Promise<void>;
  /** The node that leads the brand reads it again. */
  requestReading(brand: BrandId, at: number): Promise<void>;
  /** What the feeds of a home had lost until then is gone; of all homes of the brand by an empty reference. */
  confirmLosses(brand: BrandId, reference: string, at: number): Promise<void>;
}

/** Where nothing of it is kept. */
export const NOTHING_DECIDED: BrandControls = {
  all: async () => [],
  setPaused: cannotBeKept,
  requestReading: cannotBeKept,
  confirmLosses: cannotBeKept,
};

async function cannotBeKept(): Promise<never> {
  throw new Error('What is decided about brands cannot be kept here.');
}

export type BrandControl = {
  readonly brand: BrandId;
  /** Since when its homes are not on offer, in epoch milliseconds; null while they are. */
  readonly pausedAt: number | null;
  /** When a reading was last asked for, in epoch milliseconds; null when never. */
  readonly readingRequestedAt: number | null;
  readonly confirmedLosses: ConfirmedLosses;
};
