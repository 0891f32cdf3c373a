import type { ResultBody } from '../../contract/result-body.ts';

/** Where a tool result carries what the card is drawn from. Hosts hand `_meta` to the card and keep it from the model. */
export const COMPARISON_META_KEY = 'staywire/comparison';
export const VIEW_META_KEY = 'staywire/view';

/** A result without what only an assistant can use: its session, and every address under `/ai/`. */
export type ComparisonPayload = Omit<
  ResultBody,
  'session' | 'session_expires_at' | 'available_requests' | 'self_url' | 'terms_url'
>;

export type CardSort = 'price' | 'rating' | 'capacity';

/** Which options of the set the traveller asked to see, and in which order. */
export type ComparisonView = {
  readonly sort: CardSort;
  readonly max_total: number | null;
  readonly free_cancellation: boolean;
  readonly property_ids: readonly string[];
  /** The place as people call it. Without it the card makes words of the place's identifier. */
  readonly place_name?: string;
};

/** An option in the structured content of a tool result, for hosts that drop `_meta`. */
export type StructuredOption = {
  readonly rank: number;
  readonly property_id: string;
  readonly name: string;
  readonly brand: string;
  readonly location: string;
  readonly total: number;
  readonly nightly_average: number;
  readonly max_guests: number;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly rating: {
    readonly score: number;
    readonly scale: number;
    readonly review_count: number | null;
  } | null;
  readonly free_cancellation_until: string | null;
  readonly refundable: boolean | null;
  readonly booking_mode: 'instant' | 'request';
  readonly url: string;
};
