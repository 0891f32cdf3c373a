import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { BrandId, Image, Place, PlaceId, Property } from '../inventory/catalogue.ts';
import type { HeldBack } from '../quotes/booking-system.ts';
import { userFacingAddress } from '../reading/web-address.ts';
import { Listing, Reference } from './listing.ts';
import { cleanText, verbatimText } from './operator-text.ts';
import { readPublishedAmenities } from './read-amenities.ts';

export type ListingContext = {
  readonly brand: BrandId;
  /** Hosts on which the brand's links and images may point, in the form in which `URL` writes them. */
  readonly hosts: readonly string[];
  /** What the operator calls a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly places: ReadonlyMap<PlaceId, Place>;
};

/**
 * `property` is null when the whole listing is held back. Otherwise `heldBack` names the parts that were left out or
 * replaced.
 */
export type ListingReading = { readonly property: Property | null; readonly heldBack: readonly HeldBack[] };

const MAX_LENGTHS = { name: 120, location: 120, summary: 300, alt: 200, cancellation: 2000 } as const;
const MAX_IMAGES = 40;
const UNRATED = { score: 0, scale: 5, reviewCount: 0 } as const;
const NO_REFERENCE = '(no reference)';

const confirmationHours = Compile(Listing.properties.confirmation_hours);
const refundable = Compile(Listing.properties.cancellation.properties.refundable);
// A fault in what can be left out must not cost the listing, so these members are read apart.
const listingSchema = Compile(
  Type.Object({
    ...Listing.properties,
    confirmation_hours: Type.Optional(Type.Unknown()),
    cancellation: Type.Object({
      ...Listing.properties.cancellation.properties,
      refundable: Type.Optional(Type.Unknown()),
    }),
  }),
);
const referenceSchema = Compile(Reference);

/** Builds a new property from what an operator sent; no part of the incoming object is kept. */
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

  const name = cleanText(listing.name, MAX_LENGTHS.name);
  if (name.kind === 'invalid') return refuse('name', name.faults.join('; '));
  if (name.value === '') return refuse('name', 'has nothing to show');

  // A policy is quoted word for word, so there is nothing to replace it with.
  const policy = verbatimText(listing.cancellation.summary, MAX_LENGTHS.cancellation);
  if (policy.kind === 'invalid') return refuse('cancellation/summary', policy.faults.join('; '));
  if (policy.value === '') return refuse('cancellation/summary', 'has nothing to show');

  const address = userFacingAddress(listing.url, context.hosts);
  if (address.kind === 'invalid') return refuse('url', address.faults.join('; '));

  const textOr = (field: string, raw: string, maxLength: number, fallback: string): string => {
    const text = cleanText(raw, maxLength);
    if (text.kind === 'invalid') {
      report(field, text.faults.join('; '));
      return fallback;
    }
    return text.value || fallback;
  };

  const [primary, ...gallery] = listing.images.slice(0, MAX_IMAGES).flatMap((image, index): Image[] => {
    const picture = userFacingAddress(image.url, context.hosts);
    if (picture.kind === 'invalid') {
      report(`images/${index}/url`, picture.faults.join('; '));
      return [];
    }
    const alt = textOr(`images/${index}/alt`, image.alt, MAX_LENGTHS.alt, name.value);
    return [{ url: picture.value, alt, type: image.type }];
  });
  if (!primary) return refuse('images', 'has no image that could be shown');

  const { rating } = listing;
  if (rating && rating.score > rating.scale) report('rating', 'has a score above its scale');
  const free = listing.cancellation.free_until;
  const optional = <T>(field: string, value: unknown, schema: { Check(value: unknown): value is T }) => {
    if (value === undefined || schema.Check(value)) return value ?? null;
    report(field, 'does not follow the schema');
    return null;
  };
  const canBeRefunded = optional('cancellation/refundable', listing.cancellation.refundable, refundable);
  const contradictsItself = canBeRefunded === false && Boolean(free);
  if (contradictsItself) report('cancellation/refundable', 'contradicts free_until');

  const property: Property = {
    id: `${context.brand}:${reference}`,
    brand: context.brand,
    reference,
    name: name.value,
    place: place.id,
    location: textOr('location', listing.location, MAX_LENGTHS.location, place.name),
    maxGuests: listing.max_guests,
    summary: textOr('summary', listing.summary, MAX_LENGTHS.summary, ''),
    bedrooms: listing.bedrooms ?? null,
    bathrooms: listing.bathrooms ?? null,
    amenities: listing.amenities ? readPublishedAmenities(listing.amenities, report) : null,
    rating:
      rating && rating.score <= rating.scale
        ? { score: rating.score, scale: rating.scale, reviewCount: rating.review_count ?? null }
        : UNRATED,
    cancellation: {
      summary: policy.value,
      free: free ? { daysBefore: free.days_before, time: free.time } : null,
      refundable: contradictsItself ? null : canBeRefunded,
    },
    checkInTime: listing.check_in_time ?? null,
    checkOutTime: listing.check_out_time ?? null,
    images: [primary, ...gallery],
    url: address.value,
    currency: listing.currency,
    bookingMode: listing.booking_mode,
    confirmationHours: optional('confirmation_hours', listing.confirmation_hours, confirmationHours),
    leadDays: listing.lead_days ?? 0,
  };
  return { property, heldBack };
}

/** Also for listings that break the schema elsewhere, so that the report can name them. */
function referenceOf(listing: unknown): string {
  if (typeof listing !== 'object' || listing === null || !('reference' in listing)) return NO_REFERENCE;
  return referenceSchema.Check(listing.reference) ? listing.reference : NO_REFERENCE;
}
