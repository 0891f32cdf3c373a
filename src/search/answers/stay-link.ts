import type { Brand, Property } from '../../catalogue/catalogue.ts';
import { stayAddress } from '../../catalogue/stay-address.ts';
import type { CompleteCriteria } from '../../catalogue/stay-criteria.ts';
import { formatDay } from '../../stay/day.ts';

/** Lets operators recognise travellers from Staywire. */
const SOURCE_MARKER = 'staywire';

/** The traveller's link to one property, by the brand's template if it has one. `nxq` is null without a quote. */
export function propertyStayLink(
  { url, reference, currency }: Pick<Property, 'url' | 'reference' | 'currency'>,
  brand: Brand,
  criteria: CompleteCriteria,
  nxq: string | null = null,
): string {
  const { stayUrl, stayParameters } = brand.website;
  const { checkIn, checkOut, guests } = criteria;
  const link = new URL(
    stayUrl ? stayAddress(stayUrl, { reference, currency, checkIn, checkOut, guests }) : url,
  );
  if (stayUrl) link.searchParams.set(stayParameters.source, SOURCE_MARKER);
  else addStay(link.searchParams, brand, criteria, false);
  if (nxq !== null && carriesQuote(brand)) link.searchParams.set(brand.website.stayParameters.quote, nxq);
  return link.href;
}

/** A page of the operator's website with the stay in its query. */
export function stayLink(
  page: string,
  brand: Brand,
  criteria: CompleteCriteria,
  withDestination = false,
): string {
  const url = new URL(page);
  addStay(url.searchParams, brand, criteria, withDestination);
  return url.href;
}

/** The query for a page without one. For a brand whose links carry the quote, the caller appends its identifier, which needs no escapes. */
export function stayQuery(brand: Brand, criteria: CompleteCriteria): string {
  const query = new URLSearchParams();
  addStay(query, brand, criteria, false);
  if (carriesQuote(brand)) query.set(brand.website.stayParameters.quote, '');
  return query.toString();
}

type ToldBrand = Brand & { readonly website: { readonly stayParameters: { readonly quote: string } } };

/** Whether links to the brand's website carry the identifier of the quote. */
export function carriesQuote(brand: Brand): brand is ToldBrand {
  return brand.website.stayParameters.quote !== undefined;
}

function addStay(
  query: URLSearchParams,
  { website: { stayParameters } }: Brand,
  criteria: CompleteCriteria,
  withDestination: boolean,
): void {
  const { place, checkIn, checkOut, guests, ...others } = criteria;
  // Not sent to websites. A new criterion does not compile until it is decided whether to send it.
  const { brand: _brand, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
  query.set(stayParameters.checkIn, formatDay(checkIn));
  query.set(stayParameters.checkOut, formatDay(checkOut));
  query.set(stayParameters.guests, String(guests));
  if (withDestination) query.set(stayParameters.destination, place);
  query.set(stayParameters.source, SOURCE_MARKER);
}
