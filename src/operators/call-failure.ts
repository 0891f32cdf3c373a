import { BookingSystemFailure } from '../quotes/booking-system.ts';

/** Whatever a call to a vendor ended with. A wait that is given up rejects with the signal's reason, which is a timeout here. */
export function callFailure(error: unknown, signal: AbortSignal): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  if (signal.aborted) return new BookingSystemFailure('timeout', 'the call was given up', { cause: error });
  return new BookingSystemFailure('garbled', 'the answer could not be read', { cause: error });
}
