import type { Network } from '../catalogue/catalogue.ts';
import type { RejectionReport, UnmappedAmenity } from '../catalogue/rejections/rejection.ts';
import { type Clock, timeOn } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { Random } from '../random.ts';
import { admitListings } from './admission.ts';
import { saveRejections } from './brand-documents.ts';
import { type CatalogueEntry, catalogueEntries } from './brand-offer.ts';
import type { BrandProgress, RefreshMode } from './brand-progress.ts';
import { createRateLimitPauses } from './rate-limit-pauses.ts';
import { CALENDAR_BATCH, type ReadCalendars, readWhileAlive, type SyncedBrand } from './read-calendars.ts';
import { failureKindOf, type SyncObserver } from './sync-observer.ts';

/** The progress of a run; `total` is 0 while it is unknown. */
export type RefreshProgress = {
  readonly phase: 'catalogue' | 'calendars';
  readonly done: number;
  readonly total: number;
};

const CHANGES_A_TURN = 2000;
const BATCHES_AT_A_TIME = 2;
/** A failed batch does not end the run; a system that fails this often in a row counts as down. */
const MAX_FAILED_BATCHES_IN_A_ROW = 3;
/** How far the clock of a booking system may be behind ours without hiding a change. */
const MAX_CLOCK_DIFFERENCE_MS = 300_000;

/** Reads the brand's catalogue, then the calendars that are due. Calendars that were read stay read, however the run ends. Never rejects. */
export type ReadBrand = (brand: SyncedBrand, run: BrandRun) => Promise<BrandReading>;

type BrandRun = {
  readonly progress: BrandProgress;
  readonly mode: RefreshMode;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RefreshProgress) => void;
};

type BrandReading = {
  /** Undefined when the catalogue could not be read. */
  readonly report: RejectionReport | undefined;
  readonly listings: number;
  readonly calendarsRead: number;
  /** Why the catalogue or some calendars could not be read. */
  readonly failures: readonly unknown[];
};

export function createReadBrand({
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
}): ReadBrand {
  return async (brand, { progress, mode, signal, onProgress }) => {
    const { system, offer, queue, store } = brand;
    const { retryingRateLimits } = createRateLimitPauses({
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
      const reading = await retryingRateLimits(() =>
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

    /** Stores the rejections for the operator. */
    async function saveReport(rejected: RejectionReport): Promise<void> {
      try {
        await saveRejections(store, system.brand, {
          readAt: Math.floor(clock.now()),
          admitted: listed.length,
          ...rejected.all(),
          unmappedAmenities,
        });
      } catch (error) {
        observe.storeFailed(error);
      }
    }

    /** Queues the changes since the last request. False when the booking system does not report changes, or not now. */
    async function learnChanges(): Promise<boolean> {
      const asked = timeOn(clock);
      const since = progress.rounds.changesKnownUntil;
      // An instant in the future came from a wrong clock; the next full round corrects it.
      if (!system.changedSince || since === null || since > asked.now) return false;
      const instant = Math.max(0, since - MAX_CLOCK_DIFFERENCE_MS);
      try {
        const changed = await retryingRateLimits(() =>
          readWhileAlive(clock, signal, async (within) => system.changedSince?.(instant, within)),
        );
        if (!changed) return false;
        const references = new Set(changed);
        await inTurns(listed, CHANGES_A_TURN, ({ id, reference }) => {
          if (references.has(reference)) queue.outdate(id, asked.elapsed);
        });
        progress.changesLearned(asked.now);
        return true;
      } catch (error) {
        // Calendars are then read by age.
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
            const usable = await retryingRateLimits(() => readCalendars(brand, batch, signal));
            calendarsRead += usable;
            failedInARow = 0;
          } catch (error) {
            if (signal.aborted) return;
            failedInARow += 1;
            failures.push(error);
          }
          done += batch.length;
          onProgress({ phase: 'calendars', done, total: due.length });
          await progress.saveNowAndThen();
        }
      }

      await Promise.all(Array.from({ length: BATCHES_AT_A_TIME }, readNextBatches));
    }

    const began = timeOn(clock);
    const isNewFullRound = progress.beginRound(mode, began);
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
      await progress.planned();
      await readDue(due);
      report.add(queue.faults());
      await saveReport(report);
    } catch (error) {
      failures.push(error);
    }
    return { report, listings: listed.length, calendarsRead, failures };
  };
}
