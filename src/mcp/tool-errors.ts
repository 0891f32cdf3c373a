import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { ToolProblem } from '../contract/tools/stay-answer.ts';

/** Problems that only tools have. */
type ToolFault = 'invalid_arguments' | 'unknown_stay' | 'service_unreachable';

const START_OVER = 'Call search_stays without a session and with everything that the traveller has said.';
const WAIT = 'Wait for retry_after_seconds, then make the same call again.';
const CORRECT = 'Correct the arguments and call the tool again.';
/** Only `staywire mcp` meets these errors; the person who set it up can fix them. */
const TELL_INSTALLER =
  'Tell the person who set these tools up what the message says. Another search does not help before that.';
const TELL_TRAVELLER = 'Tell the traveller that the search does not work at the moment.';

/** How a model continues after each error. The recoveries of the interface refer to addresses, which tools do not have. */
const RECOVERIES: Readonly<Record<ErrorCode | ToolFault, string>> = {
  access_denied: TELL_INSTALLER,
  session_required: START_OVER,
  session_not_found: START_OVER,
  session_expired: START_OVER,
  session_used_up: START_OVER,
  unknown_source: 'Use a source that describe_network lists, or leave source out to search every brand.',
  incomplete_payload: 'Call search_stays with the session and what is missing.',
  invalid_value: CORRECT,
  unknown_field: CORRECT,
  prerequisite_missing: CORRECT,
  refine_not_available: 'Complete the stay with search_stays first.',
  invalid_request: CORRECT,
  unsupported_media_type: TELL_TRAVELLER,
  result_not_ready: 'Call search_stays with the session and what is missing.',
  upstream_unavailable: `${WAIT} It does not mean that nothing is free: no booking system answered.`,
  nothing_on_offer: `${WAIT} Or search what the message says is on offer.`,
  invalid_idempotency_key: 'Send a key of 1 to 200 printable ASCII characters, or none.',
  idempotency_key_reused: 'Make the call again with a new key.',
  unsupported_version: TELL_TRAVELLER,
  rate_limited: WAIT,
  too_many_sessions:
    'Go on with the session of an earlier answer: every answer of it can be changed. Or wait for retry_after_seconds.',
  overloaded: WAIT,
  storage_unavailable: WAIT,
  not_found: TELL_TRAVELLER,
  method_not_allowed: TELL_TRAVELLER,
  internal_error: `Try once more. ${TELL_TRAVELLER}`,
  invalid_arguments: CORRECT,
  service_unreachable: `Try once more in a while. ${TELL_INSTALLER}`,
  unknown_stay: 'Use a property_id or a rank of the set that the last answer of this session showed.',
};

/** Replaces messages of the interface that refer to addresses. */
const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  session_used_up: 'This session has had as many results as a session can have.',
  invalid_idempotency_key: 'The idempotency key is too long, or has characters that a key cannot have.',
};

/** Errors whose message in the body is more specific and refers to no address. */
const HAS_OWN_MESSAGE: readonly string[] = ['nothing_on_offer'] satisfies ErrorCode[];

export function toolProblem(
  code: ErrorCode | ToolFault,
  { message, retryAfterSeconds }: { readonly message?: string; readonly retryAfterSeconds?: number } = {},
): ToolProblem {
  return {
    code,
    message: message ?? messageOf(code),
    how_to_go_on: RECOVERIES[code],
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
  };
}

/** The problem in the body of a failed call. An error that this release does not know is passed on unchanged. */
export function problemOf(body: {
  readonly error: string;
  readonly message: string;
  readonly retry_after_seconds?: number;
}): ToolProblem {
  const { error, message, retry_after_seconds: retryAfterSeconds } = body;
  if (!isErrorCode(error)) return { code: error, message, how_to_go_on: TELL_TRAVELLER };
  return toolProblem(error, {
    message: HAS_OWN_MESSAGE.includes(error) ? message : messageOf(error),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

const LOST_SESSION_ERRORS: readonly string[] = ['session_not_found', 'session_expired', 'session_used_up'];

/** Null for a lost session, so that the model does not send its handle again. */
export function handleAfter(body: { readonly error: string }, session: string | null): string | null {
  return LOST_SESSION_ERRORS.includes(body.error) ? null : session;
}

function messageOf(code: ErrorCode | ToolFault): string {
  return isErrorCode(code) ? (MESSAGES[code] ?? ERRORS[code].message) : '';
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** No call works until a person fixes this fault: the message says who, and how. */
export class ServiceFault extends Error {
  readonly code: 'access_denied' | 'service_unreachable';

  constructor(code: ServiceFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceFault';
    this.code = code;
  }
}

/** The nearest error code of the interface for each problem that only tools have. */
const IN_THE_INTERFACE: Readonly<Record<ToolFault, ErrorCode>> = {
  invalid_arguments: 'invalid_request',
  unknown_stay: 'not_found',
  service_unreachable: 'internal_error',
};

/** A message of the protocol to its client, as far as it is read here. */
export type SentMessage = {
  readonly error?: { readonly code: number; readonly data?: unknown } | undefined;
  readonly result?: Readonly<Record<string, unknown>>;
};

/** The error of an answer, for metrics and logs; null if the call succeeded. */
export function errorOfAnswer({ error, result }: SentMessage, isToolUnknown: boolean): ErrorCode | null {
  if (error) {
    if (error.code === ProtocolErrorCode.InternalError) return 'internal_error';
    // The protocol reports an unknown tool or resource as an invalid parameter.
    const isResource = (error.data as { readonly uri?: unknown } | undefined)?.uri !== undefined;
    const isNameUnknown = error.code === ProtocolErrorCode.InvalidParams && (isToolUnknown || isResource);
    return error.code === ProtocolErrorCode.MethodNotFound || isNameUnknown ? 'not_found' : 'invalid_request';
  }
  if (result?.isError !== true) return null;
  const answer = result.structuredContent as { readonly problem?: { readonly code?: string } } | undefined;
  const code = answer?.problem?.code ?? '';
  if (Object.hasOwn(IN_THE_INTERFACE, code)) return IN_THE_INTERFACE[code as ToolFault];
  return isErrorCode(code) ? code : 'internal_error';
}
