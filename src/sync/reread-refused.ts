import type { Clock } from '../clock.ts';
import type { Property, PropertyId } from '../inventory/catalogue.ts';
import { CALENDAR_BATCH } from './read-calendars.ts';

/** Long enough to gather the refusals of one search, and of a burst of them, into one call. */
const GATHERING_MS = 2000;

export type RereadRefused = {
  /** Has the property's calendar read again soon. */
  soon(property: PropertyId): void;
  /** Starts nothing more, and waits for the reading that is under way. */
  stop(): Promise<void>;
};

/** One gentle call at a time: a property that is refused many times meanwhile is read once. */
export function createRereadRefused({
  clock,
  propertyOf,
  read,
  onFailure,
}: {
  readonly clock: Clock;
  /** `undefined` when it is not on offer any more. */
  readonly propertyOf: (id: PropertyId) => Property | undefined;
  readonly read: (properties: readonly Property[]) => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
}): RereadRefused {
  const waiting = new Set<PropertyId>();
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  function schedule(): void {
    if (stopped || running || cancelTimer || waiting.size === 0) return;
    cancelTimer = clock.after(GATHERING_MS, () => {
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
    const properties = ids.map(propertyOf).filter((property) => property !== undefined);
    if (properties.length === 0) return;
    // No second try: the nights are withdrawn already, and the next refresh reads everything anyway.
    await read(properties).catch(onFailure);
  }

  return {
    soon(property) {
      waiting.add(property);
      schedule();
    },
    async stop() {
      stopped = true;
      cancelTimer?.();
      await running;
    },
  };
}
