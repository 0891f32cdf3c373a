import type { PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import type { Listing } from '../../connectors/shared/listings/listing.ts';
import { readListing } from '../../connectors/shared/listings/listing-reader.ts';

/** Any: it is in no fault. */
const BRAND = 'import';

/**
 * Why no sync would offer the home, as the reading of its listing says. Which places and hosts the network has is decided after
 * the file was read, so those that the listing names count as known.
 */
export function offeringFault(listing: Listing): PlacedFault | undefined {
  const { place, currency, url, images } = listing;
  const addresses = [url, ...images.map((image) => image.url)];
  const city = { id: place, name: place, aliases: [], parent: null, timeZone: 'UTC', currency };
  const { property, rejections } = readListing(listing, {
    brand: BRAND,
    hosts: addresses.flatMap((address) => URL.parse(address)?.host ?? []),
    placeAliases: new Map(),
    places: new Map([[place, { ...city, kind: 'city' }]]),
  });
  const [refused] = property ? [] : rejections;
  if (!refused) return undefined;
  const { reference: _, repaired: __, ...fault } = refused;
  return fault;
}
