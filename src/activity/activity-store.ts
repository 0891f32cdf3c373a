import type { Count, Labels } from './count.ts';
import type { Measure } from './measures.ts';

/** Keeps counts by the hour. Every node that shares the store adds to the same. */
export interface ActivityStore {
  /** Adds all of them or none. A batch that was added already is left out, so one whose fate is not known can be sent again. */
  add(batch: CountBatch): Promise<void>;
  /** Summed over the hours, or for each hour where that is asked for. What came to nothing is left out. In no certain order. */
  read(question: CountQuestion): Promise<readonly CountedLabels[]>;
  /** For a measure whose facets callers make up: a page shows few of them, and nobody has to hold all. */
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
  /** Facets of which less was counted are only numbered. */
  readonly atLeast: number;
  readonly limit: number;
};

/** By facet, summed over hours and all other labels. What came to nothing is left out. */
export type MostCounted = {
  /** The most first; of those alike, by the bytes of their text. */
  readonly facets: readonly { readonly facet: string; readonly count: number }[];
  /** How many more came to as much as was asked for. */
  readonly besides: number;
  /** How many came to less. */
  readonly fewer: number;
  /** What was counted without a facet. */
  readonly unnamed: number;
};

export const NOTHING_MOST_COUNTED: MostCounted = { facets: [], besides: 0, fewer: 0, unnamed: 0 };

export type CountedLabels = Labels & {
  readonly measure: Measure;
  /** Null where hours are summed. */
  readonly hour: number | null;
  readonly count: number;
  readonly sum: number;
};
