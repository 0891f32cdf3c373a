import { pageAddress } from '../../../catalogue/stay-address.ts';
import type { ListingContext } from './listing-reader.ts';

/** The page of a property whose vendor does not say where it is: from the brand's templates. Empty, and refused as such, without any. */
export function listingPage(
  reference: string,
  { pagePattern, stayUrl }: Pick<ListingContext, 'pagePattern' | 'stayUrl'>,
): string {
  const template = pagePattern || stayUrl;
  // Half a character cannot be encoded; such a reference is refused later.
  return template ? pageAddress(template, reference.toWellFormed()) : '';
}
