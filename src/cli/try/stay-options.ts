import type { ComparisonBody, StayValues } from '../../client/client.ts';
import { optionWords, shellCommand } from '../shell-command.ts';

/** The options of `staywire try`. */
export type TryOptions = {
  readonly url?: string;
  readonly source?: string;
  readonly brandLocked?: string;
  readonly destination?: string;
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly guests?: string;
  readonly amenity?: readonly string[];
  readonly open?: boolean;
  readonly json?: boolean;
};

/** Where `npm start` and `staywire serve` listen by default. */
export const LOCAL_SERVICE = 'http://127.0.0.1:8080';

const OPTION_OF: Readonly<Record<string, string>> = {
  brand_locked: '--brand-locked',
  destination: '--destination',
  check_in_month: '--check-in',
  check_in_day: '--check-in',
  check_out: '--check-out',
  guests: '--guests',
  amenities: '--amenity',
};

export function optionFor(field: string): string {
  return OPTION_OF[field] ?? field;
}

/** The fields that the command line answers, without amenities: these narrow the result later, one by one. */
export function valuesIn({ brandLocked, destination, checkIn, checkOut, guests }: TryOptions): StayValues {
  return {
    // The service refuses any other text.
    ...(brandLocked === undefined ? {} : { brand_locked: brandLocked as 'true' | 'false' }),
    ...(destination === undefined ? {} : { destination }),
    ...(checkIn === undefined ? {} : { [isMonth(checkIn) ? 'check_in_month' : 'check_in_day']: checkIn }),
    ...(checkOut === undefined ? {} : { check_out: checkOut }),
    ...(guests === undefined ? {} : { guests }),
  };
}

/** A month instead of a day: the service then offers its days. */
function isMonth(text: string): boolean {
  return /^\d{4}-\d{1,2}$/.test(text);
}

/** The values of a stay in the query of a result. */
export function valuesOf({ query }: Pick<ComparisonBody, 'query'>): StayValues {
  return {
    ...(query.brand_locked === undefined ? {} : { brand_locked: query.brand_locked }),
    destination: query.destination,
    check_in_day: query.check_in,
    check_out: query.check_out,
    guests: query.guests,
  };
}

/** The command line that leads to the same result without a question. */
export function commandFor(
  { query }: Pick<ComparisonBody, 'query'>,
  amenities: readonly string[],
  { url, source }: { readonly url: string; readonly source: string | null },
  /** A session without a destination step refuses the option. */
  hasDestination: boolean,
): string {
  return shellCommand([
    'try',
    ...(url === LOCAL_SERVICE ? [] : optionWords('--url', url)),
    ...(source === null ? [] : optionWords('--source', source)),
    ...(query.brand_locked === undefined ? [] : ['--brand-locked', String(query.brand_locked)]),
    ...(hasDestination ? optionWords('--destination', query.destination) : []),
    ...['--check-in', query.check_in, '--check-out', query.check_out, '--guests', String(query.guests)],
    ...amenities.flatMap((amenity) => optionWords('--amenity', amenity)),
  ]);
}
