import type { Network } from '../catalogue/catalogue.ts';
import type { AvailabilityIndex, AvailabilityWriter } from './availability-index.ts';
import { createMemoryLock, lockWords, type MemoryLock, releaseThread } from './memory-lock.ts';
import { createAvailabilityIndex, type TiledIndex } from './tiled-index.ts';

/** An index as another thread gets it. */
export type SharedIndex = {
  readonly memory: WebAssembly.Memory;
  readonly lock: Int32Array<SharedArrayBuffer>;
  readonly thread: number;
};

export type ShareableIndex = {
  /** For the thread that made it, the only one that writes homes. */
  readonly index: AvailabilityIndex & AvailabilityWriter;
  /** For one other thread, by its number from 1 on. */
  share(thread: number): SharedIndex;
  /** The thread has ended. Throws when it has left the memory half written. */
  release(thread: number): void;
};

/** `threads` counts this one. One that is alone locks nothing. */
export function createShareableIndex(index: TiledIndex, threads: number): ShareableIndex {
  const words = lockWords(threads);
  const lockNumber = (thread: number) => thread + 1;
  return {
    index: threads === 1 ? index : withLock(index, createMemoryLock(words, lockNumber(0))),
    share: (thread) => ({ memory: index.arena.memory, lock: words, thread: lockNumber(thread) }),
    release(thread) {
      if (releaseThread(words, lockNumber(thread)))
        throw new Error('a thread ended while it wrote to the index');
    },
  };
}

/** The same homes, for questions of this thread. */
export function openSharedIndex(
  network: Network,
  { memory, lock: words, thread }: SharedIndex,
  now: number,
): AvailabilityIndex {
  const lock = createMemoryLock(words, thread);
  // Nobody may move what it looks at meanwhile.
  return withLock(
    lock.writing(() => createAvailabilityIndex(network, { now, shared: memory })),
    lock,
  );
}

function withLock(index: TiledIndex, lock: MemoryLock): AvailabilityIndex & AvailabilityWriter {
  /** Tiles that do not follow the date of a question may be moved by it, which nobody else may see half done. */
  function ask<Value>(now: number, question: () => Value): Value {
    const answered = lock.reading(() => {
      index.refresh();
      return index.isFollowing(now) ? { value: question() } : undefined;
    });
    if (answered) return answered.value;
    return lock.writing(() => {
      index.refresh();
      return question();
    });
  }

  function change(work: () => void): void {
    lock.writing(() => {
      index.refresh();
      work();
    });
  }

  function look<Value>(question: () => Value): Value {
    return lock.reading(() => {
      index.refresh();
      return question();
    });
  }

  return {
    hasMatch: (criteria, now) => ask(now, () => index.hasMatch(criteria, now)),
    obstacle: (criteria, now) => ask(now, () => index.obstacle(criteria, now)),
    destinations: (criteria, now) => ask(now, () => index.destinations(criteria, now)),
    checkInMonths: (criteria, now) => ask(now, () => index.checkInMonths(criteria, now)),
    checkInDays: (criteria, now) => ask(now, () => index.checkInDays(criteria, now)),
    checkOutDays: (criteria, now) => ask(now, () => index.checkOutDays(criteria, now)),
    largestParty: (criteria, now) => ask(now, () => index.largestParty(criteria, now)),
    matches: (criteria, now, wanted) => ask(now, () => index.matches(criteria, now, wanted)),
    bookableStays: (criteria, stays, now) => ask(now, () => index.bookableStays(criteria, stays, now)),
    revision: (criteria, now) => ask(now, () => index.revision(criteria, now)),
    amenityLabels: (amenity) => look(() => index.amenityLabels(amenity)),
    isCommonAmenity: (amenity) => look(() => index.isCommonAmenity(amenity)),
    has: (id) => look(() => index.has(id)),
    put: (home, calendar, version) => change(() => index.put(home, calendar, version)),
    holds: (property, version) => look(() => index.holds(property, version)),
    // Only this thread changes which there are.
    homes: () => index.homes(),
    remove: (property) => change(() => index.remove(property)),
    removeAll(properties) {
      for (const property of properties) change(() => index.remove(property));
    },
    hideBrand: (brand) => change(() => index.hideBrand(brand)),
    withdraw: (property, refused) => change(() => index.withdraw(property, refused)),
    followDate: (now) => ask(now, () => index.followDate(now)),
    daysLost: (now) => look(() => index.daysLost(now)),
    rewind: (now) => change(() => index.rewind(now)),
    get propertyCount() {
      return index.propertyCount;
    },
  };
}
