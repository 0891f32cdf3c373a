import { BookingSystemFailure, type FailureKind } from '../quotes/booking-system.ts';

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'garbled',
};

/** Every fault of a call as one kind. `givenUp` says that we ended the call: then whatever followed from it is a timeout. */
export function asFailure(error: unknown, givenUp: boolean): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  if (givenUp)
    return new BookingSystemFailure('timeout', 'the operator did not answer in time', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code ?? error.name) : '';
  const spokeNoHttp = error instanceof Error && error.name === 'HTTPParserError';
  const kind = KIND_BY_CODE[code] ?? (spokeNoHttp ? 'garbled' : 'unreachable');
  return new BookingSystemFailure(kind, `the call to the operator failed: ${code || 'unknown fault'}`, {
    cause: error,
  });
}
