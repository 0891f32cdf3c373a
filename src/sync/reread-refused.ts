import type { PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { CALENDAR_BATCH } from './read-calendars.ts';

/** Long enough to read the refusals of one search, or of a burst of searches, in one call. */
const COLLECTING_MS = 2000;

export type RereadRefused = {
  /** Schedules the property's calendar to be read again. */
  soon(property: PropertyId): void;
  /** Forgets those that wait for their turn, and waits for the read that is running. */
  clear(): Promise<void>;
  /** The same, for good. */
  stop(): Promise<void>;
};

/** One call at a time; a property that is refused several times before its turn is read once. */
export function createRereadRefused({
  clock,
  listingOf,
  read,
  onFailure,
}: {
  readonly clock: Clock;
  /** `undefined` when it is no longer offered. */
  readonly listingOf: (id: PropertyId) => CatalogueEntry | undefined;
  readonly read: (properties: readonly CatalogueEntry[]) => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
}): RereadRefused {
  const waiting = new Set<PropertyId>();
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  function schedule(): void {
    if (stopped || running || cancelTimer || waiting.size === 0) return;
    cancelTimer = clock.after(COLLECTING_MS, () => {
      cancelTimer = undefined;
      running = readWaiting().finally(() => {
        running = undefined;
        schedule();
      });
    });
  }

  async function readWaiting(): Promise<void> {
    const ids = [...waiting].slice(0, CALENDAR_BATCH);
    for (const id of ids) waiting.delete(id);
    const properties = ids.map(listingOf).filter((listing) => listing !== undefined);
    if (properties.length === 0) return;
    // Not retried: the stay is already withdrawn, and the next refresh reads this calendar before others.
    await read(properties).catch(onFailure);
  }

  async function clear(): Promise<void> {
    waiting.clear();
    cancelTimer?.();
    cancelTimer = undefined;
    await running;
  }

  return {
    soon(property) {
      waiting.add(property);
      schedule();
    },
    clear,
    stop() {
      stopped = true;
      return clear();
    },
  };
}
