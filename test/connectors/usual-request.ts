import { TODAY } from './vendor-clock.ts';

export const HORIZON = { from: TODAY, nights: 40 };
/** Free at a home that nobody has booked. */
export const STAY = { checkIn: TODAY + 5, checkOut: TODAY + 9, guests: 2, currency: 'EUR' };
/** Of a caller that waits for any answer. */
export const patient = new AbortController().signal;
