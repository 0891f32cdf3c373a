import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';

/** Whatever went wrong, as a failure: what ends with the signal is a timeout, because whoever aborts has waited long enough. */
export function vendorFailureOf(error: unknown, signal: AbortSignal): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  if (signal.aborted) return new BookingSystemFailure('timeout', 'the call was given up', { cause: error });
  return new BookingSystemFailure('garbled', 'the answer could not be used', { cause: error });
}
