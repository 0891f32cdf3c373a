import { createMemoryBookingOutcomes } from '../../src/storage/memory/owner-store.ts';

/** Bookings in memory, and all that are stored. */
export function createOutcomesInMemory() {
  const outcomes = createMemoryBookingOutcomes();
  const [from, before] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { ...outcomes, all: () => outcomes.read({ from, before, limit: Number.MAX_SAFE_INTEGER }) };
}
