import type { PublishedAddress } from './published-document.ts';

/** What happens to published documents, for the log and the metrics. */
export type PublishedObserver = {
  /** Lists that were shipped are used until their publishers have been asked. */
  snapshotsUsed(snapshots: readonly UsedSnapshot[]): void;
  /** Came, or is still the same. */
  fetched(address: PublishedAddress, facts: FetchFacts): void;
  failed(address: PublishedAddress, facts: FailureFacts): void;
  /** Its last good copy is not used any more, and could not be fetched again. */
  tooOld(address: PublishedAddress, ageMs: number): void;
};

export type UsedSnapshot = { readonly address: PublishedAddress; readonly ageMs: number };

export type FetchFacts = {
  readonly hasChanged: boolean;
  readonly count: number;
  /** Entries that are of no use here. */
  readonly dropped: number;
};

export type FailureFacts = {
  /** One of a few words, by which failures are counted. */
  readonly failure: string;
  /** For people. */
  readonly detail: string;
  /** What stays in force; null when there is nothing, or nothing that is young enough. */
  readonly used: { readonly source: 'fetch' | 'copy' | 'snapshot'; readonly ageMs: number } | null;
};
