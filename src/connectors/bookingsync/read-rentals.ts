import { parseDocument } from '../shared/intake/parse-document.ts';
import type { RawListing } from '../shared/listings/listing.ts';
import { specLineOf } from '../shared/listings/listing.ts';
import { cutText, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { bookingsyncPageCount } from './page-count.ts';
import type { BookingsyncPage } from './read-records.ts';
import { type BookingsyncRecordOf, bookingsyncRecord, linkedIds, listOnPage, recordsIn } from './records.ts';
import { translated } from './translated.ts';

/** A rental, with those of its records that came in the same answer. */
export type BookingsyncRental = {
  readonly reference: string;
  readonly account: string | null;
  /** Null when it is not said. */
  readonly isPublished: boolean | null;
  /** Without pictures, amenities, policy and address. */
  readonly listing: RawListing;
  /** The page of the rental, where the vendor knows one; else empty. */
  readonly page: string;
  readonly minimumStay: number;
  readonly photos: RelatedRecords<'photos'>;
  readonly amenities: RelatedRecords<'rentals_amenities'>;
  readonly policy: RelatedRecords<'rental_cancelation_policies'>;
  /** Where its calendar is. */
  readonly availability: string | null;
  readonly changeOver: string | null;
  readonly nightlyRateMap: string | null;
};

export type RelatedResource = 'photos' | 'rentals_amenities' | 'rental_cancelation_policies';
export type RelatedRecords<Resource extends RelatedResource> = {
  readonly records: readonly BookingsyncRecordOf<Resource>[];
  /** Those that the rental has but that did not come with it. */
  readonly missing: readonly string[];
};

/** More than are shown of any rental. A rental has one policy. */
const MAX_RELATED: Readonly<Record<RelatedResource, number>> = {
  photos: 200,
  rentals_amenities: 200,
  rental_cancelation_policies: 1,
};
const MAX_TEXT = 2000;

/** A task of the intake: one page of `GET /rentals`. */
export function* readBookingsyncRentals(
  document: Uint8Array,
  { language }: { readonly language: string },
): Generator<BookingsyncRental, BookingsyncPage> {
  const page = parseDocument(document);
  const rentals = listOnPage(page, 'rentals');
  const beside = recordsBeside(page);
  for (const published of rentals) {
    const reference = recordNumber(memberOf(published, 'id'));
    if (reference === undefined) continue;
    yield rentalOf(published, reference, beside, language);
  }
  return { pages: bookingsyncPageCount(page) };
}

/** By resource and identifier. */
type RecordsBeside = Readonly<Record<RelatedResource, Map<string, unknown>>>;

function recordsBeside(page: unknown): RecordsBeside {
  const linked = memberOf(page, 'linked');
  const byId = (resource: RelatedResource) =>
    new Map(
      [...recordsIn(page, resource), ...recordsIn(linked, resource)].map((record) => [
        recordNumber(memberOf(record, 'id')) ?? '',
        record,
      ]),
    );
  return {
    photos: byId('photos'),
    rentals_amenities: byId('rentals_amenities'),
    rental_cancelation_policies: byId('rental_cancelation_policies'),
  };
}

function rentalOf(
  rental: unknown,
  reference: string,
  beside: RecordsBeside,
  language: string,
): BookingsyncRental {
  const of = (name: string) => memberOf(rental, name);
  const publishedAt = of('published_at');
  const relatedTo = <Resource extends RelatedResource>(resource: Resource, link: string) =>
    relatedRecords(rental, beside[resource], { resource, link, language });
  return {
    reference,
    account: linkedIds(rental, 'account')[0] ?? null,
    isPublished: publishedAt === undefined ? null : publishedAt !== null,
    listing: listingOf(rental, reference, language),
    page: translated(of('website_url'), language, MAX_TEXT),
    minimumStay: Math.max(1, Math.floor(looseNumber(of('absolute_min_stay')) ?? 1)),
    photos: relatedTo('photos', 'photos'),
    amenities: relatedTo('rentals_amenities', 'rentals_amenities'),
    policy: relatedTo('rental_cancelation_policies', 'rental_cancelation_policy'),
    availability: linkedIds(rental, 'availability')[0] ?? null,
    changeOver: linkedIds(rental, 'change_over')[0] ?? null,
    nightlyRateMap: linkedIds(rental, 'nightly_rate_map')[0] ?? null,
  };
}

function listingOf(rental: unknown, reference: string, language: string): RawListing {
  const of = (name: string) => memberOf(rental, name);
  const text = (name: string) => cutText(of(name), MAX_TEXT).trim();
  const count = (name: string) => looseNumber(of(name)) ?? null;
  const bedrooms = count('bedrooms_count');
  const bathrooms = count('vr_bathrooms_count') ?? count('bathrooms_count');
  const surface = count('surface');
  return {
    reference,
    name: text('name') || translated(of('headline'), language, MAX_TEXT),
    place: text('city').slice(0, 120),
    country: text('country_code').slice(0, 120),
    location: [text('city'), text('state'), text('country_code')].filter((part) => part !== '').join(', '),
    // The vendor refuses more guests than the maximum, and prices the comfortable number and above alike.
    max_guests: count('sleeps_max') || count('sleeps'),
    summary: specLineOf({
      bedrooms: bedrooms ?? undefined,
      beds: undefined,
      bathrooms: bathrooms ?? undefined,
      squareMetres: text('surface_unit') === 'imperial' ? undefined : (surface ?? undefined),
    }),
    bedrooms,
    bathrooms,
    rating: ratingOf(count('reviews_average_rating'), count('reviews_count')),
    check_in_time: hourOf(of('checkin_time')),
    check_out_time: hourOf(of('checkout_time')),
    currency: text('currency'),
    booking_mode: (of('instantly_bookable') ?? of('bookable_online')) === true ? 'instant' : 'request',
  };
}

/** Null when nobody has rated the rental yet, undefined when the vendor does not say. */
function ratingOf(score: number | null, reviews: number | null): RawListing['rating'] {
  if (reviews === 0) return null;
  return score !== null && score > 0 ? { score, scale: 5, review_count: reviews } : undefined;
}

/** The vendor writes an hour of the day. */
function hourOf(value: unknown): string | null {
  const hour = looseNumber(value);
  const isHour = hour !== undefined && Number.isInteger(hour) && hour >= 0 && hour <= 23;
  return isHour ? `${String(hour).padStart(2, '0')}:00` : null;
}

/** Records come inside their rental, as the vendor sends them, or beside the rentals, as its format would have it. */
function relatedRecords<Resource extends RelatedResource>(
  rental: unknown,
  beside: Map<string, unknown>,
  { resource, link, language }: { resource: Resource; link: string; language: string },
): RelatedRecords<Resource> {
  const inside = memberOf(rental, link);
  const max = MAX_RELATED[resource];
  const ids = linkedIds(rental, link).slice(0, max);
  const candidates = [
    ...(Array.isArray(inside) ? inside.slice(0, max) : [inside]),
    ...ids.flatMap((id) => beside.get(id) ?? []),
  ];
  // These are of one rental. If every rental could have them, a page would grow a thousandfold when it is read.
  if (resource !== 'rental_cancelation_policies') for (const id of ids) beside.delete(id);
  const missing = new Set(ids);
  const records = new Map<string, BookingsyncRecordOf<Resource>>();
  for (const candidate of candidates) {
    const id = recordNumber(memberOf(candidate, 'id'));
    if (id === undefined) continue;
    const record = records.size < max && bookingsyncRecord(resource, candidate, language);
    if (record) records.set(id, record);
    // One that came, and could not be understood, would be no better the second time.
    missing.delete(id);
  }
  return { records: [...records.values()], missing: [...missing] };
}
