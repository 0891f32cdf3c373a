import { formatDay } from '../../src/stay/day.ts';
import { type Stay, stayOf } from '../operator.ts';

/** The stay that a link or a form carries, and what it said word for word, so that a form can show it again. */
export type AskedStay = {
  readonly stay: Stay | undefined;
  /** Something about a stay was said, but it makes no sense. */
  readonly isConfused: boolean;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: string;
  /** Who sent the guest. */
  readonly cameFrom: string | null;
};

export function askedStay(fields: URLSearchParams): AskedStay {
  const checkIn = fields.get('check_in') ?? '';
  const checkOut = fields.get('check_out') ?? '';
  const guests = fields.get('guests') ?? '2';
  const cameFrom = fields.get('source');
  const stay = stayOf(checkIn, checkOut, /^\d{1,3}$/.test(guests) ? Number(guests) : 0);
  return {
    stay,
    isConfused: stay === undefined && (checkIn !== '' || checkOut !== ''),
    checkIn,
    checkOut,
    guests,
    cameFrom: cameFrom !== null && /^[\w.-]{1,64}$/.test(cameFrom) ? cameFrom : null,
  };
}

/** The same stay as a query, for links from page to page. Empty when there is none. */
export function queryOf({ stay, cameFrom }: AskedStay, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    ...more,
    ...(stay && {
      check_in: formatDay(stay.checkIn),
      check_out: formatDay(stay.checkOut),
      guests: String(stay.guests),
    }),
    ...(cameFrom !== null && { source: cameFrom }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}
