import type { AmenityKey } from '../../catalogue/amenities.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord, createAmenityMap } from '../shared/listings/amenities.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import { type ListingContext, listingPage, type RawListing, rawImage } from '../shared/listings/listing.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseInteger,
  looseList,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';

export function readQloappsAnswer(document: Uint8Array): LooseRecord {
  const answer = parseDocument(document);
  const { errors } = looseRecord(answer);
  if (errors !== undefined) throw new BookingSystemFailure('rejected', refusalOf(errors));
  return looseRecord(answer);
}

/** The message is free text, so only the code is repeated. */
function refusalOf(errors: unknown): string {
  const code = looseInteger(looseRecord(looseList(errors)[0]).code);
  return code === undefined ? 'QloApps refused the request' : `QloApps refused the request with code ${code}`;
}

/** A page without entries is an empty list, because PHP writes empty objects as lists. */
function qloappsEntries(document: Uint8Array, name: string, max: number): readonly unknown[] {
  const entries = readQloappsAnswer(document)[name] ?? [];
  if (!Array.isArray(entries)) throw new BookingSystemFailure('garbled', `${name} is not a list`);
  if (entries.length > max) throw new BookingSystemFailure('too_large', `there are more than ${max} ${name}`);
  return entries;
}

/** The members that all room types of a hotel share. Texts are not cleaned yet. */
export type QloappsHotel = {
  readonly id: string;
  readonly name: string | undefined;
  readonly city: string | undefined;
  readonly policies: string | undefined;
  readonly checkIn: string | null;
  readonly checkOut: string | null;
  readonly features: readonly string[];
  /** The latest day of departure; null when the hotel uses the global setting of the website. */
  readonly bookableUntil: Day | null;
  /** The minimum number of days from booking to arrival; null when the hotel uses the global setting of the website. */
  readonly leadDays: number | null;
  readonly isNonRefundable: boolean;
};

const QLOAPPS_ID = /^\d{1,10}$/;
const MAX_FEATURES = 500;
const MAX_LEAD_DAYS = 365;
/** Copied to the thread that reads room types, which must not block the event loop. */
const MAX_HOTELS = 500;
export const MAX_ROOM_TYPES = 5000;
const MAX_POLICY = 4001;
const MAX_NAME = 2000;
/** One character beyond the limit of a place, so that a longer one is still rejected. */
const MAX_CITY = 121;

/** Intake task: reads `GET /api/hotels`. Addresses, telephones and mail addresses are not read. */
export function* readQloappsHotels(document: Uint8Array, _: null): Generator<QloappsHotel, null> {
  for (const published of qloappsEntries(document, 'hotels', MAX_HOTELS)) {
    const hotel = looseRecord(published);
    const id = looseIdentifier(hotel.id) ?? '';
    if (!QLOAPPS_ID.test(id) || looseFlag(hotel.active) === false) continue;
    yield {
      id,
      name: looseText(hotel.hotel_name)?.slice(0, MAX_NAME),
      city: looseText(hotel.city)?.slice(0, MAX_CITY),
      policies: wordsOfHtml(looseText(hotel.policies)?.slice(0, MAX_POLICY)),
      checkIn: timeOfDay(hotel.check_in),
      checkOut: timeOfDay(hotel.check_out),
      features: associatedIds(hotel, 'hotel_features'),
      bookableUntil: bookableUntil(hotel),
      leadDays: leadDaysOf(hotel),
      isNonRefundable: looseFlag(hotel.active_refund) === false,
    };
  }
  return null;
}

/** Identifiers are numbers in some associations, and texts in others. */
function associatedIds({ associations }: LooseRecord, name: string): readonly string[] {
  return looseList(looseRecord(associations)[name])
    .slice(0, MAX_FEATURES)
    .flatMap((entry) => looseIdentifier(looseRecord(entry).id) ?? [])
    .filter((id) => QLOAPPS_ID.test(id));
}

/** Null for a date of zeros, which means no limit. */
function bookableUntil({ use_global_max_order_date, max_order_date }: LooseRecord): Day | null {
  if (looseFlag(use_global_max_order_date) !== false) return null;
  return parseDay((looseText(max_order_date) ?? '').slice(0, 10)) ?? null;
}

/** A hotel that uses the global setting has a date of zeros in place of the number. */
function leadDaysOf({ use_global_preparation_time, preparation_time }: LooseRecord): number | null {
  if (looseFlag(use_global_preparation_time) !== false) return null;
  const days = looseInteger(preparation_time);
  return days === undefined ? null : Math.min(Math.max(0, days), MAX_LEAD_DAYS);
}

function timeOfDay(value: unknown): string | null {
  const [, time] = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::\d{2})?$/.exec(looseText(value) ?? '') ?? [];
  return time ?? null;
}

const MAX_FEATURE_NAMES = 5000;

/** Intake task: reads `GET /api/hotel_features` or `GET /api/room_type_features`. */
export function* readQloappsFeatures(
  document: Uint8Array,
  { name }: { readonly name: 'hotel_features' | 'room_type_features' },
): Generator<readonly [id: string, name: string], null> {
  for (const published of qloappsEntries(document, name, MAX_FEATURE_NAMES)) {
    const feature = looseRecord(published);
    const [id, word] = [looseIdentifier(feature.id), looseText(feature.name)];
    if (id !== undefined && word !== undefined && looseFlag(feature.active) !== false)
      yield [id, amenityWord(word)];
  }
  return null;
}

const TAG = /<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*|\s?\/)?>/gi;
const INLINE = new Set(['a', 'abbr', 'b', 'em', 'font', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'u']);
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39);/g;
const SIGNS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
};

/** The words of an HTML text, in the lines that a browser shows; undefined when there are none. Still untrusted. */
function wordsOfHtml(html: string | undefined): string | undefined {
  const lines = html
    ?.replace(/\s+/g, ' ')
    .replace(TAG, (_, _closing, name: string) => (INLINE.has(name.toLowerCase()) ? '' : '\n'))
    .replace(ENTITY, (_, name: string) => SIGNS[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines?.join('\n') || undefined;
}

export type QloappsRoomTypesParameters = Pick<ListingContext, 'pagePattern' | 'stayUrl'> & {
  readonly hotels: ReadonlyMap<string, QloappsHotel>;
  /** The names of features by identifier; null when the key may not read them. */
  readonly hotelFeatures: ReadonlyMap<string, string> | null;
  readonly roomTypeFeatures: ReadonlyMap<string, string> | null;
  readonly currency: string;
  /** The maximum number of adults in a room, by room type. */
  readonly capacities: ReadonlyMap<string, number>;
  readonly picturesUrl: string;
  readonly bookingMode: 'instant' | 'request';
  /** Replaces the policies of the hotels. */
  readonly cancellationText: string | null;
  /** For hotels that use the global setting of the website. */
  readonly leadDays: number;
};

/** The facts of a room type that its prices and calendar depend on. */
export type QloappsRoomType = KnownListing & {
  readonly hotel: string;
  readonly bookableUntil: Day | null;
};

type FoundRoomType = {
  readonly listing: RawListing;
  /** Null when a member that prices need is invalid: the listing will then be rejected. */
  readonly known: QloappsRoomType | null;
  readonly unmapped: readonly string[];
};

/** Intake task: reads `GET /api/room_types`. Each room type is one listing, because its rooms are equal. */
export function* readQloappsRoomTypes(
  document: Uint8Array,
  parameters: QloappsRoomTypesParameters,
): Generator<FoundRoomType, object> {
  for (const published of qloappsEntries(document, 'room_types', MAX_ROOM_TYPES)) {
    const roomType = looseRecord(published);
    const hotel = parameters.hotels.get(looseIdentifier(roomType.id_hotel) ?? '');
    if (hotel && isOffered(roomType)) yield readOne(roomType, hotel, parameters);
  }
  return {};
}

function isOffered(roomType: LooseRecord): boolean {
  return ['active', 'show_at_front', 'available_for_order'].every(
    (name) => looseFlag(roomType[name]) !== false,
  );
}

function readOne(
  roomType: LooseRecord,
  hotel: QloappsHotel,
  parameters: QloappsRoomTypesParameters,
): FoundRoomType {
  const { currency, capacities, bookingMode, cancellationText } = parameters;
  const id = looseIdentifier(roomType.id) ?? '';
  const reference = QLOAPPS_ID.test(id) ? id : '';
  const maxGuests = capacities.get(reference) ?? looseInteger(roomType.adults);
  const { amenities, unmapped } = amenitiesOf(roomType, hotel, parameters);
  const listing: RawListing = {
    reference,
    name: [hotel.name, looseText(roomType.name)].filter((part) => part !== undefined).join(', '),
    place: hotel.city,
    location: hotel.city ?? '',
    max_guests: maxGuests,
    summary: (looseText(roomType.description_short) ?? '').slice(0, 2000),
    bedrooms: null,
    bathrooms: null,
    amenities,
    cancellation: cancellationText === null ? cancellationOf(hotel) : { summary: cancellationText },
    check_in_time: hotel.checkIn,
    check_out_time: hotel.checkOut,
    images: imagesOf(roomType, parameters.picturesUrl),
    url: listingPage(reference, parameters),
    currency,
    booking_mode: bookingMode,
    lead_days: hotel.leadDays ?? parameters.leadDays,
  };
  const known =
    reference === '' || maxGuests === undefined
      ? null
      : {
          currency,
          maxGuests,
          minimumStay: null,
          maximumStay: null,
          hotel: hotel.id,
          bookableUntil: hotel.bookableUntil,
        };
  return { listing, known, unmapped };
}

/** QloApps' own text for a hotel without refunds. Of other hotels only the policies are known, which hold other things too. */
function cancellationOf({ isNonRefundable, policies }: QloappsHotel): RawListing['cancellation'] {
  if (!isNonRefundable) return { summary: policies };
  return { summary: policies ?? 'Non Refundable', free_until: null, refundable: false };
}

/**
 * Features of hotels and room types. Hotels define their own, so this maps the names that QloApps ships with and their usual spellings;
 * all others are reported as unmapped.
 */
const QLOAPPS_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  'Coffee Maker': 'coffee_machine',
  Elevator: 'lift',
  'Fitness Center': 'gym',
  'Mini Bar': 'minibar',
  'Pets Allowed': 'pets_allowed',
  TV: 'television',
  WiFi: 'wifi',
};

const mapAmenities = createAmenityMap(QLOAPPS_AMENITIES, { areNames: true });

function amenitiesOf(
  roomType: LooseRecord,
  hotel: QloappsHotel,
  { hotelFeatures, roomTypeFeatures }: QloappsRoomTypesParameters,
) {
  return mapAmenities([
    ...namesOf(associatedIds(roomType, 'room_type_features'), roomTypeFeatures),
    ...namesOf(hotel.features, hotelFeatures),
  ]);
}

function namesOf(ids: readonly string[], names: ReadonlyMap<string, string> | null): readonly string[] {
  return ids.flatMap((id) => names?.get(id) ?? []);
}

const MAX_IMAGES = 500;

/** Each digit of a picture's number is a folder: picture 123 is `img/p/1/2/3/123.jpg`. */
function imagesOf(roomType: LooseRecord, picturesUrl: string): RawListing['images'] {
  const ids = associatedIds(roomType, 'images');
  const first = looseIdentifier(roomType.id_default_image) ?? '';
  const inOrder = [...ids.filter((id) => id === first), ...ids.filter((id) => id !== first)];
  return inOrder
    .slice(0, MAX_IMAGES)
    .flatMap((id) => rawImage(`${picturesUrl}/img/p/${[...id].join('/')}/${id}.jpg`, '') ?? []);
}
