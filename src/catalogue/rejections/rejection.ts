import type { Property } from '../catalogue.ts';
import type { RejectionRule } from './rejection-rules.ts';

/** What is wrong with a part of a listing or a calendar, for its operator to correct. */
export type RejectionFault = {
  readonly rule: RejectionRule;
  /** Completes the sentence "<field> …". It is logged, so it quotes numbers, dates and what has a fixed pattern, never free text. */
  readonly reason: string;
  /** What was found, made safe by `shownValue`; left out when a member is missing. Never logged. */
  readonly value?: string;
};

export type Rejection = RejectionFault & {
  readonly reference: string;
  /** The path of the member within the listing, such as `images/0/url`; empty for the listing as a whole. */
  readonly field: string;
  /** The home is on offer all the same: without this part, or as another listing describes it. */
  readonly repaired?: true;
};

/** How often each rule held something back: `refused` cost a home, `repaired` a part of one. */
export type RejectionCounts = Readonly<
  Partial<Record<RejectionRule, { readonly refused: number; readonly repaired: number }>>
>;

/** What could be read, and what was held back with the reason: a bad listing does not affect the others. */
export type CatalogueReading = {
  readonly properties: readonly Property[];
  readonly rejections: readonly Rejection[];
  /** How many more listings were held back than `rejections` lists; left out when it lists all. */
  readonly notListed?: number;
  /** By rule, of all that was held back, listed or not; left out when `rejections` lists all. */
  readonly counts?: RejectionCounts;
  /** What the one vocabulary of amenities has no word for; it is not shown. */
  readonly unmappedAmenities?: readonly UnmappedAmenity[];
};

/** A word of the booking system, made safe by `shownText`, and in how many listings it was found. */
export type UnmappedAmenity = { readonly amenity: string; readonly listings: number };
