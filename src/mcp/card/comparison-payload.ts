import type { ResultBody } from '../../contract/result-body.ts';
import type { StayView } from '../../contract/tools/stay-answer.ts';

/** Where a tool result carries what the card is drawn from. Hosts hand `_meta` to the card and keep it from the model. */
export const COMPARISON_META_KEY = 'staywire/comparison';
export const VIEW_META_KEY = 'staywire/view';

/**
 * A result without what only an assistant can use: its session, and every address under `/ai/`. Of its options it has those that
 * are shown, in the order of the view.
 */
export type ComparisonPayload = Omit<
  ResultBody,
  'session' | 'session_expires_at' | 'available_requests' | 'self_url' | 'terms_url'
>;

/** Which options of the set the traveller asked to see. */
export type ComparisonView = Readonly<StayView> & {
  /** The place as people call it. Without it the card makes words of the place's identifier. */
  readonly place_name?: string;
};
