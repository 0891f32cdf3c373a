import { IMAGE_TYPES } from '../catalogue/catalogue.ts';

/** Closed value sets, published in `/schema`. */
export const VALUE_SETS = {
  'availability.status': ['available'],
  'availability.booking_mode': ['instant', 'request'],
  'availability.inventory_source': ['live_booking_system', 'rate_card'],
  'images.gallery.type': [...IMAGE_TYPES],
  'quote.price_guarantee': ['held', 'at_retrieval'],
  'cancellation.free_cancellation': ['until', 'over', 'never', 'unpublished'],
} as const;

export const COMPARISON_FIELDS = [
  'rank',
  'name',
  'brand',
  'quote.amount',
  'quote.nightly_average',
  'capacity.max_guests',
  'rating.score',
  'cancellation.summary',
  'url',
] as const;

export const USER_FACING_URLS = ['results[].url', 'all_results_url'] as const;

/** Everything in a result that operators wrote in their own words. */
export const OPERATOR_TEXT = [
  'results[].name',
  'results[].location',
  'results[].capacity.summary',
  'results[].amenities',
  'results[].cancellation.summary',
  'results[].images.primary.alt',
  'results[].images.gallery[].alt',
  'results[].quote.line_items[].label',
  // Keys of amenities can be the operator's own.
  'applied_filters.amenities',
  'available_requests.refine.options[].value',
] as const;

export const ACCESS = { audience: 'ai_assistants', end_user_access: false } as const;

export const PATHS = {
  auth: '/ai/v1/auth',
  search: '/ai/v1/search',
  result: '/ai/v1/result',
  schema: '/ai/v1/schema',
  terms: '/ai/v1/terms',
} as const;

export const TERMS_NOTICE = `Use of this interface is subject to its terms. The version published at ${PATHS.terms} governs.`;

export const BODY_LIMIT_BYTES = 16 * 1024;
export const MAX_DESTINATIONS_SHOWN = 200;
/** How many values of the next field have an address of their own. */
export const MAX_AVAILABLE_REQUESTS = { full: 60, compact: 12 } as const;
/** How many values of a field an answer lists. */
export const MAX_ALLOWED_VALUES = { full: Number.POSITIVE_INFINITY, compact: 60 } as const;
export const MAX_SUGGESTIONS = 5;
/** Far more than a conversation takes. A client's own keys must be remembered to the end, and the quotes of a result for ever. */
export const MAX_RESULTS_PER_SESSION = 200;
export const MAX_OWN_KEYS_PER_SESSION = 1000;
/** Of one session, besides the one that is carried out. */
export const MAX_WAITING_PER_SESSION = 8;
/** Bytes as sent without compression. An envelope is the options and what is around them. */
export const MAX_OPTION_BYTES = 6 * 1024;
export const MAX_ENVELOPE_BYTES = 150 * 1024;
/** How many amenities a result offers to narrow it by. */
export const MAX_REFINE_OPTIONS = 100;
