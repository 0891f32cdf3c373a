import type { RejectionReport, UnmappedAmenity } from '../catalogue/rejections/rejection.ts';
import { pauseFor, timeOn } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { Random } from '../random.ts';
import { admitListings } from './admission.ts';
import { saveRejections } from './brand-documents.ts';
import { type CatalogueEntry, catalogueEntries } from './brand-offer.ts';
import type { BrandProgress, RefreshMode } from './brand-progress.ts';
import { CALENDAR_BATCH, readCalendars, readWhileAlive, type SyncedBrand } from './read-calendars.ts';

/** The progress of a run; `total` is 0 while it is unknown. */
export type RefreshProgress = {
  readonly phase: 'catalogue' | 'calendars';
  readonly done: number;
  readonly total: number;
};

/** Ten minutes in all; then the run fails, and the next one continues where it stopped. */
const MAX_PAUSES_IN_A_ROW = 6;
const CHANGES_A_TURN = 2000;
const BATCHES_AT_A_TIME = 2;
/** A failed batch does not end the run; a system that fails this often in a row counts as down. */
const MAX_FAILED_BATCHES_IN_A_ROW = 3;

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

/** Reads the brand's catalogue, then the calendars that are due. Calendars that were read stay read, however the run ends. Never rejects. */
export async function readBrand(
  brand: SyncedBrand,
  { progress, mode, signal, onProgress }: BrandRun,
): Promise<BrandReading> {
  const { context, system, offer, queue, store } = brand;
  const { network, clock, random, refreshMs, maxPausesInARow = MAX_PAUSES_IN_A_ROW, observe } = context;
  const failures: unknown[] = [];
  let report: RejectionReport | undefined;
  let listed: readonly CatalogueEntry[] = [];
  let unmappedAmenities: readonly UnmappedAmenity[] = [];
  let calendarsRead = 0;
  let pausesInARow = 0;
  let pause: Promise<void> | undefined;

  /** A booking system that limits the rate has not failed: repeats the read after a pause, which all reads of the run share. */
  async function retryingRateLimits<Value>(read: () => Promise<Value>): Promise<Value> {
    for (;;) {
      await pause;
      signal.throwIfAborted();
      try {
        const value = await read();
        pausesInARow = 0;
        return value;
      } catch (error) {
        const isRateLimited = error instanceof BookingSystemFailure && error.kind === 'rate_limited';
        if (!isRateLimited || signal.aborted || pausesInARow >= maxPausesInARow) throw error;
        pause ??= startPause();
      }
    }
  }

  async function startPause(): Promise<void> {
    pausesInARow += 1;
    const pauseMs = pauseWhenRateLimited({ pausesInARow, random });
    observe.paused(system.brand, pauseMs);
    await pauseFor(pauseMs, clock, signal);
    pause = undefined;
  }

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
  if (progress.beginRound(mode, began)) queue.outdateAll(began.elapsed);
  try {
    report = await readCatalogue();
    const due = await queue.due({
      now: clock.elapsed(),
      // The shortest pause, so that each refresh rereads what the last one read.
      oldAfterMs: refreshMs * SHORTEST_PAUSE,
    });
    await progress.planned();
    await readDue(due);
    report.add(queue.faults());
    await saveReport(report);
  } catch (error) {
    failures.push(error);
  }
  return { report, listings: listed.length, calendarsRead, failures };
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 300_000;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
/** Of the refresh interval. */
const SHORTEST_PAUSE = 0.9;

/**
 * The pause before a brand is read again: the refresh interval ± 10 %, or exponential backoff after failures. The random
 * part keeps brands, and several servers of one network, from reading at the same moment.
 */
export function pauseBeforeNextRefresh({
  failuresInARow,
  refreshMs,
  random,
}: {
  readonly failuresInARow: number;
  readonly refreshMs: number;
  readonly random: Random;
}): number {
  const jitter = fractionOf(random);
  if (failuresInARow === 0) return refreshMs * (SHORTEST_PAUSE + 0.2 * jitter);
  const backoffMs = FIRST_RETRY_MS * 2 ** (failuresInARow - 1);
  return Math.min(backoffMs, MAX_RETRY_MS, refreshMs) * (0.5 + 0.5 * jitter);
}

/** The pause after a booking system refused a read for its rate, without saying for how long. */
function pauseWhenRateLimited({
  pausesInARow,
  random,
}: {
  /** Including this one. */
  readonly pausesInARow: number;
  readonly random: Random;
}): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (pausesInARow - 1), MAX_PAUSE_MS) * (0.5 + 0.5 * fractionOf(random));
}

function fractionOf(random: Random): number {
  return random.bytes(4).readUInt32BE() / 2 ** 32;
}
