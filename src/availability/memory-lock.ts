/** Many threads read the memory of the index at a time, or one writes. */
export type MemoryLock = {
  reading<Value>(work: () => Value): Value;
  writing<Value>(work: () => Value): Value;
};

/** The number of the thread that writes, or is about to. The words after it say of each thread whether it reads. */
const WRITER = 0;
const NOBODY = 0;
/** A question takes a millisecond at most. Who holds the memory for so much longer has ended, and will be released. */
const MAX_WAIT_MS = 1000;

export function lockWords(threads: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer((threads + 1) * 4));
}

/** Threads are numbered from 1. Nobody may lock while it has locked already. */
export function createMemoryLock(words: Int32Array<SharedArrayBuffer>, thread: number): MemoryLock {
  function beginReading(): void {
    for (;;) {
      Atomics.store(words, thread, 1);
      const writer = Atomics.load(words, WRITER);
      if (writer === NOBODY) return;
      endReading();
      waitWhile(WRITER, writer);
    }
  }

  function endReading(): void {
    Atomics.store(words, thread, 0);
    if (Atomics.load(words, WRITER) !== NOBODY) Atomics.notify(words, thread);
  }

  function beginWriting(): void {
    for (;;) {
      const writer = Atomics.compareExchange(words, WRITER, NOBODY, thread);
      if (writer === NOBODY) break;
      waitWhile(WRITER, writer);
    }
    // Nobody begins to read any more; those who do are waited for.
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
    Atomics.store(words, WRITER, NOBODY);
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

/** Frees what a thread that has ended held. Says whether it ended in the middle of writing. */
export function releaseThread(words: Int32Array<SharedArrayBuffer>, thread: number): boolean {
  Atomics.store(words, thread, 0);
  Atomics.notify(words, thread);
  return Atomics.load(words, WRITER) === thread;
}
