import type { BookingOutcomes } from '../../src/analytics/bookings/booking-outcomes.ts';
import { mergeReport } from '../../src/analytics/bookings/booking-outcomes.ts';
import type { BookingOutcome } from '../../src/quotes/booking.ts';
import { plainOutcomes } from './plain-activity.ts';

/** The port at its plainest, and what it holds. */
export function createOutcomesInMemory(): BookingOutcomes & { all(): readonly BookingOutcome[] } {
  const kept = new Map<string, BookingOutcome>();
  const keyOf = ({ brand, reference }: BookingOutcome) => `${brand} ${reference}`;
  return {
    all: () => [...kept.values()],
    async put(outcomes) {
      const before = kept.size;
      for (const outcome of outcomes)
        kept.set(keyOf(outcome), mergeReport(kept.get(keyOf(outcome)), outcome));
      return kept.size - before;
    },
    read: (question) => plainOutcomes([...kept.values()]).read(question),
    async ofQuote({ nxq, brand }, limit) {
      return [...kept.values()]
        .filter((one) => one.nxq === nxq && one.brand === brand)
        .sort((a, b) => b.bookedAt - a.bookedAt)
        .slice(0, limit);
    },
    async known(brand, references) {
      const own = [...kept.values()].filter((one) => one.brand === brand);
      const found = new Set(own.map(({ reference }) => reference));
      return references.filter((reference) => found.has(reference));
    },
    count: async (brand) => [...kept.values()].filter((one) => one.brand === brand).length,
    async lastCollectedAt(brand) {
      const own = [...kept.values()].filter((one) => one.brand === brand);
      return own
        .map(({ collectedAt }) => collectedAt)
        .reduce((one, other) => ((one ?? 0) > (other ?? 0) ? one : other), null);
    },
    async deleteBefore(bookedAt, limit) {
      const old = [...kept.values()].filter((one) => one.bookedAt < bookedAt).slice(0, limit);
      for (const outcome of old) kept.delete(keyOf(outcome));
      return old.length;
    },
  };
}
