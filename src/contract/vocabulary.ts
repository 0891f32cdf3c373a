import { readFileSync } from 'node:fs';
import { type TProperties, type TSchema, Type } from 'typebox';
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

/** The members of a result that contain operators' own words. */
export const OPERATOR_TEXT = [
  'results[].name',
  'results[].location',
  'results[].capacity.summary',
  'results[].amenities',
  'results[].cancellation.summary',
  'results[].images.primary.alt',
  'results[].images.gallery[].alt',
  'results[].quote.line_items[].label',
  // Keys of amenities can be an operator's own.
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
/** Values of the next field that are listed with their addresses. */
export const MAX_AVAILABLE_REQUESTS = { full: 60, compact: 12 } as const;
/** Values of a field that an answer lists. */
export const MAX_ALLOWED_VALUES = { full: Number.POSITIVE_INFINITY, compact: 60 } as const;
export const MAX_SUGGESTIONS = 5;
/** Far more than a conversation needs. A client's own keys are stored until its end, and the quotes of a result for good. */
export const MAX_RESULTS_PER_SESSION = 200;
export const MAX_OWN_KEYS_PER_SESSION = 1000;
/** Waiting requests of one session, besides the active one. */
export const MAX_WAITING_PER_SESSION = 8;
/** Bytes without compression. An envelope is the whole answer, including its options. */
export const MAX_OPTION_BYTES = 6 * 1024;
export const MAX_ENVELOPE_BYTES = 150 * 1024;
/** Amenities that a result offers to narrow it. */
export const MAX_REFINE_OPTIONS = 100;

export const Timestamp = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$', description });

export const DateText = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });

export const Text = (description: string) => Type.String({ description });
export const Texts = (description: string) => Type.Array(Type.String(), { description });
export const Count = (description: string) => Type.Integer({ description });
export const Decimal = (description: string) => Type.Number({ description });
export const Flag = (description: string) => Type.Boolean({ description });

export const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Bodies allow no additional properties, so that no undocumented field is published by accident. */
export const CLOSED = { additionalProperties: false } as const;

export const Closed = <Members extends TProperties>(members: Members) => Type.Object(members, CLOSED);

export const Described = <Members extends TProperties>(description: string, members: Members) =>
  Type.Object(members, { ...CLOSED, description });

export function formatTimestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** A request may pin the version; a session keeps the one it was opened with. */
export const API_VERSION = '2026-11-01';

/** Newest first. A retired version must stay here for at least twelve months, with `Deprecation` and `Sunset` headers. */
export const SUPPORTED_VERSIONS: readonly string[] = [API_VERSION];

/** Version of the package. That of the interface is a date. */
export const SOFTWARE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
