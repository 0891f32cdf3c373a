import { describeFields } from './describe-fields.ts';
import { ERRORS, type ErrorCode, OK, statusOf } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import { FIELDS, PAYLOAD_FIELDS, SEARCH_FIELDS } from './payload-fields.ts';
import { ResultBody } from './result-body.ts';
import type { SchemaBody } from './schema-body.ts';
import { SearchStep } from './search-body.ts';
import { SessionBody } from './session-body.ts';
import { API_VERSION, SUPPORTED_VERSIONS } from './version.ts';
import {
  BODY_LIMIT_BYTES,
  MAX_AVAILABLE_REQUESTS,
  MAX_DESTINATIONS_SHOWN,
  PATHS,
  VALUE_SETS,
} from './vocabulary.ts';

export type InterfaceLimits = {
  readonly rateLimit: number;
  readonly rateWindowSeconds: number;
  readonly sessionMinutes: number;
  readonly maxOptions: number;
  readonly horizonNights: number;
};

/** The body of `GET /schema`. */
export function describeInterface(limits: InterfaceLimits): SchemaBody {
  return {
    api_version: API_VERSION,
    status: OK,
    object: 'schema',
    self_url: PATHS.schema,
    terms_url: PATHS.terms,
    operations: Object.entries(OPERATIONS).map(([name, { path, methods, summary, query }]) => ({
      name,
      path,
      methods: [...methods],
      summary,
      query: query.map((parameter) => ({ ...parameter })),
    })),
    fields: SEARCH_FIELDS.map((name, index) => ({
      name,
      position: FIELDS[name].step === 'search' ? index + 1 : null,
      ...FIELDS[name].description,
      depends_on: FIELDS[name].dependsOn,
    })),
    field_orders: {
      sourced: [...PAYLOAD_FIELDS],
      direct: PAYLOAD_FIELDS.filter((field) => FIELDS[field].absentOn !== 'direct'),
      single_location: PAYLOAD_FIELDS.filter((field) => FIELDS[field].absentOn !== 'single_location'),
    },
    depends_on: Object.fromEntries(
      PAYLOAD_FIELDS.flatMap((field) => {
        const { dependsOn } = FIELDS[field];
        return dependsOn === null ? [] : [[field, dependsOn]];
      }),
    ),
    session_fields: describeFields(SessionBody),
    step_fields: describeFields(SearchStep),
    result_fields: describeFields(ResultBody),
    errors: (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
      code,
      endpoints: [...ERRORS[code].endpoints],
      http_status: ERRORS[code].status,
      http_status_on_search: statusOf(code, 'search'),
      meaning: ERRORS[code].meaning,
      recovery: ERRORS[code].recovery,
    })),
    limits: {
      rate_limit: {
        requests: limits.rateLimit,
        window_seconds: limits.rateWindowSeconds,
        per: 'live session; without one, assistant and address. The window starts with the first request.',
      },
      session_minutes: limits.sessionMinutes,
      options_per_result: limits.maxOptions,
      amenities_per_refine_request: 1,
      body_bytes: BODY_LIMIT_BYTES,
      destinations_listed: MAX_DESTINATIONS_SHOWN,
      available_requests_listed: MAX_AVAILABLE_REQUESTS,
      nights_ahead: limits.horizonNights,
    },
    idempotency: [
      'The key is the idempotency_key query parameter or the Idempotency-Key header: 1 to 255 characters of A-Za-z0-9._:~-. A valid key is echoed.',
      'Recorded are auth, and search requests that carry a value, for the session’s life. Scope: assistant, session and key; at auth, assistant and key.',
      'The same key with the same request returns the stored answer with Idempotent-Replayed: true. Concurrent duplicates share one answer.',
      'The same key with another request is refused with idempotency_key_reused, unless the service made the key: then it is a new request.',
      'Keys that begin with sw. are made by the service. At auth a key shorter than 16 characters is echoed but not used.',
      'Failures are not recorded: a repeat can succeed.',
    ],
    versions: {
      current: API_VERSION,
      supported: [...SUPPORTED_VERSIONS],
      pinning: 'Send X-API-Version or api_version. A session keeps the version it was opened with.',
      deprecation:
        'A retired version is served for at least 12 months with Deprecation and Sunset headers. Additions are not breaking.',
    },
    value_sets: Object.fromEntries(Object.entries(VALUE_SETS).map(([name, values]) => [name, [...values]])),
    events: 'There are no events, webhooks or callbacks.',
    beyond_the_base_interface: [
      'GET on search does what POST does; field and value may be given in the query.',
      'comparison_set.coverage tells for each brand what its booking system answered.',
      'comparison_set.selection tells how many of the matches were priced, and unpublished_amenities how many a filter left out because they publish none.',
      'quote.price_guarantee tells what the operator promised; quote.deposit, quote.due_on_site, availability.confirmation_hours, cancellation.refundable and cancellation.free_cancellation_until_local are null when unpublished.',
      'allowed_values_truncated tells when a list of destinations was cut.',
      'cleared_fields names values that a change of mind has cleared; accepted_fields names what was taken before a refused field.',
      'destination also takes the name of a place.',
      'api_version and X-API-Version pin the version.',
    ],
  };
}
