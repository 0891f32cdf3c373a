import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

/** For so long a refusal outweighs the calendar, and is told to nodes that start. */
export const DECLINE_MEMORY_MS = 600_000;

/** An operator refused a stay that the index had offered. */
export type DeclinedStay = {
  readonly property: PropertyId;
  readonly stay: RequestedStay;
  readonly reason: UnavailableReason;
};

/** `ageMs` is how long ago it was told. */
export type OnDecline = (refused: DeclinedStay, ageMs: number) => void;

export type DeclineSubscription = {
  /** Resolves once all was taken that had been told before, or when that cannot be had for now. Never rejects. */
  readonly caughtUp: Promise<void>;
  stop(): Promise<void>;
};

/** Tells nodes what operators have refused on one of them, so that no other offers it. */
export interface DeclineChannel {
  /** Returns at once and never throws: a search does not wait for it, or fail with it. */
  tell(refused: DeclinedStay): void;
  /** What other nodes tell of these brands, and what they told in the last minutes before. None of them crowds out another. */
  hear(brands: readonly BrandId[], take: OnDecline): DeclineSubscription;
}
