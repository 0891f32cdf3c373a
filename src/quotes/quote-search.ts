import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { OnLeftBehind } from '../limits/coalesce.ts';
import type { Day } from '../stay/day.ts';
import type { UnavailableReason } from './booking-system.ts';
import type { BelievableQuote } from './judge-answer.ts';

export type QuoteSearch = {
  /** The cheapest matches of each brand. This service, not the operators, decides which of them to ask for and in which order. */
  readonly candidates: readonly Candidate[];
  readonly property: (id: PropertyId) => Property | undefined;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
  /** The one currency of the comparison set. */
  readonly currency: string;
  /** The caller, from the widest level to the narrowest: callers share an operator's places level by level. */
  readonly caller?: readonly string[];
  /** Ends the collection early, with the quotes that have arrived. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each call to an operator that goes on after the search. */
  readonly onLeftBehind?: OnLeftBehind | undefined;
  /** Called when further brands are asked, or one has answered for the first time. */
  readonly onProgress?: ((brands: { readonly asked: number; readonly answered: number }) => void) | undefined;
};

export type CollectedQuote = BelievableQuote & { readonly property: PropertyId; readonly brand: BrandId };

/** The outcome of one search for a brand: "nothing free" and "no answer" are counted separately. */
export type BrandCoverage = {
  readonly brand: BrandId;
  readonly asked: number;
  readonly quoted: number;
  readonly unavailable: number;
  readonly failed: number;
  /** Totals that are left out because they cannot be true. */
  readonly implausible: number;
};

/** The first failure of a brand in one search. */
export type BrandFailure = {
  readonly brand: BrandId;
  readonly kind: FailureKind;
  /** How long it must be left alone; 0 when it may be asked immediately, as far as is known. */
  readonly askableAfterMs: number;
};

export type Collected = {
  /** In the order of asking. There can be more than are shown. */
  readonly quoted: readonly CollectedQuote[];
  readonly refused: readonly { readonly property: PropertyId; readonly reason: UnavailableReason }[];
  readonly coverage: readonly BrandCoverage[];
  /** Brands that gave no usable answer for some homes, ordered by brand. */
  readonly failures: readonly BrandFailure[];
  /** There were candidates and no operator answered, which does not mean that nothing is free. */
  readonly everyOperatorFailed: boolean;
  /** How long until a brand that gave no usable answer may be asked again; 0 unless all of them must be left alone. */
  readonly askableAfterMs: number;
};
