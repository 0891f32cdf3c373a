import type { ResultBody } from '../../contract/result-body.ts';
import type { StayView } from '../../contract/tools/stay-answer.ts';

/** Keys of the card's data in `_meta` of a tool result. Hosts pass `_meta` to the card and keep it from the model. */
export const COMPARISON_META_KEY = 'staywire/comparison';
export const VIEW_META_KEY = 'staywire/view';

/**
 * A result without its session and its addresses under `/ai/`, which only an assistant can use. It has the shown options, in the
 * order of the view.
 */
export type ComparisonPayload = Omit<
  ResultBody,
  'session' | 'session_expires_at' | 'available_requests' | 'self_url' | 'terms_url'
>;

/** The selection of options that the traveller asked for. */
export type ComparisonView = Readonly<StayView> & {
  /** The name of the place. Without it the card derives one from the identifier. */
  readonly place_name?: string;
};
