import type { ErrorCode } from '../../contract/errors.ts';
import type { NamedCell } from './report.ts';
import { wordsFor } from './words.ts';

/** Apart from other codes: a `rate_limited` here is about a caller, that of an operator is about us. */
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
  // Why a caller was turned away
  unknown_caller: 'not a known assistant',
  suspended: 'assistant is suspended',
  browser: 'opened in a browser',
  other_host: 'sent to another host name',
  unknown_address: 'address of the caller not known',
  invalid_signature: 'signature not valid',
  replayed_signature: 'signature used before',
};

/** The answer to a request as people read it: by its error, or by why its caller was turned away. */
export function answerWords(code: string): string {
  return Object.hasOwn(ANSWER_WORDS, code) ? (ANSWER_WORDS[code] ?? code) : wordsFor(code);
}

/** The empty code, of an answer without an error, is none. */
export function answerCell(code: string): NamedCell {
  return { id: code === '' ? null : code, text: answerWords(code) };
}

/** `check_in_day:nothing_free` as `day of arrival: nothing free`; without a field, what else was wrong with the request. */
export function refusalWords(refusal: string): string {
  if (refusal === '') return 'none';
  return refusal.includes(':') ? refusal.split(':').map(wordsFor).join(': ') : answerWords(refusal);
}
