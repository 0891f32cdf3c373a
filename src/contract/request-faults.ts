import type { ErrorCode } from './errors.ts';
import { BODY_LIMIT_BYTES } from './vocabulary.ts';

/** Why a request cannot be read: the code of its answer, and a message where that of the code does not say what to change. */
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
