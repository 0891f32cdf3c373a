import { Compile } from 'typebox/compile';
import type { BrandId, Image, Place, PlaceId, Property } from '../inventory/catalogue.ts';
import type { HeldBack } from '../quotes/booking-system.ts';
import { userFacingAddress } from '../reading/web-address.ts';
import { Listing, Reference } from './listing.ts';
import { cleanText, verbatimText } from './operator-text.ts';
import { readAmenities } from './read-amenities.ts';

export type ListingContext = {
  readonly brand: BrandId;
  /** Hosts on which the brand's links and images may point, in the form in which `URL` writes them. */
  readonly hosts: readonly string[];
  /** What the operator calls a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly places: ReadonlyMap<PlaceId, Place>;
};

/**
 * `property` is null when the whole listing is held back. With a property, `heldBack` names the parts that were left out or
 * replaced, so that the operator hears of them too.
 */
export type ListingReading = { readonly property: Property | null; readonly heldBack: readonly HeldBack[] };

const LENGTHS = { name: 120, location: 120, summary: 300, alt: 200, cancellation: 2000 } as const;
const MAX_IMAGES = 40;
const UNRATED = { score: 0, scale: 5, reviewCount: 0 } as const;
const NO_REFERENCE = '(no reference)';

const listingSchema = Compile(Listing);
const referenceSchema = Compile(Reference);

/** Builds a property afresh out of what an operator sent; nothing of the object that came in is kept. */
export function readListing(listing: unknown, context: ListingContext): ListingReading {
  const reference = referenceOf(listing);
  const heldBack: HeldBack[] = [];
  const report = (field: string, reason: string) => heldBack.push({ reference, field, reason });
  const refuse = (field: string, reason: string): ListingReading => ({
    property: null,
    heldBack: [{ reference, field, reason }],
  });

  if (!listingSchema.Check(listing)) {
    const [first] = listingSchema.Errors(listing);
    return refuse(first?.instancePath.slice(1) ?? '', first?.message ?? 'does not follow the schema');
  }

  const place = context.places.get(context.placeAliases.get(listing.place) ?? listing.place);
  if (place?.kind !== 'city') return refuse('place', 'is not a city of the network');
  if (listing.currency !== place.currency) {
    return refuse('currency', `is ${listing.currency}, but ${place.id} is compared in ${place.currency}`);
  }

  const name = cleanText(listing.name, LENGTHS.name);
  if ('heldBack' in name) return refuse('name', name.heldBack);
  if (name.text === '') return refuse('name', 'has nothing to show');

  // A policy cannot be replaced by words of ours.
  const policy = verbatimText(listing.cancellation.summary, LENGTHS.cancellation);
  if ('heldBack' in policy) return refuse('cancellation/summary', policy.heldBack);
  if (policy.text === '') return refuse('cancellation/summary', 'has nothing to show');

  const address = userFacingAddress(listing.url, context.hosts);
  if (address.kind === 'invalid') return refuse('url', address.faults.join('; '));

  const textOr = (field: string, raw: string, maxLength: number, fallback: string): string => {
    const outcome = cleanText(raw, maxLength);
    if ('heldBack' in outcome) report(field, outcome.heldBack);
    return 'text' in outcome && outcome.text !== '' ? outcome.text : fallback;
  };

  const [primary, ...gallery] = listing.images.slice(0, MAX_IMAGES).flatMap((image, index): Image[] => {
    const picture = userFacingAddress(image.url, context.hosts);
    if (picture.kind === 'invalid') {
      report(`images/${index}/url`, picture.faults.join('; '));
      return [];
    }
    const alt = textOr(`images/${index}/alt`, image.alt, LENGTHS.alt, name.text);
    return [{ url: picture.value, alt, type: image.type }];
  });
  if (!primary) return refuse('images', 'has no image that could be shown');

  const { rating } = listing;
  if (rating && rating.score > rating.scale) report('rating', 'has a score above its scale');
  const free = listing.cancellation.free_until;

  const property: Property = {
    id: `${context.brand}:${reference}`,
    brand: context.brand,
    reference,
    name: name.text,
    place: place.id,
    location: textOr('location', listing.location, LENGTHS.location, place.name),
    maxGuests: listing.max_guests,
    summary: textOr('summary', listing.summary, LENGTHS.summary, ''),
    bedrooms: listing.bedrooms ?? null,
    bathrooms: listing.bathrooms ?? null,
    amenities: listing.amenities ? readAmenities(listing.amenities, report) : null,
    rating:
      rating && rating.score <= rating.scale
        ? { score: rating.score, scale: rating.scale, reviewCount: rating.review_count ?? null }
        : UNRATED,
    cancellation: {
      summary: policy.text,
      free: free ? { daysBefore: free.days_before, time: free.time } : null,
    },
    checkInTime: listing.check_in_time ?? null,
    checkOutTime: listing.check_out_time ?? null,
    images: [primary, ...gallery],
    url: address.value,
    currency: listing.currency,
    bookingMode: listing.booking_mode,
    leadDays: listing.lead_days ?? 0,
  };
  return { property, heldBack };
}

/** Also for listings that break the schema elsewhere: a report without a reference helps nobody. */
function referenceOf(listing: unknown): string {
  if (typeof listing !== 'object' || listing === null || !('reference' in listing)) return NO_REFERENCE;
  return referenceSchema.Check(listing.reference) ? listing.reference : NO_REFERENCE;
}
