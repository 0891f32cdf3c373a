import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { createAmenityMap } from '../shared/listings/amenities.ts';
import type { ListingStayLimits } from '../shared/listings/known-listings.ts';
import type { ListingContext, RawListing } from '../shared/listings/listing.ts';
import { listingPage, rawImage, specLineOf } from '../shared/listings/listing.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseInteger,
  looseList,
  looseNumber,
  loosePositive,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { HOSTAWAY_AMENITIES } from './amenities.ts';
import { hostawayResult } from './hostaway-envelope.ts';
import type { HostawayPolicy } from './read-hostaway-policies.ts';

export type HostawayListingsParameters = Pick<ListingContext, 'hosts' | 'pagePattern' | 'stayUrl'> & {
  /** What each identifier of an amenity is called. */
  readonly amenityNames: ReadonlyMap<string, string>;
  readonly policies: ReadonlyMap<string, HostawayPolicy>;
  /** The policy of direct bookings, where the owner has named it. */
  readonly directPolicy: string | null;
  /** The owner's words, where that policy is not named or not found. */
  readonly cancellationText: string | null;
};

export type HostawayStayTerms = ListingStayLimits & {
  /** By which the website's price is higher than the calculated one; null when what is published cannot be a factor. */
  readonly markup: number | null;
};

export type HostawayListing = {
  readonly listing: RawListing;
  readonly limits: HostawayStayTerms;
  readonly unmapped: readonly string[];
};

export type HostawayPageSummary = {
  /** How many there are on the page, those included that are not offered. */
  readonly onPage: number;
  /** How many there are in all; null when the answer does not say. */
  readonly count: number | null;
  /** By which a page is recognised that comes again. */
  readonly firstId: string | null;
};

const MAX_LISTINGS = 1000;
const MAX_IMAGES = 500;
const MAX_IMAGES_SORTED = 2000;
const MAX_AMENITIES = 500;
const MAX_URLS = 20;
/** A greater one would be a percentage. */
const MAX_MARKUP = 3;
const HOURS_A_DAY = 24;
const MAX_LEAD_DAYS = 365;

const mapAmenities = createAmenityMap(HOSTAWAY_AMENITIES, { areNames: true });

/** A task of the intake: one page of `GET /listings`. Door codes, passwords and contacts in it are not read. */
export function* readHostawayListings(
  document: Uint8Array,
  parameters: HostawayListingsParameters,
): Generator<HostawayListing, HostawayPageSummary> {
  const { result, count } = hostawayResult(document);
  if (!Array.isArray(result)) throw new BookingSystemFailure('garbled', 'the page holds no list of listings');
  if (result.length > MAX_LISTINGS) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_LISTINGS} listings`);
  }
  for (const published of result) {
    const listing = looseRecord(published);
    if (listing.specialStatus !== 'archived') yield readOne(listing, parameters);
  }
  return {
    onPage: result.length,
    count: looseInteger(count) ?? null,
    firstId: looseIdentifier(looseRecord(result[0]).id) ?? null,
  };
}

function readOne(published: LooseRecord, parameters: HostawayListingsParameters): HostawayListing {
  const reference = looseIdentifier(published.id) ?? '';
  const bedrooms = looseInteger(published.bedroomsNumber);
  const bathrooms = looseNumber(published.bathroomsNumber);
  const { amenities, unmapped } = mapAmenities(amenityWords(published, parameters.amenityNames));
  const currency = looseText(published.currencyCode);
  const maxGuests = looseInteger(published.personCapacity);
  const rating = looseNumber(published.averageReviewRating);
  const listing: RawListing = {
    reference,
    name: looseText(published.name) ?? looseText(published.externalListingName),
    place: looseText(published.city),
    country: looseText(published.countryCode) ?? looseText(published.country),
    location: placeInWords(published),
    max_guests: maxGuests,
    summary: specLineOf({
      bedrooms,
      bathrooms,
      beds: looseInteger(published.bedsNumber),
      squareMetres: looseNumber(published.squareMeters),
    }),
    bedrooms: bedrooms ?? null,
    bathrooms: bathrooms ?? null,
    amenities,
    // The vendor tells no number of reviews, so a home without a rating need not be one without reviews.
    rating: rating ? { score: rating, scale: 10, review_count: null } : undefined,
    cancellation: policyOf(published, parameters),
    check_in_time: fullHour(published.checkInTimeStart),
    check_out_time: fullHour(published.checkOutTime),
    images: imagesOf(published),
    url: pageOf(published, reference, parameters),
    currency,
    booking_mode: isInstant(published) ? 'instant' : 'request',
    lead_days: leadDaysOf(published),
  };
  const limits = {
    minimumStay: loosePositive(published.minNights),
    maximumStay: loosePositive(published.maxNights),
    markup: markupOf(published.bookingEngineMarkup),
  };
  return { listing, limits, unmapped };
}

/** Within a lead time a booking has to be confirmed; its unit is not documented, so any makes it uncertain. */
function isInstant({ instantBookable, instantBookableLeadTime }: LooseRecord): boolean {
  return looseFlag(instantBookable) === true && loosePositive(instantBookableLeadTime) === null;
}

/** Whole days, rounded up: until which hour of the day of arrival the website takes bookings is not documented. */
function leadDaysOf({ allowSameDayBooking, sameDayBookingLeadTime }: LooseRecord): number {
  const days = Math.ceil((loosePositive(sameDayBookingLeadTime) ?? 0) / HOURS_A_DAY);
  return Math.min(MAX_LEAD_DAYS, Math.max(days, looseFlag(allowSameDayBooking) === false ? 1 : 0));
}

function markupOf(published: unknown): number | null {
  if (published === null || published === undefined) return 1;
  const factor = looseNumber(published);
  if (factor === 0) return 1;
  return factor !== undefined && factor >= 1 && factor <= MAX_MARKUP ? factor : null;
}

/** An identifier without a name is reported as such. */
function amenityWords(published: LooseRecord, names: ReadonlyMap<string, string>): string[] {
  return looseList(published.listingAmenities)
    .slice(0, MAX_AMENITIES)
    .flatMap((amenity) => {
      const id = looseIdentifier(looseRecord(amenity).amenityId);
      return id === undefined ? [] : [names.get(id) ?? `amenity ${id}`];
    });
}

/** Without the street: where exactly a home is, its guests are told. */
function placeInWords(published: LooseRecord): string {
  const address = looseText(published.publicAddress);
  if (address !== undefined) return address.slice(0, 2000);
  const parts = ['city', 'state', 'country'].flatMap((name) => looseText(published[name]) ?? []);
  return [...new Set(parts)].join(', ').slice(0, 2000);
}

/**
 * A listing names the policy of bookings through other channels. Its words are shown when the owner has given none for direct
 * bookings, but no refund is promised by it.
 */
function policyOf(
  published: LooseRecord,
  { policies, directPolicy, cancellationText }: HostawayListingsParameters,
): RawListing['cancellation'] {
  const direct = directPolicy === null ? undefined : policies.get(directPolicy);
  if (direct) return direct;
  if (cancellationText !== null) return { summary: cancellationText };
  const policy = policies.get(looseIdentifier(published.cancellationPolicyId) ?? '');
  if (policy) return { summary: policy.summary };
  const name = looseText(published.cancellationPolicy);
  return { summary: name && `Cancellation policy: ${name}` };
}

/** Hours of the day, on the clock of the listing. */
function fullHour(value: unknown): string | null {
  const hour = looseInteger(value);
  return hour !== undefined && hour >= 0 && hour < 24 ? `${String(hour).padStart(2, '0')}:00` : null;
}

function imagesOf(published: LooseRecord): RawListing['images'] {
  return looseList(published.listingImages)
    .slice(0, MAX_IMAGES_SORTED)
    .map(looseRecord)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .slice(0, MAX_IMAGES)
    .flatMap(({ url, caption, airbnbCaption, vrboCaption }) => {
      const text = looseText(caption) ?? looseText(airbnbCaption) ?? vrboCaption;
      return rawImage(url, text) ?? [];
    });
}

function orderOf(image: LooseRecord): number {
  return looseInteger(image.sortOrder) ?? Number.MAX_SAFE_INTEGER;
}

/** The first page on a host of the brand, else the first at all, for the report; clients have seen them as texts and as objects. */
function pageOf(
  published: LooseRecord,
  reference: string,
  { hosts, pagePattern, stayUrl }: HostawayListingsParameters,
): string {
  let elsewhere = '';
  for (const page of looseList(published.bookingEngineUrls).slice(0, MAX_URLS)) {
    const text = looseText(page) ?? looseText(looseRecord(page).url) ?? '';
    const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
    if (url && hosts.includes(url.host)) return url.href;
    elsewhere ||= url?.href ?? '';
  }
  return listingPage(reference, { pagePattern: pagePattern ?? null, stayUrl: stayUrl ?? null }) || elsewhere;
}
