import { BookingSystemFailure } from '../../quotes/booking-system.ts';

const NOT_AUTHORIZED = 999;

export function isAboutKey(status: number): boolean {
  return status === 401 || status === 403;
}

/** The vendor has understood a call and says in its own envelope that it does not answer it, so its servers work. */
export class LodgifyRefusal extends BookingSystemFailure {
  /** Then every other call would be refused too; else it says something of the home that was asked for. */
  readonly isKeyRefused: boolean;

  constructor(code: number | null, status: number, account: string) {
    const isKeyRefused = code === NOT_AUTHORIZED || isAboutKey(status);
    if (isKeyRefused) super('rejected', `Lodgify does not accept the api_key of the account ${account}`);
    // By its documents every failed call is a server error, so it is one whatever the status.
    else super('server_error', `Lodgify answered with its code ${code}`);
    this.isKeyRefused = isKeyRefused;
  }
}
