import type { ResultBody } from '../contract/result-body.ts';
import type { StayComparison } from '../contract/tools/stay-answer.ts';
import {
  COMPARISON_META_KEY,
  type ComparisonPayload,
  type ComparisonView,
  VIEW_META_KEY,
} from './card/comparison-payload.ts';

/** What people call a place; undefined where nobody knows. */
export type PlaceName = (place: string) => string | undefined;

/** For the card alone: hosts keep `_meta` from the model. */
export function cardData(
  result: ResultBody,
  { view, options, destination }: StayComparison,
  placeName: PlaceName,
): Record<string, unknown> {
  const {
    session: _session,
    session_expires_at: _end,
    available_requests: _requests,
    self_url: _self,
    terms_url: _terms,
    ...comparison
  } = result;
  const byId = new Map(comparison.results.map((option) => [option.property_id, option]));
  const shown: ComparisonPayload = {
    ...comparison,
    // In the order of the view, with one picture of each home.
    results: options
      .flatMap(({ property_id }) => byId.get(property_id) ?? [])
      .map((option) => ({ ...option, images: { ...option.images, gallery: [] } })),
  };
  const name = placeName(destination);
  const chosen: ComparisonView = { ...view, ...(name === undefined ? {} : { place_name: name }) };
  return { [COMPARISON_META_KEY]: shown, [VIEW_META_KEY]: chosen };
}
