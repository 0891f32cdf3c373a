import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';

const NOT_AUTHORIZED = 999;

export function isAboutKey(status: number): boolean {
  return status === 401 || status === 403;
}

/** The vendor has understood a call and says in its own envelope that it does not answer it, so its servers work. */
export class LodgifyRefusal extends BookingSystemFailure {
  constructor(code: number | null) {
    // By its documents every failed call is a server error, so it is one whatever the status.
    super('server_error', `Lodgify answered with its code ${code}`);
  }
}

export function lodgifyRefusal(code: number | null, status: number, account: string): BookingSystemFailure {
  return code === NOT_AUTHORIZED || isAboutKey(status)
    ? new CredentialsRefused(`Lodgify does not accept the api_key of the account ${account}`)
    : new LodgifyRefusal(code);
}
