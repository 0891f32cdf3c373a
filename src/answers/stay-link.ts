import type { Brand } from '../inventory/catalogue.ts';
import type { SettledWish } from '../inventory/wish.ts';
import { formatDay } from '../stay/day.ts';

/** How operators recognise travellers whom we sent. */
const SOURCE_MARKER = 'staywire';

/** The link that a traveller opens: a page of the operator's website with the stay in its query. */
export function stayLink(page: string, brand: Brand, wish: SettledWish, withDestination = false): string {
  const { stayParameters } = brand.website;
  const url = new URL(page);
  url.searchParams.set(stayParameters.checkIn, formatDay(wish.checkIn));
  url.searchParams.set(stayParameters.checkOut, formatDay(wish.checkOut));
  url.searchParams.set(stayParameters.guests, String(wish.guests));
  if (withDestination) url.searchParams.set(stayParameters.destination, wish.place);
  url.searchParams.set(stayParameters.source, SOURCE_MARKER);
  return url.href;
}
