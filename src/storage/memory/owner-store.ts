import type { OwnerSetting } from '../../access/owner-settings.ts';
import type { ActivityStore, CountQuestion, MostCounted } from '../../analytics/activity-store.ts';
import { type BookingOutcomes, mergeReport } from '../../analytics/bookings/booking-outcomes.ts';
import { startOfHour } from '../../analytics/count.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';
import type { BrandControl, BrandControls } from '../../sync/brand-controls.ts';
import { type CountRow, countedLabels, countRow } from '../count-rows.ts';
import type { OwnerStore } from '../storage.ts';

export function createMemoryOwnerStore(): OwnerStore {
  const settings = new Map<OwnerSetting, string>();
  return {
    activity: createMemoryActivityStore(),
    controls: createMemoryBrandControls(),
    outcomes: createMemoryBookingOutcomes(),
    owner: {
      get: async (name) => settings.get(name) ?? null,
      set: async (name, value) => void settings.set(name, value),
    },
  };
}

function createMemoryBrandControls(): BrandControls {
  const controls = new Map<string, BrandControl>();

  function decide(brand: string, decision: (known: BrandControl) => Partial<BrandControl>): void {
    const known = controls.get(brand) ?? {
      brand,
      pausedAt: null,
      readingRequestedAt: null,
      confirmedLosses: new Map(),
    };
    controls.set(brand, { ...known, ...decision(known) });
  }

  return {
    all: async () => [...controls.values()],
    async setPaused(brand, isPaused, at) {
      decide(brand, ({ pausedAt }) => ({ pausedAt: isPaused ? (pausedAt ?? at) : null }));
    },
    async requestReading(brand, at) {
      decide(brand, ({ readingRequestedAt }) => ({
        readingRequestedAt: Math.max(readingRequestedAt ?? at, at),
      }));
    },
    async confirmLosses(brand, reference, at) {
      decide(brand, ({ confirmedLosses }) => ({
        confirmedLosses: new Map([...confirmedLosses, [reference, at]]),
      }));
    },
  };
}

/** How long a batch can be sent again without being counted twice. */
const BATCH_LIFE_MS = 24 * 60 * 60 * 1000;

function createMemoryActivityStore(): ActivityStore {
  const counts = new Map<string, CountRow>();
  /** When each was sent, in order of arrival. */
  const batches = new Map<string, number>();

  function forgetBatchesBefore(at: number): void {
    for (const [id, sentAt] of batches) if (sentAt < at) batches.delete(id);
  }

  return {
    async add({ id, at, counts: added }) {
      if (batches.has(id)) return;
      forgetBatchesBefore(at - BATCH_LIFE_MS);
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

export function createMemoryBookingOutcomes(): BookingOutcomes {
  const outcomes = new Map<string, BookingOutcome>();
  const oldestFirst = () => [...outcomes.values()].sort(inOrder);

  return {
    async put(reported) {
      const before = outcomes.size;
      for (const outcome of reported) {
        outcomes.set(keyOf(outcome), mergeReport(outcomes.get(keyOf(outcome)), outcome));
      }
      return outcomes.size - before;
    },
    async read({ from, before, brand, after, limit }) {
      return oldestFirst()
        .filter(({ bookedAt }) => bookedAt >= from && bookedAt < before)
        .filter((outcome) => after === undefined || inOrder(outcome, after) > 0)
        .filter((outcome) => brand === undefined || outcome.brand === brand)
        .slice(0, limit);
    },
    async ofQuote({ nxq, brand }, limit) {
      return oldestFirst()
        .filter((outcome) => outcome.nxq === nxq && outcome.brand === brand)
        .reverse()
        .slice(0, limit);
    },
    async known(brand, references) {
      return references.filter((reference) => outcomes.has(keyOf({ brand, reference })));
    },
    async count(brand) {
      return oldestFirst().filter((outcome) => outcome.brand === brand).length;
    },
    async lastCollectedAt(brand) {
      const instants = oldestFirst().flatMap((one) =>
        one.brand === brand && one.collectedAt !== null ? [one.collectedAt] : [],
      );
      return instants.length === 0 ? null : Math.max(...instants);
    },
    async deleteBefore(bookedAt, limit) {
      const old = oldestFirst()
        .filter((outcome) => outcome.bookedAt < bookedAt)
        .slice(0, limit);
      for (const outcome of old) outcomes.delete(keyOf(outcome));
      return old.length;
    },
  };
}

type BookingPlace = Pick<BookingOutcome, 'bookedAt' | 'brand' | 'reference'>;

function inOrder(one: BookingPlace, other: BookingPlace): number {
  return (
    one.bookedAt - other.bookedAt ||
    compareTexts(one.brand, other.brand) ||
    compareTexts(one.reference, other.reference)
  );
}

/** Compares as databases do, independent of the machine's locale. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function keyOf({ brand, reference }: Pick<BookingOutcome, 'brand' | 'reference'>): string {
  return JSON.stringify([brand, reference]);
}
