import type { Clock } from '../../clock.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

/** Quotes that are sent together. */
export type Parcel = {
  readonly quotes: readonly IssuedQuote[];
  /** Call this once they are in the ledger. */
  delivered(): Promise<void>;
};

/** A call costs the same for one quote as for many, so quotes are gathered for a moment. */
const GATHERING_MS = 50;
const ENOUGH_QUOTES = 200;
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/** Sends parcels one by one in the background. After a failure it pauses, each time twice as long, and sends the same parcel again. */
export function createLedgerSender({
  nextParcel,
  insert,
  clock,
  report,
}: {
  /** Undefined when there is nothing to send. */
  readonly nextParcel: () => Promise<Parcel | undefined>;
  readonly insert: (quotes: readonly IssuedQuote[]) => Promise<void>;
  readonly clock: Pick<Clock, 'after'>;
  readonly report: (warning: string) => void;
}) {
  let isWanted = false;
  let isStopped = false;
  let sending: Promise<void> | undefined;
  let failures = 0;
  let cancelPause: (() => void) | undefined;
  let waiters: { readonly isDelivered: () => boolean; readonly promised: PromiseWithResolvers<void> }[] = [];

  async function sendAll(): Promise<void> {
    isWanted = false;
    try {
      await sendWaiting();
    } catch (error) {
      pauseAfter(error);
    }
  }

  async function sendWaiting(): Promise<void> {
    let parcel = await nextParcel();
    while (parcel && !isStopped) {
      await insert(parcel.quotes);
      await parcel.delivered();
      if (failures > 0) report('The ledger of quotes is written again.');
      failures = 0;
      resolveWaiters();
      if (parcel.quotes.length < ENOUGH_QUOTES && waiters.length === 0) return wake();
      parcel = await nextParcel();
    }
  }

  function resolveWaiters(): void {
    const finished = waiters.filter(({ isDelivered }) => isDelivered());
    waiters = waiters.filter((waiter) => !finished.includes(waiter));
    for (const { promised } of finished) promised.resolve();
  }

  function pauseAfter(error: unknown): void {
    if (failures === 0) report(`The ledger of quotes cannot be written, so they wait: ${String(error)}`);
    const pauseMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures);
    failures += 1;
    for (const { promised } of waiters.splice(0)) promised.reject(error);
    if (!isStopped) cancelPause = clock.after(pauseMs, endPause);
  }

  function endPause(): void {
    cancelPause?.();
    cancelPause = undefined;
    isWanted = true;
    start();
  }

  function wake(): void {
    isWanted = true;
    if (sending || cancelPause || isStopped) return;
    cancelPause = clock.after(GATHERING_MS, endPause);
  }

  function start(): void {
    if (sending || isStopped) return;
    sending = sendAll().finally(() => {
      sending = undefined;
      if (waiters.length > 0) start();
      else if (isWanted) wake();
    });
  }

  return {
    /** Call this when there is something to send. */
    wake,
    /** Resolves once `isDelivered` returns true; rejects when an earlier parcel cannot be sent. Ends a pause under way. */
    until(isDelivered: () => boolean): Promise<void> {
      if (isDelivered()) return Promise.resolve();
      if (isStopped) return Promise.reject(closed());
      const promised = Promise.withResolvers<void>();
      waiters.push({ isDelivered, promised });
      endPause();
      return promised.promise;
    },
    /** Waits for the call under way. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelPause?.();
      await sending;
      for (const { promised } of waiters.splice(0)) promised.reject(closed());
    },
  };
}

function closed(): StorageFailure {
  return new StorageFailure('closed', 'The store is closed.');
}
