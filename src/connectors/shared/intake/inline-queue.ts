import type { BrandId } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { createBrandQueue } from './brand-queue.ts';

/**
 * How much is read on the event loop, by the time that reading has taken: a hostile text of some kilobytes takes a hundred times
 * as long as an honest one of that length.
 */
export type InlineShare = {
  /** Whether the current turn of the event loop has no time left for reading. */
  isSpent(): boolean;
  /** Whether it is spent on few documents, so that others had better be read elsewhere than wait for such ones. */
  isSpentOnFew(): boolean;
  /** Whether the documents of the brand have taken so long that they are to be read elsewhere for a while. */
  isTooDear(brand: BrandId): boolean;
  /** Reads a document of the brand, and charges the time. */
  charge<Result>(brand: BrandId, read: () => Result): Result;
};

/** Ten or more ordinary answers. A turn can last longer by one document, which cannot be known to be dear before. */
const MAX_MS_A_TURN = 5;
const MIN_ORDINARY_A_TURN = 10;
/** The processor time of a thread advances in steps of about this length, so a shorter reading is taken from the clock. */
const PROCESSOR_STEP_MS = 4;
/** Ordinary answers take less, once V8 has optimised the code. What is longer is owed, and what is shorter pays for it. */
const PAID_A_DOCUMENT_MS = 2;
/** So does the time that passes. */
const PAID_A_MS = 1 / 1000;
/** So much may be owed: after a cold start anybody's answers take long. */
const MAX_OWED_MS = 50;
/** Nobody owes more, so that a brand is read elsewhere for half a minute at most. */
const MAX_COUNTED_MS = 80;

export function createInlineShare({
  clock,
  usedMs,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** How much time this thread has worked. */
  readonly usedMs: () => number;
}): InlineShare {
  let spentMs = 0;
  let readInTurn = 0;
  let isTurnOpen = false;
  let usedBeforeTurnMs = 0;
  const owed = new Map<BrandId, { readonly ms: number; readonly at: number }>();

  function owedBy(brand: BrandId, now: number): number {
    const debt = owed.get(brand);
    return debt ? Math.max(0, debt.ms - (now - debt.at) * PAID_A_MS) : 0;
  }

  function owe(brand: BrandId, tookMs: number, now: number): void {
    const ms = owedBy(brand, now) + tookMs - PAID_A_DOCUMENT_MS;
    if (ms > 0) owed.set(brand, { ms: Math.min(ms, MAX_COUNTED_MS), at: now });
    else owed.delete(brand);
  }

  function openTurn(): void {
    isTurnOpen = true;
    usedBeforeTurnMs = usedMs();
    setImmediate(() => {
      isTurnOpen = false;
      spentMs = 0;
      readInTurn = 0;
    });
  }

  /** While the machine is busy with something else, no document is at fault. */
  function workedMs(passedMs: number): number {
    return passedMs <= PROCESSOR_STEP_MS ? passedMs : Math.min(passedMs, usedMs() - usedBeforeTurnMs);
  }

  const isSpent = () => spentMs >= MAX_MS_A_TURN;

  return {
    isSpent,
    isSpentOnFew: () => isSpent() && readInTurn < MIN_ORDINARY_A_TURN,
    isTooDear: (brand) => owed.has(brand) && owedBy(brand, clock.elapsed()) > MAX_OWED_MS,
    charge(brand, read) {
      if (!isTurnOpen) openTurn();
      const start = clock.elapsed();
      try {
        return read();
      } finally {
        const now = clock.elapsed();
        const tookMs = workedMs(now - start);
        spentMs += tookMs;
        readInTurn += 1;
        owe(brand, tookMs, now);
      }
    },
  };
}

/** Reads documents on the calling thread, those that have to wait in the following turns of the event loop. */
type InlineQueue = {
  add(document: WaitingDocument): void;
};

type WaitingDocument = {
  readonly brand: BrandId;
  /** Called with the share charged. */
  readHere(): void;
  readElsewhere(): void;
};

/** One for all that wait, so that a burst of thousands costs each of them one turn, and brands take turns. */
export function createInlineQueue(share: InlineShare): InlineQueue {
  const queue = createBrandQueue<WaitingDocument>();
  let isWaiting = false;

  function read(document: WaitingDocument): void {
    if (share.isTooDear(document.brand)) document.readElsewhere();
    else share.charge(document.brand, document.readHere);
  }

  function readWaiting(): void {
    while (!share.isSpent()) {
      const next = queue.next();
      if (!next) {
        isWaiting = false;
        return;
      }
      read(next);
    }
    if (share.isSpentOnFew()) for (const document of queue.takeAll()) document.readElsewhere();
    setImmediate(readWaiting);
  }

  return {
    add(document) {
      if (!isWaiting && !share.isSpent()) return read(document);
      queue.add(document.brand, document);
      if (isWaiting) return;
      isWaiting = true;
      // The first turn only ends this one: timers and other sockets come before the second.
      setImmediate(() => setImmediate(readWaiting));
    },
  };
}
