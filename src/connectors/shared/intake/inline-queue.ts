import type { BrandId } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { createBrandQueue } from './brand-queue.ts';

/**
 * Limits the time that reading takes of the event loop: a hostile text of some kilobytes takes a hundred times as long as an honest one
 * of that length.
 */
export type InlineShare = {
  /** Whether reading has used up the current turn of the event loop. */
  isSpent(): boolean;
  /** Whether few documents used it up, so that the waiting ones should go to a thread. */
  isSpentOnFew(): boolean;
  /** Whether the brand's documents took so long that a thread should read them for a while. */
  isTooDear(brand: BrandId): boolean;
  /** Reads a document and charges its time to the brand. */
  charge<Result>(brand: BrandId, read: () => Result): Result;
};

/** Ten or more ordinary answers. A turn can last one document longer, because its cost is unknown before. */
const MAX_MS_A_TURN = 5;
const MIN_ORDINARY_A_TURN = 10;
/** Processor time advances in steps of about this length, so the clock measures shorter readings. */
const PROCESSOR_STEP_MS = 4;
/** Ordinary answers take less once V8 has optimised the code. Longer readings add to the brand's debt, shorter ones reduce it. */
const PAID_A_DOCUMENT_MS = 2;
/** Passing time reduces it too. */
const PAID_A_MS = 1 / 1000;
/** The debt that is tolerated: after a cold start all answers take long. */
const MAX_OWED_MS = 50;
/** The maximum debt, so that a thread reads for a brand half a minute at most. */
const MAX_COUNTED_MS = 80;

export function createInlineShare({
  clock,
  usedMs,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** The processor time of this thread. */
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

  /** Does not count time in which the machine was busy with other work. */
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

/** Reads documents on the calling thread; waiting ones in later turns of the event loop. */
type InlineQueue = {
  add(document: WaitingDocument): void;
};

type WaitingDocument = {
  readonly brand: BrandId;
  /** Called within `charge`. */
  readHere(): void;
  readElsewhere(): void;
};

/** One queue for all waiting documents, in which brands take turns. */
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
      // The first `setImmediate` only ends this turn: timers and other sockets run before the second.
      setImmediate(() => setImmediate(readWaiting));
    },
  };
}
