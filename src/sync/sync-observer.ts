import type { BrandId } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';

/** For metrics and the log. */
export type SyncObserver = {
  /** `notListed`: how many more listings were held back than the list has. */
  refreshed(
    brand: BrandId,
    milliseconds: number,
    properties: number,
    rejections: readonly Rejection[],
    notListed: number,
  ): void;
  failed(brand: BrandId, kind: FailureKind, error: unknown): void;
  /** Its booking system wants to be asked less often. The run goes on after the pause. */
  paused(brand: BrandId, milliseconds: number): void;
  /** So many calendars were taken off offer because they could not be read again in time. */
  withdrawn(brand: BrandId, properties: number): void;
  /** The index had no memory for so many calendars of a run: these homes are not on offer, or with an older calendar. */
  indexFull(brand: BrandId, calendars: number): void;
  /** Homes did not follow the date this time; questions follow it for the homes that they are about. */
  dateNotFollowed(error: unknown): void;
  /** The wall clock was set from one instant to another, back or forward, so homes are loaded from the store and their calendars read anew. */
  clockWasSet(from: number, to: number): void;
  /** So many stored homes were loaded so far, a few seconds after the last such report; then all of them. */
  loading(properties: number, milliseconds: number): void;
  loaded(properties: number, milliseconds: number): void;
  /** Stored listings that do not fit the network file of this start. */
  storedRejections(brand: BrandId, rejections: readonly Rejection[]): void;
  /** The inventory is still served from memory; the next refresh saves again. */
  storeFailed(error: unknown): void;
  /** What the owner decides about brands cannot be read: what was decided last goes on to count. Once, until it can be read again. */
  controlsNotRead(error: unknown): void;
};

export function failureKindOf(error: unknown): FailureKind {
  // Any other error was thrown while an answer was being read.
  return error instanceof BookingSystemFailure ? error.kind : 'garbled';
}
