import { createMemoryOwnerStore } from '../../src/storage/memory/storage.ts';

/** Bookings in memory, and all that are stored. */
export function createOutcomesInMemory() {
  const { outcomes } = createMemoryOwnerStore();
  const [from, before] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { ...outcomes, all: () => outcomes.read({ from, before, limit: Number.MAX_SAFE_INTEGER }) };
}
