import { createMemory, restoreArena } from '../../src/availability/arena.ts';
import type {
  AvailabilityIndex,
  AvailabilityWriter,
  RefusedNights,
} from '../../src/availability/availability-index.ts';
import type { Network, PropertyId } from '../../src/catalogue/catalogue.ts';
import { createWorldIndex } from './world-index.ts';

const WRITES_BETWEEN = 3;

/** An index that goes on as a copy of its memory after every few writes, as after a restart from a snapshot. */
export function createRestartedIndex(network: Network): AvailabilityIndex & AvailabilityWriter {
  let index = createWorldIndex(network);
  let writes = 0;
  let restarts = 0;
  /** A restart forgets refusals, and whoever writes to the index knows them. */
  const refusals = new Map<PropertyId, readonly RefusedNights[]>();

  function restart(): void {
    restarts += 1;
    const memory = createMemory(index.usedBytes);
    new Uint8Array(memory.buffer).set(index.arena.u8.subarray(0, index.usedBytes));
    index = createWorldIndex(network, restoreArena(memory, index.arena.freeBlocks()));
    index.open();
    for (const [id, refused] of refusals) index.withdraw(id, refused);
  }

  function written(): void {
    writes += 1;
    if (writes % WRITES_BETWEEN === 0) restart();
  }

  return {
    hasMatch: (...asked) => index.hasMatch(...asked),
    obstacle: (...asked) => index.obstacle(...asked),
    destinations: (...asked) => index.destinations(...asked),
    checkInMonths: (...asked) => index.checkInMonths(...asked),
    checkInDays: (...asked) => index.checkInDays(...asked),
    checkOutDays: (...asked) => index.checkOutDays(...asked),
    largestParty: (...asked) => index.largestParty(...asked),
    matches: (...asked) => index.matches(...asked),
    bookableStays: (...asked) => index.bookableStays(...asked),
    amenityLabels: (amenity) => index.amenityLabels(amenity),
    isCommonAmenity: (amenity) => index.isCommonAmenity(amenity),
    has: (id) => index.has(id),
    // Nobody compares revisions from before a restart.
    revision: (...asked) => `${restarts}:${index.revision(...asked)}`,
    put(home, calendar, version) {
      refusals.delete(home.id);
      index.put(home, calendar, version);
      written();
    },
    holds: (id, version) => index.holds(id, version),
    homes: () => index.homes(),
    remove(id) {
      this.removeAll([id]);
    },
    removeAll(ids) {
      for (const id of ids) refusals.delete(id);
      index.removeAll(ids);
      written();
    },
    hideBrand(brand) {
      index.hideBrand(brand);
      written();
    },
    withdraw(id, refused) {
      refusals.set(id, refused);
      index.withdraw(id, refused);
      written();
    },
    followDate: (now) => index.followDate(now),
    daysLost: (now) => index.daysLost(now),
    rewind: (now) => index.rewind(now),
    get propertyCount() {
      return index.propertyCount;
    },
  };
}
