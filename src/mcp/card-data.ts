import type { ResultBody } from '../contract/result-body.ts';
import type { StayComparison } from '../contract/tools/stay-answer.ts';

/** The set without what only assistants may follow. */
export type CardComparison = Omit<
  ResultBody,
  'session' | 'session_expires_at' | 'access' | 'available_requests' | 'self_url' | 'terms_url'
>;

/** Which options the traveller asked to see, and in which order. */
export type CardView = StayComparison['view'] & { readonly property_ids: readonly string[] };

/** For the card alone: models are not shown the members of `_meta`. */
export function cardData(result: ResultBody, { view, options }: StayComparison): Record<string, unknown> {
  const {
    session: _session,
    session_expires_at: _end,
    access: _access,
    available_requests: _requests,
    self_url: _self,
    terms_url: _terms,
    ...comparison
  } = result;
  const shown: CardComparison = {
    ...comparison,
    // The card shows one picture for each home.
    results: comparison.results.map((option) => ({
      ...option,
      images: { ...option.images, gallery: [] },
    })),
  };
  const cardView: CardView = { ...view, property_ids: options.map(({ property_id }) => property_id) };
  return { 'staywire/comparison': shown, 'staywire/view': cardView };
}
