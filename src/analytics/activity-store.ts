import type { Count, Labels, Measure } from './count.ts';

/** Stores counts by the hour. All nodes that share the store add to the same counts. */
export interface ActivityStore {
  /** Adds the whole batch or nothing. A batch that was added already is ignored, so a sender without an answer can repeat it. */
  add(batch: CountBatch): Promise<void>;
  /** Sums over the hours, or returns each hour with `byHour`. Omits counts that add up to zero. In no particular order. */
  read(question: CountQuestion): Promise<readonly CountedLabels[]>;
  /** For a measure whose facets callers invent: a page shows a few, so the rest are not read into memory. */
  mostCounted(question: MostCountedQuestion): Promise<MostCounted>;
  /** The first and the last hour with a count; null without any count. */
  span(): Promise<HourSpan | null>;
  /**
   * Deletes counts before that hour, the oldest first, and identifiers of batches too old to be repeated. Returns the number of deleted
   * counts, at most `limit`.
   */
  deleteBefore(hour: number, limit: number): Promise<number>;
}

export type CountBatch = {
  /** Unique to the batch. */
  readonly id: string;
  /** Epoch milliseconds, by the sender's clock. */
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
  /** Facets with a lower count are counted, not listed. */
  readonly atLeast: number;
  readonly limit: number;
};

/** By facet, summed over hours and all other labels, without counts that add up to zero. */
export type MostCounted = {
  /** The highest count first; equal counts by the bytes of their facet. */
  readonly facets: readonly { readonly facet: string; readonly count: number }[];
  /** The number of further facets that reached `atLeast`. */
  readonly beyondLimit: number;
  /** The number of facets that did not. */
  readonly fewer: number;
  /** The count without a facet. */
  readonly unnamed: number;
};

export const NOTHING_MOST_COUNTED: MostCounted = { facets: [], beyondLimit: 0, fewer: 0, unnamed: 0 };

export function mostCountedOf(
  totals: ReadonlyMap<string, number>,
  atLeast: number,
  limit: number,
): MostCounted {
  const named = [...totals]
    .filter(([facet, count]) => facet !== '' && count > 0)
    .map(([facet, count]) => ({ facet, count }))
    .sort(
      (one, other) =>
        other.count - one.count || Buffer.compare(Buffer.from(one.facet), Buffer.from(other.facet)),
    );
  const enough = named.filter(({ count }) => count >= atLeast);
  return {
    facets: enough.slice(0, limit),
    beyondLimit: Math.max(0, enough.length - limit),
    fewer: named.length - enough.length,
    unnamed: Math.max(0, totals.get('') ?? 0),
  };
}

export type CountedLabels = Labels & {
  readonly measure: Measure;
  /** Null where hours are summed. */
  readonly hour: number | null;
  readonly count: number;
  readonly sum: number;
};
