import type { PlaceId } from '../catalogue/catalogue.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';

/** What was refused, first in field order first, and what was taken all the same. */
export type Refusal = {
  readonly faults: readonly [FieldFault, ...FieldFault[]];
  readonly accepted: readonly SearchField[];
  /** What to send instead, all of it at once; empty where that would complete the search with a value that was to be replaced. */
  readonly corrections: readonly Correction[];
  /** Fields in which the corrections differ from what was asked for; left out when there are none. */
  readonly changing?: readonly SearchField[];
  /** Where a date was refused: stays of as many nights as were asked for, nearest first. */
  readonly stays?: readonly SuggestedStay[];
  /** Answers that do not fit the corrections, and that they clear. */
  readonly clearing: readonly SearchField[];
  /** Filters that no match would have after the corrections; left out when there are none. */
  readonly takingOff?: readonly string[];
  /** What goes along with each value of a missing prerequisite; empty where nothing waits for one. */
  readonly carried: readonly CarriedValues[];
};

/** A stay on offer, and in which fields it differs from what was asked for. */
export type SuggestedStay = {
  readonly check_in_day: string;
  readonly check_out: string;
  readonly changing: readonly SearchField[];
};

/** Values that were refused only because a prerequisite is missing, and that are taken with this value of it. */
export type CarriedValues = { readonly with: Correction; readonly values: readonly Correction[] };

/** The value on offer that a refused one most likely stands for. */
export type Correction = { readonly field: SearchField; readonly value: string };

/** One refused field with its reason. */
export type FieldFault = {
  readonly code: 'invalid_value' | 'unknown_field' | 'prerequisite_missing' | 'refine_not_available';
  /** Null for an unknown name that is not fit to be shown. */
  readonly field: string | null;
  readonly reason: RefusalReason | null;
  readonly suggestions: readonly string[];
  readonly candidates: readonly PlaceId[];
  readonly didYouMean: SearchField | null;
  /** Which of several amenities of the request it is, counted from 1. */
  readonly position?: number;
  /** The fields that there are, with the first unknown name. */
  readonly known?: readonly SearchField[];
};

export const NO_DETAILS = { reason: null, suggestions: [], candidates: [], didYouMean: null };
