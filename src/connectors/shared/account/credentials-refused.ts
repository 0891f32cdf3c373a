import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';

/** The vendor does not accept the account's secrets, so every other call would be refused too. The message says whose they are, never what they are. */
export class CredentialsRefused extends BookingSystemFailure {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('rejected', message, options);
  }
}
