import type { ImageType } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord, type MappedAmenities } from '../shared/listings/amenities.ts';
import { fullHour, type RawListing, specLineOf } from '../shared/listings/listing.ts';
import { cutText, looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { mapBookingsyncAmenities } from './amenities.ts';

/** The used members of the records related to rentals. All texts are untrusted. */
export type BookingsyncRecord =
  | {
      readonly resource: 'photos';
      readonly id: string;
      readonly position: number;
      readonly image: { readonly url: string; readonly alt: string; readonly type: ImageType };
    }
  | { readonly resource: 'rentals_amenities'; readonly id: string; readonly amenity: string }
  | {
      readonly resource: 'rental_cancelation_policies';
      readonly id: string;
      /** The account whose default policy it is; null for the policy of a rental or a booking. */
      readonly account: string | null;
      readonly text: string;
      readonly preset: string;
      readonly items: readonly string[];
    }
  | {
      readonly resource: 'rental_cancelation_policy_items';
      readonly id: string;
      readonly days: number;
      readonly percent: number;
    }
  | { readonly resource: 'amenities'; readonly id: string; readonly mapped: MappedAmenities };

export type BookingsyncResource = BookingsyncRecord['resource'];
export type BookingsyncRecordOf<Resource extends BookingsyncResource> = Extract<
  BookingsyncRecord,
  { readonly resource: Resource }
>;

type RecordsParameters = {
  readonly resource: BookingsyncResource;
  readonly language: string;
  /** The requested identifiers; null for all records. */
  readonly asked: readonly string[] | null;
};

export type BookingsyncPage = { readonly pages: number | null };

/** Intake task: reads one page of a list of records. Leaves out invalid records, and those that were not requested. */
export function* readBookingsyncRecords(
  document: Uint8Array,
  { resource, language, asked }: RecordsParameters,
): Generator<BookingsyncRecord, BookingsyncPage> {
  const page = parseDocument(document);
  const wanted = asked && new Set(asked);
  const seen = new Set<string>();
  for (const entry of listOnPage(page, resource)) {
    const id = recordNumber(memberOf(entry, 'id'));
    if (id === undefined || seen.has(id) || (wanted && !wanted.has(id))) continue;
    const record = bookingsyncRecord(resource, entry, language);
    if (!record) continue;
    seen.add(id);
    yield record;
  }
  return { pages: bookingsyncPageCount(page) };
}

export function bookingsyncRecord<Resource extends BookingsyncResource>(
  resource: Resource,
  record: unknown,
  language: string,
): BookingsyncRecordOf<Resource> | undefined {
  const id = recordNumber(memberOf(record, 'id'));
  return id === undefined ? undefined : READERS[resource](record, id, language);
}

/** One character more than a policy may have, so that a longer one is still rejected. */
const MAX_POLICY_LENGTH = 4001;
const MAX_ALT_LENGTH = 2000;
const MAX_ADDRESS_LENGTH = 2048;
const MAX_POLICY_ITEMS = 50;
/** The best first: large enough for a page of results, and quick to load. */
const PHOTO_SIZES = ['grande_url', 'large_url', 'giant_url', 'medium_url', 'compact_url'];
const PHOTO_TYPES: Readonly<Record<string, ImageType>> = {
  bathroom: 'bathroom',
  bedroom: 'bedroom',
  floor_plan: 'floor_plan',
  inside: 'interior',
  kitchen: 'kitchen',
  livingroom: 'living_area',
  outside: 'exterior',
};

/** Undefined for a record that lacks a required member. */
type ReadRecord<Record> = (record: unknown, id: string, language: string) => Record | undefined;

const READERS: {
  readonly [Resource in BookingsyncResource]: ReadRecord<BookingsyncRecordOf<Resource>>;
} = {
  photos(record, id, language) {
    const address = PHOTO_SIZES.map((size) => cutText(memberOf(record, size), MAX_ADDRESS_LENGTH)).find(
      (text) => text !== '',
    );
    if (address === undefined) return undefined;
    const kind = cutText(memberOf(record, 'kind'), 40);
    return {
      resource: 'photos',
      id,
      position: looseNumber(memberOf(record, 'position')) ?? Number.MAX_SAFE_INTEGER,
      image: {
        url: overHttps(address),
        alt: translated(memberOf(record, 'description'), language, MAX_ALT_LENGTH),
        type: (Object.hasOwn(PHOTO_TYPES, kind) && PHOTO_TYPES[kind]) || 'other',
      },
    };
  },
  rentals_amenities(record, id) {
    const amenity = recordNumber(memberOf(memberOf(record, 'links'), 'amenity'));
    return amenity === undefined ? undefined : { resource: 'rentals_amenities', id, amenity };
  },
  rental_cancelation_policies(record, id, language) {
    return {
      resource: 'rental_cancelation_policies',
      id,
      account: accountOfDefault(record),
      text:
        translated(memberOf(record, 'body_translations'), language, MAX_POLICY_LENGTH) ||
        cutText(memberOf(record, 'body'), MAX_POLICY_LENGTH),
      preset: cutText(memberOf(record, 'preset'), 40),
      items: linkedIds(record, 'rental_cancelation_policy_items').slice(0, MAX_POLICY_ITEMS),
    };
  },
  rental_cancelation_policy_items(record, id) {
    const days = looseNumber(memberOf(record, 'eligible_days'));
    const percent = looseNumber(memberOf(record, 'penalty_percentage'));
    if (days === undefined || percent === undefined) return undefined;
    return { resource: 'rental_cancelation_policy_items', id, days, percent };
  },
  amenities(record, id) {
    const key = amenityWord(cutText(memberOf(record, 'key'), 100));
    return key === '' ? undefined : { resource: 'amenities', id, mapped: mapBookingsyncAmenities([key]) };
  },
};

/** The vendor's documentation lists the owner of a policy among its links; its samples show it nowhere. */
function accountOfDefault(policy: unknown): string | null {
  const links = memberOf(policy, 'links');
  const of = (name: string) => memberOf(policy, name) ?? memberOf(links, name);
  if (of('policeable_type') !== 'Account') return null;
  return recordNumber(of('policeable_id') ?? of('account')) ?? null;
}

/** The vendor's picture stores support https, though some documented addresses use http. */
function overHttps(address: string): string {
  if (address.startsWith('//')) return `https:${address}`;
  return address.replace(/^http:(?=\/\/[\w-]+\.(?:s3\.amazonaws|cloudinary)\.com\/)/, 'https:');
}

/** A rental, with its related records from the same answer. */
export type BookingsyncRental = {
  readonly reference: string;
  readonly account: string | null;
  /** Null when the vendor does not state it. */
  readonly isPublished: boolean | null;
  /** Without pictures, amenities, policy and address. */
  readonly listing: RawListing;
  /** The address of the rental's page; empty when the vendor has none. */
  readonly page: string;
  readonly minimumStay: number;
  readonly photos: RelatedRecords<'photos'>;
  readonly amenities: RelatedRecords<'rentals_amenities'>;
  readonly policy: RelatedRecords<'rental_cancelation_policies'>;
  /** The identifier of its availability record. */
  readonly availability: string | null;
  readonly changeOver: string | null;
  readonly nightlyRateMap: string | null;
};

export type RelatedResource = 'photos' | 'rentals_amenities' | 'rental_cancelation_policies';
export type RelatedRecords<Resource extends RelatedResource> = {
  readonly records: readonly BookingsyncRecordOf<Resource>[];
  /** Identifiers of records that did not come with the rental. */
  readonly missing: readonly string[];
};

/** More than are shown for a rental. A rental has one policy. */
const MAX_RELATED: Readonly<Record<RelatedResource, number>> = {
  photos: 200,
  rentals_amenities: 200,
  rental_cancelation_policies: 1,
};
const MAX_TEXT = 2000;

/** Intake task: reads one page of `GET /rentals`. */
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
      bedrooms,
      bathrooms,
      squareMetres: text('surface_unit') === 'imperial' ? null : surface,
    }),
    bedrooms,
    bathrooms,
    rating: ratingOf(count('reviews_average_rating'), count('reviews_count')),
    check_in_time: fullHour(of('checkin_time')),
    check_out_time: fullHour(of('checkout_time')),
    currency: text('currency'),
    booking_mode: (of('instantly_bookable') ?? of('bookable_online')) === true ? 'instant' : 'request',
  };
}

/** Null for a rental without reviews; undefined when the vendor does not state their number. */
function ratingOf(score: number | null, reviews: number | null): RawListing['rating'] {
  if (reviews === 0) return null;
  return score !== null && score > 0 ? { score, scale: 5, review_count: reviews } : undefined;
}

/** Reads records inside their rental, where the vendor puts them, or beside the rentals, where its format puts them. */
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
  // Each belongs to one rental. Shared by every rental, they would make a page a thousand times larger in memory.
  if (resource !== 'rental_cancelation_policies') for (const id of ids) beside.delete(id);
  const missing = new Set(ids);
  const records = new Map<string, BookingsyncRecordOf<Resource>>();
  for (const candidate of candidates) {
    const id = recordNumber(memberOf(candidate, 'id'));
    if (id === undefined) continue;
    const record = records.size < max && bookingsyncRecord(resource, candidate, language);
    if (record) records.set(id, record);
    // Requesting an invalid record again would not make it valid.
    missing.delete(id);
  }
  return { records: [...records.values()], missing: [...missing] };
}

export function linkedIds(record: unknown, link: string): readonly string[] {
  const linked = memberOf(memberOf(record, 'links'), link);
  return (Array.isArray(linked) ? linked : [linked]).flatMap((id) => recordNumber(id) ?? []);
}

/** Ten times the requested page size. */
const MAX_PAGE_RECORDS = 1000;

/** The records of a page. */
export function listOnPage(page: unknown, resource: string): readonly unknown[] {
  const list = memberOf(page, resource);
  if (!Array.isArray(list)) {
    throw new BookingSystemFailure('garbled', `the answer holds no list of ${resource}`);
  }
  if (list.length > MAX_PAGE_RECORDS) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_PAGE_RECORDS} ${resource}`);
  }
  return list;
}

export function recordsIn(document: unknown, resource: string): readonly unknown[] {
  return looseList(memberOf(document, resource));
}

const FALLBACK = 'en';
const MAX_LOCALES = 40;

/** A plain text, or from a text by locale: that in the language, in English, or else the first that is not empty. */
export function translated(value: unknown, language: string, maxLength: number): string {
  if (typeof value === 'string') return cutText(value, maxLength);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  for (const locale of [language, FALLBACK, ...Object.keys(value).slice(0, MAX_LOCALES)]) {
    const text = cutText(memberOf(value, locale), maxLength);
    if (text.trim() !== '') return text;
  }
  return '';
}

/** The number of pages, where the body repeats that header. */
export function bookingsyncPageCount(document: unknown): number | null {
  return looseNumber(memberOf(memberOf(document, 'meta'), 'X-Total-Pages')) ?? null;
}
