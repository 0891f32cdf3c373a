import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { OnLeftBehind } from '../limits/coalesce.ts';
import type { Day } from '../stay/day.ts';
import type { UnavailableReason } from './booking-system.ts';
import type { BelievableQuote } from './judge-answer.ts';

export type QuoteSearch = {
  /** The cheapest matches of each brand. Which of them are asked for, and in which order, is decided here and not by their operators. */
  readonly candidates: readonly Candidate[];
  readonly property: (id: PropertyId) => Property | undefined;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
  /** The one currency of the comparison set. */
  readonly currency: string;
  /** Who asks, from the widest to the narrowest: callers share an operator's places level by level. */
  readonly caller?: readonly string[];
  /** Ends the collection early, with what has arrived. */
  readonly signal?: AbortSignal | undefined;
  /** For each call to an operator that goes on after the search. */
  readonly onLeftBehind?: OnLeftBehind | undefined;
  /** Told whenever further brands are asked, or one has answered for the first time. */
  readonly onProgress?: ((brands: { readonly asked: number; readonly answered: number }) => void) | undefined;
};

export type CollectedQuote = BelievableQuote & { readonly property: PropertyId; readonly brand: BrandId };

/** How a brand fared in one search: "nothing free" and "no answer" are counted apart. */
export type BrandCoverage = {
  readonly brand: BrandId;
  readonly asked: number;
  readonly quoted: number;
  readonly unavailable: number;
  readonly failed: number;
  /** Totals that cannot be true, and are left out. */
  readonly implausible: number;
};

/** The first failure of a brand in one search. */
export type BrandFailure = {
  readonly brand: BrandId;
  readonly kind: FailureKind;
  /** How long it has to be left alone: 0 when it may be asked at once, as far as is known. */
  readonly askableAfterMs: number;
};

export type Collected = {
  /** In the order in which they were asked for. There can be more than are shown. */
  readonly quoted: readonly CollectedQuote[];
  readonly refused: readonly { readonly property: PropertyId; readonly reason: UnavailableReason }[];
  readonly coverage: readonly BrandCoverage[];
  /** Why brands gave no usable answer for some homes. By name. */
  readonly failures: readonly BrandFailure[];
  /** There were candidates and no operator answered, which is not the same as "nothing is free". */
  readonly everyOperatorFailed: boolean;
  /** How long until one of those that gave no usable answer may be asked again: 0 unless all of them have to be left alone. */
  readonly askableAfterMs: number;
};
