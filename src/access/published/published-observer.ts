import type { PublishedAddress } from './published-document.ts';

/** What happens to published documents, for the log and the metrics. */
export type PublishedObserver = {
  /** Came, or is still the same. */
  fetched(address: PublishedAddress, facts: FetchFacts): void;
  /** The last good copy stays in force. */
  failed(address: PublishedAddress, failure: string, detail: string): void;
  /** Its last good copy is not used any more. */
  tooOld(address: PublishedAddress, ageMs: number): void;
};

export type FetchFacts = {
  readonly hasChanged: boolean;
  readonly count: number;
  /** Entries that are of no use here. */
  readonly dropped: number;
};
