import type { BrandId } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';

/** For metrics and the log. */
export type SyncObserver = {
  /** `notListed`: how many more rejections there are than the list has. */
  refreshed(
    brand: BrandId,
    milliseconds: number,
    properties: number,
    rejections: readonly Rejection[],
    notListed: number,
  ): void;
  failed(brand: BrandId, kind: FailureKind, error: unknown): void;
  /** Its booking system limits the rate. The run continues after the pause. */
  paused(brand: BrandId, milliseconds: number): void;
  /** This many calendars were withdrawn because they could not be read again in time. */
  withdrawn(brand: BrandId, properties: number): void;
  /** The index had no memory for this many calendars of a run: these homes are not on offer, or with an older calendar. */
  indexFull(brand: BrandId, calendars: number): void;
  /** Moving the index to the new date failed; each search moves the homes that it needs. */
  dateNotFollowed(error: unknown): void;
  /** The wall clock was set back or forward, so homes are loaded from the store and their calendars read again. */
  clockWasSet(from: number, to: number): void;
  /** Every few seconds: how many stored homes are loaded so far. `loaded`: all of them. */
  loading(properties: number, milliseconds: number): void;
  loaded(properties: number, milliseconds: number): void;
  /** Stored listings that do not fit the network file. */
  storedRejections(brand: BrandId, rejections: readonly Rejection[]): void;
  /** The inventory is still served from memory; the next refresh saves again. */
  storeFailed(error: unknown): void;
  /** The owner's decisions about brands cannot be read; the last known ones stay in effect. Called once per outage. */
  controlsNotRead(error: unknown): void;
};

/** The state of a brand, for the owner. */
export type BrandStatus = {
  readonly brand: BrandId;
  /** Whether this node reads it from its operator. If not, the members about readings are the leader's last record. */
  readonly leads: boolean;
  /** When the owner paused it, in epoch milliseconds; null while its homes may be on offer. */
  readonly pausedAt: number | null;
  /** End of the last complete run, in epoch milliseconds, also of an earlier process; null when there was none. */
  readonly lastSuccessAt: number | null;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: {
    readonly at: number;
    readonly kind: FailureKind;
    /** For `too_large`: which limit, and how to raise it. */
    readonly message?: string;
  } | null;
  /** How many are offered. */
  readonly properties: number;
  /** The age of the oldest calendar on offer; null when there is none. */
  readonly oldestCalendarMs: number | null;
  /** How many calendars remain to be read, because a run did not reach them or because they are too old to be offered. */
  readonly calendarsWaiting: number;
  readonly rejections: readonly Rejection[];
  /** How many more rejections there are than the list has. */
  readonly notListed: number;
};

export function failureKindOf(error: unknown): FailureKind {
  // Any other error was thrown while an answer was being read.
  return error instanceof BookingSystemFailure ? error.kind : 'garbled';
}
