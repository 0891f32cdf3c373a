import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { ToolProblem } from '../contract/tools/stay-answer.ts';

/** The problems that only tools have. */
export type ToolFault = 'invalid_arguments' | 'unknown_stay' | 'service_unreachable';

const BEGIN_AGAIN = 'Call search_stays without a session and with everything that the traveller has said.';
const WAIT = 'Wait for retry_after_seconds, then make the same call again.';
const CORRECT = 'Correct the arguments and call the tool again.';
/** Only `staywire mcp` meets these: a person set it up, and can put it right. */
const TELL_WHO_SET_IT_UP =
  'Tell the person who set these tools up what the message says. Another search does not help before that.';
const NOT_YOURS = 'Tell the traveller that the search does not work at the moment.';

/** What a model does about each error. The recoveries of the interface speak of addresses, which tools do not have. */
const WAYS_ON: Readonly<Record<ErrorCode | ToolFault, string>> = {
  access_denied: TELL_WHO_SET_IT_UP,
  session_required: BEGIN_AGAIN,
  session_not_found: BEGIN_AGAIN,
  session_expired: BEGIN_AGAIN,
  session_used_up: BEGIN_AGAIN,
  unknown_source: 'Use a source that describe_network lists, or leave source out to search every brand.',
  incomplete_payload: 'Call search_stays with the session and what is missing.',
  invalid_value: CORRECT,
  unknown_field: CORRECT,
  prerequisite_missing: CORRECT,
  refine_not_available: 'Complete the stay with search_stays first.',
  invalid_request: CORRECT,
  unsupported_media_type: NOT_YOURS,
  result_not_ready: 'Call search_stays with the session and what is missing.',
  upstream_unavailable: `${WAIT} It does not mean that nothing is free: no booking system answered.`,
  nothing_on_offer: `${WAIT} Or search what the message says is on offer.`,
  invalid_idempotency_key: 'Send a key of 1 to 200 printable ASCII characters, or none.',
  idempotency_key_reused: 'Make the call again with a new key.',
  unsupported_version: NOT_YOURS,
  rate_limited: WAIT,
  too_many_sessions:
    'Go on with the session of an earlier answer: every answer of it can be changed. Or wait for retry_after_seconds.',
  overloaded: WAIT,
  storage_unavailable: WAIT,
  not_found: NOT_YOURS,
  method_not_allowed: NOT_YOURS,
  internal_error: `Try once more. ${NOT_YOURS}`,
  invalid_arguments: CORRECT,
  service_unreachable: `Try once more in a while. ${TELL_WHO_SET_IT_UP}`,
  unknown_stay: 'Use a property_id or a rank of the set that the last answer of this session showed.',
};

/** Messages of the interface that point to addresses, said for a model that has none. */
const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  session_used_up: 'This session has had as many results as a session can have.',
  invalid_idempotency_key: 'The idempotency key is too long, or has characters that a key cannot have.',
};

/** Whose message in the body says which of several things holds, and points to no address. */
const SAYS_WHICH: readonly string[] = ['nothing_on_offer'] satisfies ErrorCode[];

export function toolProblem(
  code: ErrorCode | ToolFault,
  { message, retryAfterSeconds }: { readonly message?: string; readonly retryAfterSeconds?: number } = {},
): ToolProblem {
  return {
    code,
    message: message ?? messageOf(code),
    how_to_go_on: WAYS_ON[code],
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
  };
}

/** Of a body that says what went wrong. An error that this release does not know is passed on as it is. */
export function problemOf(body: {
  readonly error: string;
  readonly message: string;
  readonly retry_after_seconds?: number;
}): ToolProblem {
  const { error, message, retry_after_seconds: retryAfterSeconds } = body;
  if (!isErrorCode(error)) return { code: error, message, how_to_go_on: NOT_YOURS };
  return toolProblem(error, {
    message: SAYS_WHICH.includes(error) ? message : messageOf(error),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

const LOST_SESSIONS: readonly string[] = ['session_not_found', 'session_expired', 'session_used_up'];

/** The handle of a session that is not there any more must not be sent again. */
export function handleAfter(body: { readonly error: string }, session: string | null): string | null {
  return LOST_SESSIONS.includes(body.error) ? null : session;
}

function messageOf(code: ErrorCode | ToolFault): string {
  return isErrorCode(code) ? (MESSAGES[code] ?? ERRORS[code].message) : '';
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
