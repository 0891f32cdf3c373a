import type { BookingOutcome } from '../../outcomes/booking.ts';
import type { BookingOutcomes } from '../../outcomes/booking-outcomes.ts';

export function createMemoryBookingOutcomes(): BookingOutcomes {
  const outcomes = new Map<string, BookingOutcome>();
  const oldestFirst = () => [...outcomes.values()].sort((one, other) => one.bookedAt - other.bookedAt);

  return {
    async put(reported) {
      const before = outcomes.size;
      for (const outcome of reported) outcomes.set(keyOf(outcome), { ...outcome });
      return outcomes.size - before;
    },
    async read({ from, before, brand, limit }) {
      return oldestFirst()
        .filter(({ bookedAt }) => bookedAt >= from && bookedAt < before)
        .filter((outcome) => brand === undefined || outcome.brand === brand)
        .slice(0, limit);
    },
    async ofQuote(nxq) {
      return oldestFirst().filter((outcome) => outcome.nxq === nxq);
    },
    async lastReportedAt(brand) {
      const instants = oldestFirst()
        .filter((outcome) => outcome.brand === brand)
        .map(({ reportedAt }) => reportedAt);
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

function keyOf({ brand, reference }: BookingOutcome): string {
  return JSON.stringify([brand, reference]);
}
