import type { AvailabilityWriter } from '../availability/availability-index.ts';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandBudget, BrandId, Network } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { Random } from '../random.ts';

/** What all brands of a synchroniser share. */
export type SyncContext = {
  readonly index: AvailabilityWriter;
  readonly store: InventoryStore;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshMs: number;
  /** The interval of full rounds. */
  readonly fullEveryMs: number;
  readonly horizonNights: number;
  /** Calendars read longer ago are not offered. */
  readonly calendarMaxAgeMs: number;
  /** For homes loaded from the store; connectors apply it themselves. */
  readonly budgetOf: (brand: BrandId) => BrandBudget;
  /** Limits how often in a row a read waits for a booking system that limits the rate. */
  readonly maxPausesInARow?: number | undefined;
  /** Resolves while no snapshot is being written, so that the index may change. */
  readonly untilWritable: () => Promise<void>;
  readonly observe: SyncObserver;
};

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
  /** All stored homes are loaded. */
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
