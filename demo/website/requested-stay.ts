import { formatDay } from '../../src/stay/day.ts';
import { type Stay, stayOf } from '../operator.ts';

/** The stay in a link or a form, with the original text, so that the form can show it again. */
export type RequestedStay = {
  readonly stay: Stay | undefined;
  /** There are dates, but they are not a stay. */
  readonly isInvalid: boolean;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: string;
  /** The site that sent the guest. */
  readonly cameFrom: string | null;
  /** The identifier of the quote that the link carried. It is of one home, so no link to another carries it on. */
  readonly quote: string | null;
};

export function readRequestedStay(fields: URLSearchParams): RequestedStay {
  const checkIn = fields.get('check_in') ?? '';
  const checkOut = fields.get('check_out') ?? '';
  const guests = fields.get('guests') ?? '2';
  const cameFrom = fields.get('source');
  const quote = fields.get('quote');
  const stay = stayOf(checkIn, checkOut, /^\d{1,3}$/.test(guests) ? Number(guests) : 0);
  return {
    stay,
    isInvalid: stay === undefined && (checkIn !== '' || checkOut !== ''),
    checkIn,
    checkOut,
    guests,
    cameFrom: cameFrom !== null && /^[\w.-]{1,64}$/.test(cameFrom) ? cameFrom : null,
    quote: quote !== null && /^[\w-]{1,80}$/.test(quote) ? quote : null,
  };
}

/** The same stay as a query, for links from page to page. Empty when there is none. */
export function queryOf(
  { stay, cameFrom }: RequestedStay,
  more: Readonly<Record<string, string>> = {},
): string {
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
