import type { Network } from '../catalogue/catalogue.ts';
import type { AvailabilityIndex, AvailabilityWriter } from './availability-index.ts';
import { createAvailabilityIndex, type TiledIndex } from './tiled-index.ts';

/** The parts of an index that are sent to another thread. */
export type SharedIndex = {
  readonly memory: WebAssembly.Memory;
  readonly lock: Int32Array<SharedArrayBuffer>;
  readonly thread: number;
};

type ShareableIndex = {
  /** For the creating thread, the only one that writes homes. */
  readonly index: AvailabilityIndex & AvailabilityWriter;
  /** For one other thread, numbered from 1. */
  share(thread: number): SharedIndex;
  /** Called after the thread has ended. Throws when it ended in the middle of writing. */
  release(thread: number): void;
};

/** `threads` includes this one. A single thread does not lock. */
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

/** Opens the index of another thread for questions. */
export function openSharedIndex(
  network: Network,
  { memory, lock: words, thread }: SharedIndex,
  now: number,
): AvailabilityIndex {
  const lock = createMemoryLock(words, thread);
  // No other thread may change the memory while it is opened.
  return withLock(
    lock.writing(() => createAvailabilityIndex(network, { now, shared: memory })),
    lock,
  );
}

function withLock(index: TiledIndex, lock: MemoryLock): AvailabilityIndex & AvailabilityWriter {
  /** A question for a new date moves tiles to it, so it has to run under the write lock. */
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
    // Needs no lock, because only this thread adds and removes homes.
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

/** Lets many threads read the memory of the index, or one thread write. */
type MemoryLock = {
  reading<Value>(work: () => Value): Value;
  writing<Value>(work: () => Value): Value;
};

/** Word with the number of the thread that writes or is about to. The words after it have a flag for each reading thread. */
const WRITER = 0;
const NO_THREAD = 0;
/** A question takes a millisecond at most. A thread that holds the lock this much longer has ended and will be released. */
const MAX_WAIT_MS = 1000;

export function lockWords(threads: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer((threads + 1) * 4));
}

/** Threads are numbered from 1. The lock is not reentrant. */
export function createMemoryLock(words: Int32Array<SharedArrayBuffer>, thread: number): MemoryLock {
  function beginReading(): void {
    for (;;) {
      Atomics.store(words, thread, 1);
      const writer = Atomics.load(words, WRITER);
      if (writer === NO_THREAD) return;
      endReading();
      waitWhile(WRITER, writer);
    }
  }

  function endReading(): void {
    Atomics.store(words, thread, 0);
    if (Atomics.load(words, WRITER) !== NO_THREAD) Atomics.notify(words, thread);
  }

  function beginWriting(): void {
    for (;;) {
      const writer = Atomics.compareExchange(words, WRITER, NO_THREAD, thread);
      if (writer === NO_THREAD) break;
      waitWhile(WRITER, writer);
    }
    // No new reader starts now; wait for the active ones.
    try {
      for (let reader = 1; reader < words.length; reader++) {
        if (Atomics.load(words, reader) === 1) waitWhile(reader, 1);
      }
    } catch (error) {
      endWriting();
      throw error;
    }
  }

  function endWriting(): void {
    Atomics.store(words, WRITER, NO_THREAD);
    Atomics.notify(words, WRITER);
  }

  function waitWhile(word: number, value: number): void {
    if (Atomics.wait(words, word, value, MAX_WAIT_MS) === 'timed-out') {
      throw new Error('the index is held by a thread that does not let go of it');
    }
  }

  return {
    reading(work) {
      beginReading();
      try {
        return work();
      } finally {
        endReading();
      }
    },
    writing(work) {
      beginWriting();
      try {
        return work();
      } finally {
        endWriting();
      }
    },
  };
}

/** Releases the locks of a thread that has ended. Returns whether it ended in the middle of writing. */
export function releaseThread(words: Int32Array<SharedArrayBuffer>, thread: number): boolean {
  Atomics.store(words, thread, 0);
  Atomics.notify(words, thread);
  return Atomics.load(words, WRITER) === thread;
}
