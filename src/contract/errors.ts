import { BODY_LIMIT_BYTES } from './vocabulary.ts';

/** One error of the interface. No other code of the interface contains a status number. */
type ErrorDescription = {
  /** Not used on search, which answers HTTP 200 except for `REAL_STATUS_ON_SEARCH`. */
  readonly status: number;
  readonly endpoints: readonly ErrorEndpoint[];
  readonly message: string;
  readonly meaning: string;
  readonly recovery: string;
};

export type ErrorEndpoint = 'auth' | 'search' | 'result' | 'schema' | 'terms' | 'any';

const errors = {
  access_denied: {
    status: 403,
    endpoints: ['any'],
    message: 'This interface is for approved AI assistants.',
    meaning:
      'The caller is not recognised as an approved assistant, or a person opened the address in a browser.',
    recovery:
      'Call from an approved assistant; help_url says how one is approved and recognised. A traveller opens the links in the result instead.',
  },
  session_required: {
    status: 400,
    endpoints: ['search', 'result'],
    message: 'The session is missing: name it in the query.',
    meaning: 'Every request after auth carries the session token.',
    recovery: 'Open a session with next_request and follow the addresses that it returns.',
  },
  session_not_found: {
    status: 404,
    endpoints: ['search', 'result'],
    message: 'There is no such session.',
    meaning: 'The token is unknown, malformed, or belongs to another assistant.',
    recovery: 'Open a new session with next_request.',
  },
  session_expired: {
    status: 410,
    endpoints: ['search', 'result'],
    message: 'The session has ended, and its quotes with it.',
    meaning: 'The end of the session has passed. Prices are not held any longer.',
    recovery: 'Open a new session with next_request and answer the fields again.',
  },
  unknown_source: {
    status: 404,
    endpoints: ['auth'],
    message: 'No brand on this network has that source name.',
    meaning: 'The source that was named is not on the network. No session was opened.',
    recovery: 'Use a source listed at /, or open a direct session with next_request.',
  },
  incomplete_payload: {
    status: 200,
    endpoints: ['search'],
    message: 'Missing required field: <field>',
    meaning: 'The search lacks one or more fields. This is the ordinary step of the guided cycle.',
    recovery: 'Follow next_request or one of available_requests.',
  },
  invalid_value: {
    status: 200,
    endpoints: ['search'],
    message: 'Invalid value for field: <field>',
    meaning:
      'The value is malformed, or not on offer given what was received; reason says which. The other values of the request were taken, as accepted_fields says.',
    recovery: 'Choose one of suggestions, or of allowed_values for invalid_field.',
  },
  unknown_field: {
    status: 400,
    endpoints: ['auth', 'search', 'result', 'schema', 'terms'],
    message: 'The request names a field that this search does not have.',
    meaning:
      'On search, only the fields in field_order, and amenities, can be supplied; the other values of the request were taken, as accepted_fields says. Elsewhere the query has a parameter that the endpoint does not take.',
    recovery: 'Use the name in did_you_mean, if there is one.',
  },
  prerequisite_missing: {
    status: 200,
    endpoints: ['search'],
    message: 'Another field must be set before field: <field>',
    meaning: 'depends_on names the field that has to come first.',
    recovery: 'Supply the prerequisite too, in the same request or before.',
  },
  refine_not_available: {
    status: 200,
    endpoints: ['search'],
    message: 'The search is not complete yet, so there is nothing to refine.',
    meaning:
      'Amenities narrow a complete result, or come with the fields that complete it. Here fields are still missing; those that came along were taken.',
    recovery: 'Supply missing_fields first, or the amenity together with the last of them.',
  },
  invalid_request: {
    status: 400,
    endpoints: ['auth', 'search', 'result', 'schema', 'terms'],
    message: 'The request could not be read.',
    meaning:
      'Malformed JSON, a body that is not an object, a member of the body given twice, a parameter given twice (a field of the search by its name is an invalid_value then), two values for one field, another session in the body than in the query, a view other than full or compact, or more than 16 KiB.',
    recovery: 'Send a JSON object such as {"destination": "lisbon-pt", "guests": 2}, or follow next_request.',
  },
  unsupported_media_type: {
    status: 415,
    endpoints: ['auth', 'search'],
    message: 'The body must be JSON.',
    meaning: 'A body was sent with another Content-Type than application/json.',
    recovery: 'Send Content-Type: application/json, or no body at all.',
  },
  result_not_ready: {
    status: 409,
    endpoints: ['result'],
    message: 'The search is not complete yet.',
    meaning:
      'There is no result to read before every required field is set; missing_fields names the open ones.',
    recovery: 'Follow next_request until the search returns a result.',
  },
  upstream_unavailable: {
    status: 503,
    endpoints: ['search', 'result'],
    message: 'No booking system gave a usable answer.',
    meaning:
      'No operator could be asked for live prices just now. The payload is kept. It does not mean that nothing is free.',
    recovery: 'Wait for Retry-After and follow next_request.',
  },
  nothing_on_offer: {
    status: 503,
    endpoints: ['search'],
    message: 'No home on this network can be booked at the moment.',
    meaning:
      'Every home in the scope of the session is booked or closed, none is on offer here at present, the operators were not read yet, or the service loads its homes for a moment; message says which.',
    recovery: 'Wait for Retry-After and follow next_request, or open a session for every brand.',
  },
  invalid_idempotency_key: {
    status: 400,
    endpoints: ['auth', 'search', 'result', 'schema', 'terms'],
    message:
      'The idempotency key is not valid: send one key of 1 to 255 printable ASCII characters, without blanks at its ends, or none.',
    meaning:
      'A key has 1 to 255 printable ASCII characters without blanks at its ends. A client sends one key of its own, in the query or in the header.',
    recovery: 'Send one valid key, or none.',
  },
  idempotency_key_reused: {
    status: 422,
    endpoints: ['auth', 'search'],
    message: 'The idempotency key was used for another request: send this one with a new key.',
    meaning: 'The same key came with another request before. Nothing changed.',
    recovery: 'Send the request again with a new key, or follow next_request.',
  },
  unsupported_version: {
    status: 400,
    endpoints: ['any'],
    message: 'That version of the interface is not supported.',
    meaning:
      'X-API-Version or api_version names a version that is not in supported_versions, or not the one of the session.',
    recovery: 'Follow next_request, leave the version out, or use one of supported_versions.',
  },
  rate_limited: {
    status: 429,
    endpoints: ['any'],
    message: 'Too many requests.',
    meaning:
      'A window of the rate limit is used up: that of the session or caller, or that of all requests of the assistant. The X-RateLimit headers are those of the window that refused. The request was not carried out.',
    recovery:
      'Wait for Retry-After and repeat the request, or follow next_request to see where things stand.',
  },
  session_used_up: {
    status: 409,
    endpoints: ['search'],
    message:
      'This session has had as many results, or keys of your own, as a session can have. Open a new session with next_request to go on. If it has a result, that can still be read: available_requests has the address.',
    meaning:
      'A session has at most results_per_session results and own_keys_per_session keys of the client’s own, as limits says. The request was not carried out, and waiting does not help.',
    recovery: 'Open a new session with next_request and send what the traveller has said at once.',
  },
  too_many_sessions: {
    status: 429,
    endpoints: ['auth'],
    message:
      'This assistant has as many sessions open as it may have. Go on with one that is open: every field in its field_order can be changed.',
    meaning:
      'The sessions that the assistant has open, or what they keep in the store, have reached a limit. No session was opened; those that are open go on.',
    recovery:
      'Use a session that is open: every field in its field_order can be changed. Or wait for Retry-After, when the oldest has ended.',
  },
  overloaded: {
    status: 503,
    endpoints: ['any'],
    message: 'The service is busy.',
    meaning:
      'The newest work is refused so that what is under way stays fast, the session has as many requests waiting as it may have, or the assistant as many searches under way; message says which. The request was not carried out.',
    recovery:
      'Wait for Retry-After and repeat the request, or follow next_request to see where things stand.',
  },
  storage_unavailable: {
    status: 503,
    endpoints: ['auth', 'search', 'result'],
    message: 'The service cannot save or read its state just now.',
    meaning:
      'The store cannot be reached, or did not take the change (a full or locked disk). Mostly nothing changed; where only the answer of the store was lost, the change was made.',
    recovery:
      'Wait for Retry-After and repeat the request, under the same key if it had one, which is carried out once. next_request shows where things stand.',
  },
  not_found: {
    status: 404,
    endpoints: ['any'],
    message: 'There is nothing at this address.',
    meaning: 'The path is not part of the interface.',
    recovery: 'Follow next_request, or start at /.',
  },
  method_not_allowed: {
    status: 405,
    endpoints: ['any'],
    message: 'This address does not take that method.',
    meaning: 'The Allow header and allowed_methods list the methods that it takes.',
    recovery: 'Use one of the allowed methods, or follow next_request.',
  },
  internal_error: {
    status: 500,
    endpoints: ['any'],
    message: 'Something went wrong in the service.',
    meaning: 'A fault of ours. It was logged under the X-Request-Id of the answer. Nothing changed.',
    recovery: 'Repeat the request; name the X-Request-Id when you report it.',
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof errors;
export const ERRORS: Readonly<Record<ErrorCode, ErrorDescription>> = errors;

export const OK = 200;
export const NO_CONTENT = 204;
export const NOT_MODIFIED = 304;
export const NOT_READY = 503;
/** Never sent: in the log and the metrics it marks an answer whose client had gone. */
export const CLIENT_GONE = 499;

/** Search answers every other error with HTTP 200. */
const REAL_STATUS_ON_SEARCH: ReadonlySet<ErrorCode> = new Set([
  'access_denied',
  'not_found',
  'method_not_allowed',
]);

export function statusOf(code: ErrorCode, endpoint: ErrorEndpoint): number {
  return endpoint === 'search' && !REAL_STATUS_ON_SEARCH.has(code) ? OK : ERRORS[code].status;
}

export function messageOf(code: ErrorCode, field?: string): string {
  return ERRORS[code].message.replace('<field>', field ?? '');
}

/** Why a request cannot be read: the code of its answer, and a message where the code's own does not say what to change. */
const faults = {
  unsupported_media_type: { code: 'unsupported_media_type' },
  invalid_idempotency_key: { code: 'invalid_idempotency_key' },
  invalid_request: { code: 'invalid_request' },
  unreadable_body: {
    code: 'invalid_request',
    message: 'The body could not be read: send a JSON object in UTF-8, or no body.',
  },
  body_too_large: {
    code: 'invalid_request',
    message: `The body is too large: send at most ${BODY_LIMIT_BYTES} bytes.`,
  },
  repeated_parameter: {
    code: 'invalid_request',
    message: 'A parameter is given more than once: give it once.',
  },
  repeated_member: {
    code: 'invalid_request',
    message: 'A member of the body is given more than once: give it once.',
  },
  two_sessions: {
    code: 'invalid_request',
    message: 'The body names another session than the query: name one session, in the query.',
  },
  unknown_view: { code: 'invalid_request', message: 'view must be full or compact.' },
  half_a_pair: {
    code: 'invalid_request',
    message:
      'field and value go together: send both, or the value under the name of its field, such as guests=2.',
  },
  two_values: {
    code: 'invalid_request',
    message: 'The request has two different values for one field: send one.',
  },
  nested_value: {
    code: 'invalid_request',
    message:
      'A value is nested too deeply: a field takes a text, a number, true or false, or a list of texts.',
  },
  unreadable_source: {
    code: 'invalid_request',
    message: 'source must be the name of one brand, as a text: leave it out to search every brand.',
  },
} as const satisfies Record<string, { readonly code: ErrorCode; readonly message?: string }>;

export type RequestFault = keyof typeof faults;

export const REQUEST_FAULTS: Readonly<
  Record<RequestFault, { readonly code: ErrorCode; readonly message?: string }>
> = faults;

const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/** The caller chooses names and a model reads them, so an answer repeats only plausible ones. */
export function isRepeatableName(name: string): boolean {
  return NAME_PATTERN.test(name);
}
