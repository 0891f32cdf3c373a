import type { BrandId } from '../../inventory/catalogue.ts';
import { createBrandQueue } from './brand-queue.ts';
import type { InlineShare } from './inline-share.ts';

/** Reads documents on the calling thread, those that have to wait in the following turns of the event loop. */
export type InlineQueue = {
  add(document: WaitingDocument): void;
};

export type WaitingDocument = {
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
