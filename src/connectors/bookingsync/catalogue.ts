import type { ImageType } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord, knownAmenities, type MappedAmenities } from '../shared/listings/amenities.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import {
  fullHour,
  type ListingContext,
  listingPage,
  type RawListing,
  specLineOf,
} from '../shared/listings/listing.ts';
import { cutText, looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { mapBookingsyncAmenities } from './amenities.ts';

/** Ten times the requested page size. */
const MAX_PAGE_RECORDS = 1000;

/** Parses a page and returns its records. */
export function recordsOfPage(document: Uint8Array, resource: string): readonly unknown[] {
  const list = memberOf(parseDocument(document), resource);
  if (!Array.isArray(list)) {
    throw new BookingSystemFailure('garbled', `the answer holds no list of ${resource}`);
  }
  if (list.length > MAX_PAGE_RECORDS) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_PAGE_RECORDS} ${resource}`);
  }
  return list;
}

export function linkedId(record: unknown, link: string): string | null {
  return recordNumber(memberOf(memberOf(record, 'links'), link)) ?? null;
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

/** Intake task: reads one page of `GET /amenities` as our amenities by number. */
export function* readBookingsyncAmenities(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, MappedAmenities], null> {
  for (const amenity of recordsOfPage(document, 'amenities')) {
    const id = recordNumber(memberOf(amenity, 'id'));
    const key = amenityWord(cutText(memberOf(amenity, 'key'), 100));
    if (id !== undefined && key !== '') yield [id, mapBookingsyncAmenities([key])];
  }
  return null;
}

type RentalsParameters = Pick<ListingContext, 'pagePattern' | 'stayUrl'> & {
  readonly language: string;
  /** Reads only the rentals of this vendor account; null for all that the application may read. */
  readonly accountId: string | null;
  readonly amenities: ReadonlyMap<string, MappedAmenities>;
  /** For rentals whose policy has neither a text nor a preset. */
  readonly cancellationText: string | null;
};

/** The facts of a rental that its calendar depends on: the numbers of its maps. */
export type KnownRental = KnownListing & {
  readonly availability: string | null;
  readonly changeOver: string | null;
};

type FoundRental = {
  readonly listing: RawListing;
  /** Null when a member that prices need is invalid: the listing will then be rejected. */
  readonly known: KnownRental | null;
  readonly unmapped: readonly string[];
};

/** Intake task: reads one page of `GET /rentals` with the photos, amenities and policy inside each. Unpublished rentals are not shown. */
export function* readBookingsyncRentals(
  document: Uint8Array,
  parameters: RentalsParameters,
): Generator<FoundRental, object> {
  const { accountId } = parameters;
  for (const rental of recordsOfPage(document, 'rentals')) {
    const reference = recordNumber(memberOf(rental, 'id'));
    if (reference === undefined || memberOf(rental, 'published_at') === null) continue;
    if (accountId === null || linkedId(rental, 'account') === accountId) {
      yield readRental(rental, reference, parameters);
    }
  }
  return {};
}

const MAX_TEXT = 2000;

function readRental(rental: unknown, reference: string, parameters: RentalsParameters): FoundRental {
  const { language, cancellationText } = parameters;
  const of = (name: string) => memberOf(rental, name);
  const text = (name: string) => cutText(of(name), MAX_TEXT).trim();
  const count = (name: string) => looseNumber(of(name)) ?? null;
  const bedrooms = count('bedrooms_count');
  const bathrooms = count('vr_bathrooms_count') ?? count('bathrooms_count');
  // The vendor refuses more guests than the maximum, and prices the comfortable number and above alike.
  const maxGuests = count('sleeps_max') || count('sleeps');
  const currency = text('currency');
  const checkIn = fullHour(of('checkin_time'));
  const { amenities, unmapped } = amenitiesOf(of('rentals_amenities'), parameters.amenities);
  return {
    listing: {
      reference,
      name: text('name') || translated(of('headline'), language, MAX_TEXT),
      place: text('city').slice(0, 120),
      country: text('country_code').slice(0, 120),
      location: [text('city'), text('state'), text('country_code')].filter((part) => part !== '').join(', '),
      max_guests: maxGuests,
      summary: specLineOf({
        bedrooms,
        bathrooms,
        squareMetres: text('surface_unit') === 'imperial' ? null : count('surface'),
      }),
      bedrooms,
      bathrooms,
      amenities,
      rating: ratingOf(count('reviews_average_rating'), count('reviews_count')),
      cancellation: policyOf(of('rental_cancelation_policy'), { language, checkIn, cancellationText }),
      check_in_time: checkIn,
      check_out_time: fullHour(of('checkout_time')),
      images: imagesOf(of('photos'), language),
      url: translated(of('website_url'), language, MAX_TEXT) || listingPage(reference, parameters),
      currency,
      booking_mode: (of('instantly_bookable') ?? of('bookable_online')) === true ? 'instant' : 'request',
    },
    known:
      maxGuests === null || currency === ''
        ? null
        : {
            currency,
            maxGuests,
            minimumStay: Math.max(1, Math.floor(count('absolute_min_stay') ?? 1)),
            maximumStay: null,
            availability: linkedId(rental, 'availability'),
            changeOver: linkedId(rental, 'change_over'),
          },
    unmapped,
  };
}

/** Null for a rental without reviews; undefined when the vendor does not state their number. */
function ratingOf(score: number | null, reviews: number | null): RawListing['rating'] {
  if (reviews === 0) return null;
  return score !== null && score > 0 ? { score, scale: 5, review_count: reviews } : undefined;
}

const MAX_RELATED = 200;

function amenitiesOf(published: unknown, known: RentalsParameters['amenities']): MappedAmenities {
  const amenities: Record<string, string> = {};
  const unmapped: string[] = [];
  for (const record of looseList(published).slice(0, MAX_RELATED)) {
    const id = linkedId(record, 'amenity') ?? '';
    const mapped = known.get(id);
    Object.assign(amenities, mapped?.amenities);
    unmapped.push(...(mapped?.unmapped ?? [`amenity ${id}`]));
  }
  return { amenities: knownAmenities(amenities), unmapped };
}

const MAX_ALT_LENGTH = 2000;
const MAX_ADDRESS_LENGTH = 2048;
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

function imagesOf(published: unknown, language: string): RawListing['images'] {
  const photos = looseList(published).slice(0, MAX_RELATED);
  const position = (photo: unknown) => looseNumber(memberOf(photo, 'position')) ?? Number.MAX_SAFE_INTEGER;
  return photos
    .toSorted((one, other) => position(one) - position(other))
    .flatMap((photo) => {
      const addresses = PHOTO_SIZES.map((size) => cutText(memberOf(photo, size), MAX_ADDRESS_LENGTH));
      const url = addresses.find((address) => address !== '');
      const kind = cutText(memberOf(photo, 'kind'), 40);
      const type: ImageType = (Object.hasOwn(PHOTO_TYPES, kind) && PHOTO_TYPES[kind]) || 'other';
      const alt = translated(memberOf(photo, 'description'), language, MAX_ALT_LENGTH);
      return url === undefined ? [] : [{ url: overHttps(url), alt, type }];
    });
}

/** The vendor's picture stores support https, though some documented addresses use http. */
function overHttps(address: string): string {
  if (address.startsWith('//')) return `https:${address}`;
  return address.replace(/^http:(?=\/\/[\w-]+\.(?:s3\.amazonaws|cloudinary)\.com\/)/, 'https:');
}

/** One character more than a policy may have, so that a longer one is still rejected. */
const MAX_POLICY_LENGTH = 4001;
const MIDNIGHT = '00:00';

/** The vendor's ready-made policies, as documented, in our words. Each of them refunds something. */
const PRESETS: Readonly<Record<string, string>> = {
  flexible:
    'Flexible: full refund until 24 hours before check-in. After that the first night is kept, and the other nights and all fees are refunded.',
  moderate:
    'Moderate: full refund until 5 days before check-in. After that the first night is kept, half of the other nights and all fees are refunded.',
  strict:
    'Strict: full refund within 48 hours of booking when check-in is at least 14 days away. Half is refunded until 7 days before check-in, and nothing but fees after that.',
  moderate20200317:
    'Moderate: full refund until 5 days before check-in. After that half of the stay and the fees for cleaning and linen are refunded, and nothing after check-in.',
  strict20200317:
    'Strict: half of the stay is refunded until 7 days before check-in, and nothing of it after that. Fees for cleaning and linen are refunded until check-in.',
};
/** Until how many days before check-in cancelling is free. */
const FREE_DAYS: Readonly<Record<string, number>> = { flexible: 1, moderate: 5, moderate20200317: 5 };

/** Undefined when neither the policy nor the entry has a text. Steps of a policy are not read: its text may withhold more than they say. */
function policyOf(
  policy: unknown,
  {
    language,
    checkIn,
    cancellationText,
  }: Pick<RentalsParameters, 'language' | 'cancellationText'> & { readonly checkIn: string | null },
): RawListing['cancellation'] {
  const words =
    translated(memberOf(policy, 'body_translations'), language, MAX_POLICY_LENGTH) ||
    cutText(memberOf(policy, 'body'), MAX_POLICY_LENGTH);
  const preset = cutText(memberOf(policy, 'preset'), 40);
  const described = Object.hasOwn(PRESETS, preset) ? PRESETS[preset] : undefined;
  const hasSteps =
    looseList(memberOf(memberOf(policy, 'links'), 'rental_cancelation_policy_items')).length > 0;
  const summary = words.trim() || described || cancellationText;
  if (!summary) return undefined;
  if (!described || hasSteps) return { summary, free_until: null, refundable: null };
  const days = FREE_DAYS[preset];
  // Without the hour of check-in, free cancellation ends at the start of the day.
  const free_until = days === undefined ? null : { days_before: days, time: checkIn ?? MIDNIGHT };
  return { summary, free_until, refundable: true };
}
