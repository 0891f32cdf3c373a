import type { BookingOutcomes } from '../../analytics/bookings/booking-outcomes.ts';
import { mergeReport } from '../../analytics/bookings/booking-outcomes.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';

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

/** As databases do it, whatever the language of the machine. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function keyOf({ brand, reference }: Pick<BookingOutcome, 'brand' | 'reference'>): string {
  return JSON.stringify([brand, reference]);
}
