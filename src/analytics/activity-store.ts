import type { Count, Labels, Measure } from './count.ts';

/** Keeps counts by the hour. All nodes that share the store add to the same counts. */
export interface ActivityStore {
  /** Adds all of them or none. A batch that was added already is ignored, so one whose fate is not known can be sent again. */
  add(batch: CountBatch): Promise<void>;
  /** Summed over the hours, or for each hour where that is asked for. Counts that add up to zero are left out. In no particular order. */
  read(question: CountQuestion): Promise<readonly CountedLabels[]>;
  /** For a measure whose facets callers invent: a page shows a few of them, so not all are read into memory. */
  mostCounted(question: MostCountedQuestion): Promise<MostCounted>;
  /** The first and the last hour in which something was counted; null when nothing was. */
  span(): Promise<HourSpan | null>;
  /** Deletes counts of hours before that one, the oldest first, and batches that nobody sends again. Returns how many counts, at most `limit`. */
  deleteBefore(hour: number, limit: number): Promise<number>;
}

export type CountBatch = {
  /** Never used for two batches. */
  readonly id: string;
  /** Epoch milliseconds, by the clock of whoever sends it. */
  readonly at: number;
  readonly counts: readonly Count[];
};

/** Both inclusive. */
export type HourSpan = { readonly from: number; readonly to: number };

export type CountQuestion = HourSpan & {
  readonly measures: readonly Measure[];
  /** Only with this label. */
  readonly brand?: string;
  readonly byHour?: boolean;
};

export type MostCountedQuestion = HourSpan & {
  readonly measure: Measure;
  /** Only with this label. */
  readonly brand?: string;
  /** Facets with a lower count are only counted, not listed. */
  readonly atLeast: number;
  readonly limit: number;
};

/** By facet, summed over hours and all other labels. Counts that add up to zero are left out. */
export type MostCounted = {
  /** The highest count first; equal counts by the bytes of their facet. */
  readonly facets: readonly { readonly facet: string; readonly count: number }[];
  /** How many more facets reached `atLeast`. */
  readonly beyondLimit: number;
  /** How many facets did not. */
  readonly fewer: number;
  /** What was counted without a facet. */
  readonly unnamed: number;
};

export const NOTHING_MOST_COUNTED: MostCounted = { facets: [], beyondLimit: 0, fewer: 0, unnamed: 0 };

export type CountedLabels = Labels & {
  readonly measure: Measure;
  /** Null where hours are summed. */
  readonly hour: number | null;
  readonly count: number;
  readonly sum: number;
};
