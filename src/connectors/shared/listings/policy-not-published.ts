/** Shown where a booking system has no policy: a home without one is not held back, but nobody is told that it can be cancelled. */
export const POLICY_NOT_PUBLISHED =
  'The booking system of the operator states no cancellation policy. Read it on the operator’s website before booking.';
