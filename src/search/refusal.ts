import type { PlaceId } from '../catalogue/catalogue.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';

/** The refused and the accepted parts of a request. `faults` are in field order. */
export type Refusal = {
  readonly faults: readonly [FieldFault, ...FieldFault[]];
  readonly accepted: readonly SearchField[];
  /** The values to send instead, all together; empty when they would complete the search with a value that was to be replaced. */
  readonly corrections: readonly Correction[];
  /** Fields in which the corrections differ from the request; left out when there are none. */
  readonly changing?: readonly SearchField[];
  /** For a refused date: stays of the requested length, nearest first. */
  readonly stays?: readonly SuggestedStay[];
  /** Answers that the corrections clear because they do not fit. */
  readonly clearing: readonly SearchField[];
  /** Filters that no match would fulfil after the corrections; left out when there are none. */
  readonly takingOff?: readonly string[];
  /** The values carried with each value of a missing prerequisite; empty when none is missing. */
  readonly carried: readonly CarriedValues[];
};

/** A stay on offer, and the fields in which it differs from the request. */
export type SuggestedStay = {
  readonly check_in_day: string;
  readonly check_out: string;
  readonly changing: readonly SearchField[];
};

/** Values that were refused only for a missing prerequisite, and are accepted with this value of it. */
export type CarriedValues = { readonly with: Correction; readonly values: readonly Correction[] };

/** The value on offer that a refused one most likely means. */
export type Correction = { readonly field: SearchField; readonly value: string };

/** One refused field with its reason. */
export type FieldFault = {
  readonly code: 'invalid_value' | 'unknown_field' | 'prerequisite_missing' | 'refine_not_available';
  /** Null for an unknown name that must not be repeated. */
  readonly field: string | null;
  readonly reason: RefusalReason | null;
  readonly suggestions: readonly string[];
  readonly candidates: readonly PlaceId[];
  readonly didYouMean: SearchField | null;
  /** Which of several amenities of the request it is, counted from 1. */
  readonly position?: number;
  /** The known fields, given with the first unknown name. */
  readonly known?: readonly SearchField[];
};

export const NO_DETAILS = { reason: null, suggestions: [], candidates: [], didYouMean: null };
