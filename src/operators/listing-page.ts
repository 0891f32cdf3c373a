import { pageAddress } from '../inventory/stay-address.ts';
import type { ListingContext } from './listing-reader.ts';

/** The page of a property whose vendor does not say where it is: from the brand's templates. Empty, and refused as such, without any. */
export function listingPage(reference: string, { pagePattern, stayUrl }: ListingContext): string {
  if (pagePattern) return pageAddress(pagePattern, reference);
  return stayUrl ? pageAddress(stayUrl, reference) : '';
}
