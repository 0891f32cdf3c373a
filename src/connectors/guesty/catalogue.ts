import type { AmenityKey } from '../../catalogue/amenities.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { COMMON_AMENITY_NAMES, createAmenityMap } from '../shared/listings/amenities.ts';
import type { ListingStayLimits } from '../shared/listings/known-listings.ts';
import {
  type ListingContext,
  listingPage,
  placeInWords,
  type RawListing,
  rawImage,
  specLineOf,
} from '../shared/listings/listing.ts';
import { roundedSumOf } from '../shared/prices/amount.ts';
import {
  isLooseRecord,
  type LooseRecord,
  looseInteger,
  looseList,
  looseNumber,
  loosePositive,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';

/** The members of a listing to request, by Guesty's names. */
export const GUESTY_LISTING_FIELDS = [
  '_id',
  'title',
  'accommodates',
  'bedrooms',
  'bathrooms',
  'beds',
  'address',
  'amenities',
  'picture',
  'pictures',
  'prices',
  'reviews',
  'terms',
  'defaultCheckInTime',
  'defaultCheckOutTime',
] as const;

export type GuestyListingsParameters = Pick<ListingContext, 'pagePattern' | 'stayUrl'> & {
  readonly bookingMode: 'instant' | 'request';
  /** For listings without a policy in Guesty. */
  readonly cancellationText: string | null;
};

type GuestyListing = {
  readonly listing: RawListing;
  readonly limits: ListingStayLimits;
  readonly unmapped: readonly string[];
  /** Whether the answer includes the terms of a stay; a list may omit them. */
  readonly hasTerms: boolean;
};

/** Terms that the list may omit, and the answer for a single listing includes. */
export type GuestyTerms = {
  readonly listing: Pick<RawListing, 'cancellation' | 'check_in_time' | 'check_out_time'>;
  readonly limits: ListingStayLimits;
};

type GuestyPageSummary = { readonly nextCursor: string | null };

/** The members of a listing to request for an estimate. */
export const GUESTY_RATE_FIELDS = ['_id', 'prices', 'nightlyRates'] as const;

type GuestyRatesParameters = {
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly currency: string;
};

type GuestyEstimate = { readonly reference: string; readonly total: MinorUnits | null };

const MAX_LISTINGS = 1000;
const MAX_IMAGES = 500;
const MAX_CURSOR = 2000;
const MAX_AMENITIES = 500;

/** Guesty's names of amenities, as its API lists them, except those without an equivalent in the vocabulary. */
const GUESTY_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  ...COMMON_AMENITY_NAMES,
  'Communal pool': 'shared_pool',
  'Ethernet connection': 'wired_internet',
  "Pack 'n Play/travel crib": 'travel_cot',
  'Stair gates': 'baby_safety_gates',
  'Suitable for children (2-12 years)': 'suitable_for_children',
  'Suitable for infants (under 2 years)': 'suitable_for_infants',
};

const mapAmenities = createAmenityMap(GUESTY_AMENITIES, { areNames: true });

/** Intake task: reads one page of `GET /api/listings`. */
export function* readGuestyListings(
  document: Uint8Array,
  parameters: GuestyListingsParameters,
): Generator<GuestyListing, GuestyPageSummary> {
  const { results, nextCursor } = pageIn(document);
  for (const result of results) yield readOne(result, parameters);
  return { nextCursor };
}

/** Intake task: reads one page of `GET /api/listings` with a stay, which lists only the homes that are free for it. */
export function* readGuestyRates(
  document: Uint8Array,
  stay: GuestyRatesParameters,
): Generator<GuestyEstimate, GuestyPageSummary> {
  const { results, nextCursor } = pageIn(document);
  for (const published of results) {
    const result = looseRecord(published);
    const reference = looseText(result._id);
    if (reference !== undefined) yield { reference, total: estimateOf(result, stay) };
  }
  return { nextCursor };
}

/** The sum of the nightly rates and the cleaning fee; null when one is missing. */
function estimateOf(result: LooseRecord, { checkIn, checkOut, currency }: GuestyRatesParameters) {
  const prices = looseRecord(result.prices);
  if (looseText(prices.currency) !== currency) return null;
  const rates = looseRecord(result.nightlyRates);
  const nights = Array.from({ length: checkOut - checkIn }, (_, night) => rates[formatDay(checkIn + night)]);
  const total = roundedSumOf([...nights, looseNumber(prices.cleaningFee) ?? 0], currency);
  return total !== undefined && total > 0 ? total : null;
}

function pageIn(document: Uint8Array): GuestyPageSummary & { readonly results: readonly unknown[] } {
  const { results, pagination } = looseRecord(parseDocument(document));
  if (!Array.isArray(results))
    throw new BookingSystemFailure('garbled', 'the page holds no list of listings');
  if (results.length > MAX_LISTINGS) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_LISTINGS} listings`);
  }
  const next = looseText(looseRecord(looseRecord(pagination).cursor).next) ?? null;
  if (next !== null && next.length > MAX_CURSOR) {
    throw new BookingSystemFailure('garbled', 'the page names a next one that is too long');
  }
  return { results, nextCursor: next };
}

/** Intake task: reads the terms in `GET /api/listings/{id}`, which is documented with an envelope and answered without one. */
export function* readGuestyListing(
  document: Uint8Array,
  parameters: GuestyListingsParameters,
): Generator<GuestyTerms, null> {
  const answer = looseRecord(parseDocument(document));
  const { listing, limits } = readOne(isLooseRecord(answer.results) ? answer.results : answer, parameters);
  const { cancellation, check_in_time, check_out_time } = listing;
  yield { listing: { cancellation, check_in_time, check_out_time }, limits };
  return null;
}

function readOne(published: unknown, parameters: GuestyListingsParameters): GuestyListing {
  const result = looseRecord(published);
  const reference = looseText(result._id) ?? '';
  const address = looseRecord(result.address);
  const bedrooms = looseInteger(result.bedrooms);
  const bathrooms = looseNumber(result.bathrooms);
  const { amenities, unmapped } = mapAmenities(
    looseList(result.amenities)
      .slice(0, MAX_AMENITIES)
      .filter((word) => typeof word === 'string'),
  );
  const terms = looseRecord(result.terms);
  const currency = looseText(looseRecord(result.prices).currency);
  const maxGuests = looseInteger(result.accommodates);
  const listing: RawListing = {
    reference,
    name: looseText(result.title),
    place: looseText(address.city),
    country: looseText(address.country),
    location: placeInWords(address, ['neighborhood', 'city', 'state', 'country']),
    max_guests: maxGuests,
    summary: specLineOf({ bedrooms, bathrooms, beds: looseInteger(result.beds) }),
    bedrooms: bedrooms ?? null,
    bathrooms: bathrooms ?? null,
    amenities,
    rating: ratingOf(looseRecord(result.reviews)),
    cancellation: {
      summary: guestyPolicyInWords(terms.cancellation) ?? parameters.cancellationText ?? undefined,
    },
    check_in_time: timeOfDay(result.defaultCheckInTime),
    check_out_time: timeOfDay(result.defaultCheckOutTime),
    images: imagesOf(result),
    url: listingPage(reference, parameters),
    currency,
    booking_mode: parameters.bookingMode,
  };
  return {
    listing,
    // The documents write `minNight`, the answers `minNights`.
    limits: {
      minimumStay: loosePositive(terms.minNights) ?? loosePositive(terms.minNight),
      maximumStay: loosePositive(terms.maxNights),
    },
    unmapped,
    hasTerms: isLooseRecord(result.terms),
  };
}

/** Null for a home without reviews, undefined when the vendor does not say. */
function ratingOf(reviews: LooseRecord): RawListing['rating'] {
  const score = looseNumber(reviews.avg);
  const total = looseInteger(reviews.total);
  if (total === 0) return null;
  return score ? { score, scale: 10, review_count: total ?? null } : undefined;
}

function timeOfDay(value: unknown): string | null {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(looseText(value) ?? '') ?? [];
  return hour && minute && Number(hour) < 24 && Number(minute) < 60
    ? `${hour.padStart(2, '0')}:${minute}`
    : null;
}

function imagesOf(result: LooseRecord): RawListing['images'] {
  const pictures = looseList(result.pictures).length > 0 ? looseList(result.pictures) : [result.picture];
  return pictures.slice(0, MAX_IMAGES).flatMap((published) => {
    const { original, large, regular, caption } = looseRecord(published);
    return rawImage(looseText(original) ?? looseText(large) ?? regular, caption) ?? [];
  });
}

const MAX_POLICIES = 20;
/** One character beyond the limit of a listing's policy, so that a longer one is still rejected. */
const MAX_LENGTH = 20_001;

/** Guesty sends the name of a policy or the operator's own words; a rate plan has a list of them. */
export function guestyPolicyInWords(published: unknown): string | undefined {
  const policies = (Array.isArray(published) ? published.slice(0, MAX_POLICIES) : [published]).flatMap(
    (policy) => looseText(policy)?.slice(0, MAX_LENGTH) ?? [],
  );
  const names = policies.filter(isName);
  const prose = policies.filter((policy) => !isName(policy));
  const named = names.length > 0 ? [`Cancellation policy: ${names.join(', ')}`] : [];
  return [...named, ...prose].join('\n').slice(0, MAX_LENGTH) || undefined;
}

function isName(policy: string): boolean {
  return !/\s/.test(policy);
}
