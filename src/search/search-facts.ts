import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network } from '../inventory/catalogue.ts';

/** What a decision depends on besides the session. */
export type SearchFacts = {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly now: number;
};
