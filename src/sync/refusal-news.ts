import type { PropertyId } from '../inventory/catalogue.ts';
import type { RequestedStay } from '../inventory/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

/** For so long a refusal outweighs the calendar, and is told to nodes that start. */
export const REFUSAL_MEMORY_MS = 600_000;

/** An operator refused a stay that the index had offered. */
export type RefusedStayNews = {
  readonly property: PropertyId;
  readonly stay: RequestedStay;
  readonly reason: UnavailableReason;
};

/** Tells nodes what operators have refused on one of them, so that no other offers it. */
export interface RefusalNews {
  /** Returns at once and never throws: a search does not wait for it, or fail with it. */
  tell(refused: RefusedStayNews): void;
  /** What other nodes tell, and what they told in the last minutes before. `ageMs` is how long ago that was. */
  hear(take: (refused: RefusedStayNews, ageMs: number) => void): { stop(): Promise<void> };
}
