import type { Day } from '../stay/day.ts';
import { formatDay } from '../stay/day.ts';

/** Placeholders of a brand's template for links to stays: `https://casas.example/{reference}?from={check_in}`. */
export const STAY_PLACEHOLDERS = [
  'reference',
  'check_in',
  'check_out',
  'nights',
  'guests',
  'currency',
] as const;
type StayPlaceholder = (typeof STAY_PLACEHOLDERS)[number];

export const PLACEHOLDER_IN_STAY_URL = /\{([^{}]*)\}/g;

export type LinkedStay = {
  readonly reference: string;
  readonly currency: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
};

/** The reader of the network file checked the template: every name in braces is a placeholder. */
export function stayAddress(template: string, stay: LinkedStay): string {
  const values: Record<StayPlaceholder, string> = {
    reference: stay.reference,
    check_in: formatDay(stay.checkIn),
    check_out: formatDay(stay.checkOut),
    nights: String(stay.checkOut - stay.checkIn),
    guests: String(stay.guests),
    currency: stay.currency,
  };
  return template.replace(PLACEHOLDER_IN_STAY_URL, (_, name: StayPlaceholder) =>
    encodeURIComponent(values[name]),
  );
}

/** The page of a property without a stay: the template without its query, unless the query names the property. */
export function pageAddress(template: string, reference: string): string {
  const [page = '', query = ''] = template.split('?', 2);
  const constantParts = query.split('&').filter((part) => !part.replaceAll('{reference}', '').includes('{'));
  const address = query.includes('{reference}') ? `${page}?${constantParts.join('&')}` : page;
  return address.replaceAll('{reference}', encodeURIComponent(reference));
}
