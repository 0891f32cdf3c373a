import type { ErrorCode } from '../../contract/errors.ts';
import { PAYLOAD_FIELDS, type SearchField } from '../../contract/payload-fields.ts';
import type { NamedCell } from './report.ts';

/** The stages of a session, in order. */
export const STAGES: readonly string[] = [...PAYLOAD_FIELDS, 'prices', 'completed'];

const FIELD_WORDS: Readonly<Record<SearchField, string>> = {
  brand_locked: 'one brand or all',
  destination: 'destination',
  check_in_month: 'month of arrival',
  check_in_day: 'day of arrival',
  check_out: 'day of departure',
  guests: 'guests',
  amenities: 'amenities',
};

/** Codes that need other words than their own. */
const WORDS: Readonly<Record<string, string>> = {
  ...FIELD_WORDS,
  completed: 'result',
  // Reasons of unmet demand
  not_on_network: 'not on the network',
  minimum_stay: 'shorter than the minimum stay',
  maximum_stay: 'longer than the maximum stay',
  closed_to_arrival: 'no arrival on that day',
  closed_to_departure: 'no departure on that day',
  lead_time: 'too soon to book',
  beyond_horizon: 'too far ahead',
  conflicts_with: 'does not fit the other answers',
  operators_silent: 'operators did not answer',
  not_on_offer: 'homes are paused',
  // How searches ended
  compared: 'prices were compared',
  empty: 'no home could be had',
  just_refused: 'refused a moment before',
  too_many_searches: 'too many searches at a time',
};

/** The words for a code. An unknown code is shown without its underscores. */
export function wordsFor(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : code.replaceAll('_', ' ');
}

/** A code with its words; the empty code has no identifier. */
export function codeCell(code: string): NamedCell {
  return { id: code === '' ? null : code, text: wordsFor(code) };
}

/** Kinds of booking systems; vendors by their own names. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  open: 'open protocol',
  'rate-card': 'rate card',
  imported: 'imported file',
  bookingsync: 'BookingSync',
  lodgify: 'Lodgify',
  guesty: 'Guesty',
  hostaway: 'Hostaway',
  beds24: 'Beds24',
  qloapps: 'QloApps',
};

export function systemName(kind: string): string {
  return Object.hasOwn(SYSTEM_NAMES, kind) ? (SYSTEM_NAMES[kind] ?? kind) : kind;
}

/** Apart from `WORDS`: here `rate_limited` is about a caller, as an operator's code it is about us. */
const ERROR_WORDS: Readonly<Record<ErrorCode, string>> = {
  access_denied: 'caller not approved',
  session_required: 'no session named',
  session_not_found: 'no such session',
  session_expired: 'session has ended',
  unknown_source: 'no such brand',
  incomplete_payload: 'asked for the next field',
  invalid_value: 'value refused',
  unknown_field: 'no such field',
  prerequisite_missing: 'another field has to come first',
  refine_not_available: 'amenity before the search was complete',
  invalid_request: 'request could not be read',
  unsupported_media_type: 'body was not JSON',
  result_not_ready: 'result asked for too early',
  upstream_unavailable: 'operators did not answer',
  nothing_on_offer: 'nothing on offer (paused or not read yet)',
  invalid_idempotency_key: 'idempotency key not valid',
  idempotency_key_reused: 'idempotency key used before',
  unsupported_version: 'version not supported',
  rate_limited: 'too many requests',
  session_used_up: 'too many results in a session',
  too_many_sessions: 'too many open sessions',
  overloaded: 'service was busy',
  storage_unavailable: 'storage did not answer',
  not_found: 'no such address',
  method_not_allowed: 'wrong HTTP method',
  internal_error: 'fault of the service',
};

const ANSWER_WORDS: Readonly<Record<string, string>> = {
  ...ERROR_WORDS,
  '': 'answered',
  abandoned: 'the caller went away',
  // Why a caller was refused
  unknown_caller: 'not a known assistant',
  suspended: 'assistant is suspended',
  browser: 'opened in a browser',
  other_host: 'sent to another host name',
  unknown_address: 'address of the caller not known',
  invalid_signature: 'signature not valid',
  replayed_signature: 'signature used before',
};

/** The words for an answer: its error, or why its caller was refused. */
function answerWords(code: string): string {
  return Object.hasOwn(ANSWER_WORDS, code) ? (ANSWER_WORDS[code] ?? code) : wordsFor(code);
}

/** An answer without an error has the empty code, and no identifier. */
export function answerCell(code: string): NamedCell {
  return { id: code === '' ? null : code, text: answerWords(code) };
}

/** `check_in_day:nothing_free` as `day of arrival: nothing free`; without a field, the error of the request. */
export function refusalWords(refusal: string): string {
  if (refusal === '') return 'none';
  return refusal.includes(':') ? refusal.split(':').map(wordsFor).join(': ') : answerWords(refusal);
}

/** The kind of outcome of a request, by the error of its answer or the cause of a refused caller; the empty code is neither. */
export type RequestFate =
  | 'answered'
  | 'refused'
  | 'mistaken'
  | 'over_limit'
  | 'turned_away'
  | 'left'
  | 'failed';

const FATES: Readonly<Record<string, RequestFate>> = {
  '': 'answered',
  // The ordinary step of a search: the answer requests the next field.
  incomplete_payload: 'answered',
  invalid_value: 'refused',
  prerequisite_missing: 'refused',
  refine_not_available: 'refused',
  // The brand is paused, or not read yet after a start: no action is needed.
  nothing_on_offer: 'refused',
  session_required: 'mistaken',
  // A mistake of the assistant, not a refusal: it wrote a name that no field has.
  unknown_field: 'mistaken',
  session_not_found: 'mistaken',
  session_expired: 'mistaken',
  unknown_source: 'mistaken',
  invalid_request: 'mistaken',
  unsupported_media_type: 'mistaken',
  result_not_ready: 'mistaken',
  invalid_idempotency_key: 'mistaken',
  idempotency_key_reused: 'mistaken',
  unsupported_version: 'mistaken',
  not_found: 'mistaken',
  method_not_allowed: 'mistaken',
  rate_limited: 'over_limit',
  too_many_sessions: 'over_limit',
  session_used_up: 'over_limit',
  access_denied: 'turned_away',
  unknown_caller: 'turned_away',
  suspended: 'turned_away',
  browser: 'turned_away',
  other_host: 'turned_away',
  unknown_address: 'turned_away',
  invalid_signature: 'turned_away',
  replayed_signature: 'turned_away',
  abandoned: 'left',
};

const FATE_WORDS: Readonly<Record<RequestFate, string>> = {
  answered: 'answered',
  refused: 'refused',
  mistaken: 'mistake of the caller',
  over_limit: 'over a limit',
  turned_away: 'caller turned away',
  left: 'caller left',
  failed: 'error',
};

/** An unknown code counts as a failure, so that none is overlooked. */
export function fateOf(reason: string): RequestFate {
  return Object.hasOwn(FATES, reason) ? (FATES[reason] ?? 'failed') : 'failed';
}

export function fateCell(reason: string): NamedCell {
  const fate = fateOf(reason);
  return { id: fate, text: FATE_WORDS[fate] };
}
