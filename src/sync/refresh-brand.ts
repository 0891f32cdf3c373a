import type { Network } from '../catalogue/catalogue.ts';
import type { RejectionReport, UnmappedAmenity } from '../catalogue/rejections/rejection.ts';
import { type Clock, timeOn } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { Random } from '../random.ts';
import { admitListings } from './admit-listings.ts';
import { type CatalogueEntry, catalogueEntries } from './catalogue-entry.ts';
import { createRateLimitPauses } from './rate-limit-pauses.ts';
import { CALENDAR_BATCH, type ReadCalendars, type SyncedBrand } from './read-calendars.ts';
import { readWhileAlive } from './read-while-alive.ts';
import { saveRejections } from './rejections-store.ts';
import type { RefreshMode, Rounds } from './rounds.ts';
import { failureKindOf, type SyncObserver } from './sync-observer.ts';

/** For whoever watches a run; `total` is 0 while it is not known. */
export type RefreshProgress = {
  readonly phase: 'catalogue' | 'calendars';
  readonly done: number;
  readonly total: number;
};

const CHANGES_A_TURN = 2000;
const BATCHES_AT_A_TIME = 2;
/** A failed batch does not end the refresh; a system that fails this often in a row counts as down. */
const MAX_FAILED_BATCHES_IN_A_ROW = 3;
/** By how much the clock of a booking system may be behind ours without hiding a change. */
const MAX_CLOCK_DIFFERENCE_MS = 300_000;

/** Reads the brand's catalogue, then the calendars that are due. What was read stays read, however the run ends. Never rejects. */
export type RefreshBrand = (brand: SyncedBrand, run: RefreshRun) => Promise<BrandReading>;

type RefreshRun = {
  readonly rounds: Rounds;
  readonly mode: RefreshMode;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RefreshProgress) => void;
  /** What is to be read is known; after that, some of it was read. */
  readonly planned: () => Promise<void>;
  readonly advanced: () => Promise<void>;
};

type BrandReading = {
  /** Undefined when the catalogue could not be read. */
  readonly report: RejectionReport | undefined;
  readonly listings: number;
  readonly calendarsRead: number;
  /** Why the catalogue or some calendars could not be read. */
  readonly failures: readonly unknown[];
};

export function createRefreshBrand({
  network,
  clock,
  random,
  readCalendars,
  oldAfterMs,
  maxPausesInARow,
  observe,
}: {
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly readCalendars: ReadCalendars;
  /** The age from which a calendar is read again. */
  readonly oldAfterMs: number;
  readonly maxPausesInARow?: number | undefined;
  readonly observe: SyncObserver;
}): RefreshBrand {
  return async (brand, { rounds, mode, signal, onProgress, planned, advanced }) => {
    const { system, offer, queue, store } = brand;
    const { patiently } = createRateLimitPauses({
      clock,
      random,
      signal,
      maxPausesInARow,
      onPause: (pauseMs) => observe.paused(system.brand, pauseMs),
    });
    const failures: unknown[] = [];
    let report: RejectionReport | undefined;
    let listed: readonly CatalogueEntry[] = [];
    let unmappedAmenities: readonly UnmappedAmenity[] = [];
    let calendarsRead = 0;

    async function readCatalogue(): Promise<RejectionReport> {
      onProgress({ phase: 'catalogue', done: 0, total: 0 });
      const reading = await patiently(() =>
        readWhileAlive(clock, signal, (within, stillReading) => system.catalogue(within, stillReading)),
      );
      unmappedAmenities = reading.unmappedAmenities ?? [];
      const admission = await admitListings(reading, system.brand, network);
      listed = await catalogueEntries(admission.admitted.values());
      signal.throwIfAborted();
      const changed = await offer.replaceCatalogue(listed);
      await queue.list(listed);
      await inTurns(changed, CHANGES_A_TURN, (id) => queue.outdate(id, clock.elapsed()));
      try {
        // Before any of its calendars is offered: what can be found must have a listing.
        await store.replaceCatalogue(system.brand, [...admission.admitted.values()]);
      } catch (error) {
        observe.storeFailed(error);
      }
      onProgress({ phase: 'catalogue', done: listed.length, total: listed.length });
      return admission.report;
    }

    /** For its operator. */
    async function saveReport(held: RejectionReport): Promise<void> {
      try {
        await saveRejections(store, system.brand, {
          readAt: Math.floor(clock.now()),
          admitted: listed.length,
          ...held.all(),
          unmappedAmenities,
        });
      } catch (error) {
        observe.storeFailed(error);
      }
    }

    /** Whether the booking system has told what changed since it was asked last. */
    async function learnChanges(): Promise<boolean> {
      const asked = timeOn(clock);
      const since = rounds.state().changesKnownUntil;
      // One that lies ahead was taken from a clock that was wrong; the next full round sets it right.
      if (!system.changedSince || since === null || since > asked.now) return false;
      const instant = Math.max(0, since - MAX_CLOCK_DIFFERENCE_MS);
      try {
        const changed = await patiently(() =>
          readWhileAlive(clock, signal, async (within) => system.changedSince?.(instant, within)),
        );
        if (!changed) return false;
        const references = new Set(changed);
        await inTurns(listed, CHANGES_A_TURN, ({ id, reference }) => {
          if (references.has(reference)) queue.outdate(id, asked.elapsed);
        });
        rounds.changesLearned(asked.now);
        return true;
      } catch (error) {
        // Calendars can be read all the same, by their age.
        if (!signal.aborted) observe.failed(system.brand, failureKindOf(error), error);
        return false;
      }
    }

    async function readDue(due: readonly CatalogueEntry[]): Promise<void> {
      let failedInARow = 0;
      let next = 0;
      let done = 0;
      onProgress({ phase: 'calendars', done, total: due.length });

      async function readNextBatches(): Promise<void> {
        while (next < due.length && failedInARow < MAX_FAILED_BATCHES_IN_A_ROW && !signal.aborted) {
          const batch = due.slice(next, next + CALENDAR_BATCH);
          next += CALENDAR_BATCH;
          try {
            const usable = await patiently(() => readCalendars(brand, batch, signal));
            calendarsRead += usable;
            failedInARow = 0;
          } catch (error) {
            if (signal.aborted) return;
            failedInARow += 1;
            failures.push(error);
          }
          done += batch.length;
          onProgress({ phase: 'calendars', done, total: due.length });
          await advanced();
        }
      }

      await Promise.all(Array.from({ length: BATCHES_AT_A_TIME }, readNextBatches));
    }

    const began = timeOn(clock);
    const isNewFullRound = rounds.begin(mode, began);
    if (isNewFullRound) queue.outdateAll(began.elapsed);
    try {
      report = await readCatalogue();
      const tellsChanges = !isNewFullRound && (await learnChanges());
      const due = await queue.due({
        now: clock.elapsed(),
        oldAfterMs,
        tellsChanges,
        isOffered: offer.hasCalendar,
      });
      await planned();
      await readDue(due);
      report.add(queue.faults());
      await saveReport(report);
    } catch (error) {
      failures.push(error);
    }
    return { report, listings: listed.length, calendarsRead, failures };
  };
}
