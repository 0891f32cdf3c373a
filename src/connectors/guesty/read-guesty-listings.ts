import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { createAmenityMap } from '../shared/listings/amenities.ts';
import type { ListingStayLimits } from '../shared/listings/known-listings.ts';
import type { ListingContext, RawListing } from '../shared/listings/listing.ts';
import { listingPage, rawImage, specLineOf } from '../shared/listings/listing.ts';
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
import { GUESTY_AMENITIES } from './amenities.ts';
import { guestyPolicyInWords } from './guesty-policy.ts';

/** The members of a listing that are read, as the call names them. */
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
  /** For listings for which Guesty names no policy. */
  readonly cancellationText: string | null;
};

export type GuestyListing = {
  readonly listing: RawListing;
  readonly limits: ListingStayLimits;
  readonly unmapped: readonly string[];
  /** Whether the answer has the terms of the stay; a list may leave them out. */
  readonly hasTerms: boolean;
};

/** What the list may leave out, and the answer for a single listing has. */
export type GuestyTerms = {
  readonly listing: Pick<RawListing, 'cancellation' | 'check_in_time' | 'check_out_time'>;
  readonly limits: ListingStayLimits;
};

export type GuestyPageSummary = { readonly nextCursor: string | null };

/** The members of a listing that an estimate of a stay is made of. */
export const GUESTY_RATE_FIELDS = ['_id', 'prices', 'nightlyRates'] as const;

export type GuestyRatesParameters = {
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly currency: string;
};

export type GuestyEstimate = { readonly reference: string; readonly total: MinorUnits | null };

const MAX_LISTINGS = 1000;
const MAX_IMAGES = 500;
const MAX_CURSOR = 2000;
const MAX_AMENITIES = 500;

const mapAmenities = createAmenityMap(GUESTY_AMENITIES, { areNames: true });

/** A task of the intake: one page of `GET /api/listings`. */
export function* readGuestyListings(
  document: Uint8Array,
  parameters: GuestyListingsParameters,
): Generator<GuestyListing, GuestyPageSummary> {
  const { results, nextCursor } = pageIn(document);
  for (const result of results) yield readOne(result, parameters);
  return { nextCursor };
}

/** A task of the intake: one page of `GET /api/listings` with a stay, which lists only what is on offer then. */
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

/** The rates of the nights and the cleaning fee; null when they are not all there. */
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

/** A task of the intake: the terms in `GET /api/listings/{id}`, which is documented in an envelope and answered without. */
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
    location: placeInWords(address),
    max_guests: maxGuests,
    summary: specLineOf({ bedrooms, bathrooms, beds: looseInteger(result.beds), squareMetres: undefined }),
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

/** Without the street: where exactly a home is, its guests are told. */
function placeInWords(address: LooseRecord): string {
  const parts = ['neighborhood', 'city', 'state', 'country'].flatMap(
    (name) => looseText(address[name]) ?? [],
  );
  return [...new Set(parts)].join(', ').slice(0, 2000);
}

/** Null when nobody has rated the home yet, undefined when the vendor does not say. */
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
