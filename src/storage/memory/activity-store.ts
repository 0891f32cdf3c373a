import type { ActivityStore, CountQuestion, MostCounted } from '../../analytics/activity-store.ts';
import { startOfHour } from '../../analytics/count.ts';
import { type CountRow, countedLabels, countRow } from '../count-rows.ts';

/** How long a batch can be sent again without being counted twice. */
const BATCHES_KEPT_MS = 24 * 60 * 60 * 1000;

export function createMemoryActivityStore(): ActivityStore {
  const counts = new Map<string, CountRow>();
  /** When each was sent, the one that came first at the front. */
  const batches = new Map<string, number>();

  function forgetBatchesBefore(at: number): void {
    for (const [id, sentAt] of batches) if (sentAt < at) batches.delete(id);
  }

  return {
    async add({ id, at, counts: added }) {
      if (batches.has(id)) return;
      forgetBatchesBefore(at - BATCHES_KEPT_MS);
      batches.set(id, at);
      for (const count of added) addTo(counts, countRow(count));
    },

    async read(question) {
      const read = new Map<string, CountRow>();
      for (const row of counts.values()) {
        if (!isAskedFor(row, question)) continue;
        const [measure, hour, ...rest] = row;
        addTo(read, [measure, question.byHour ? hour : null, ...rest]);
      }
      return [...read.values()].map(countedLabels).filter(({ count, sum }) => count !== 0 || sum !== 0);
    },

    async mostCounted({ measure, atLeast, limit, ...question }) {
      const totals = new Map<string, number>();
      for (const row of counts.values()) {
        if (!isAskedFor(row, { ...question, measures: [measure] })) continue;
        totals.set(row[5], (totals.get(row[5]) ?? 0) + row[7]);
      }
      return mostOf(totals, atLeast, limit);
    },

    async span() {
      const hours = [...counts.values()].map(hourIn);
      return hours.length === 0 ? null : { from: Math.min(...hours), to: Math.max(...hours) };
    },

    async deleteBefore(hour, limit) {
      forgetBatchesBefore(startOfHour(hour));
      const old = [...counts]
        .filter(([, row]) => hourIn(row) < hour)
        .sort(([, one], [, other]) => hourIn(one) - hourIn(other))
        .slice(0, limit);
      for (const [key] of old) counts.delete(key);
      return old.length;
    },
  };
}

function mostOf(totals: ReadonlyMap<string, number>, atLeast: number, limit: number): MostCounted {
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

function addTo(counts: Map<string, CountRow>, row: CountRow): void {
  const [measure, hour, brand, assistant, place, facet, reason, count, sum] = row;
  const key = JSON.stringify([measure, hour, brand, assistant, place, facet, reason]);
  const known = counts.get(key);
  const sums = known ? [known[7] + count, known[8] + sum] : [count, sum];
  counts.set(key, [measure, hour, brand, assistant, place, facet, reason, sums[0] ?? 0, sums[1] ?? 0]);
}

function isAskedFor(row: CountRow, { measures, from, to, brand }: CountQuestion): boolean {
  const hour = hourIn(row);
  return measures.includes(row[0]) && hour >= from && hour <= to && (brand === undefined || row[2] === brand);
}

function hourIn(row: CountRow): number {
  return row[1] ?? 0;
}
