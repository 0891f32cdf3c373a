import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { Network } from '../catalogue/catalogue.ts';

/** What a decision depends on besides the session. */
export type SearchFacts = {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly now: number;
};
