import type { Rejection } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord } from '../shared/listings/amenities.ts';
import {
  fullHour,
  type ListingContext,
  listingPage,
  type RawImage,
  type RawListing,
  rawImage,
  specLineOf,
} from '../shared/listings/listing.ts';
import {
  cutText,
  looseList,
  looseNumber,
  looseRecord,
  looseText,
  memberOf,
  recordNumber,
} from '../shared/vendors/loose-values.ts';
import { LODGIFY_FLAGS, mapLodgifyAmenities } from './amenities.ts';

/** The summary of an answer. */
export type LodgifyAnswerEnd = {
  /** The vendor's error code; null for a success. */
  readonly errorCode: number | null;
};

export const NO_ERROR: LodgifyAnswerEnd = { errorCode: null };

/** The answer to every failed call is an object with a code. */
export function errorCodeOf(answer: unknown): number | null {
  return looseNumber(memberOf(answer, 'code')) ?? null;
}

/** An active property in the vendor's list; its room has the other members. */
export type LodgifyProperty = {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly imageUrl: string;
  readonly currency: string;
  /** The first of its room types; null when it has none. */
  readonly room: string | null;
  readonly roomTypes: number;
  /** The vendor's last change; empty when unknown. */
  readonly updatedAt: string;
};

type LodgifyPropertiesPage = LodgifyAnswerEnd & {
  /** Of all pages together; null when the answer does not say. */
  readonly count: number | null;
  /** On this page, including inactive and invalid ones. */
  readonly listed: number;
};

/** Above the requested page size, for answers that ignore it. */
const MAX_LISTED = 1000;
/** Longer than the text that is shown, because markup is removed first. */
const MAX_TEXT = 400;
/** Above the limit of an image address, so that a longer one is rejected. */
const MAX_ADDRESS = 1000;
/** One letter more than a currency has, so that a longer one stays invalid. */
const MAX_CURRENCY = 4;
const MAX_MOMENT = 40;

/** Intake task: reads a page of `GET /v2/properties`. */
export function* readLodgifyProperties(
  document: Uint8Array,
  _parameters: null,
): Generator<LodgifyProperty, LodgifyPropertiesPage> {
  const page = parseDocument(document);
  const errorCode = errorCodeOf(page);
  if (errorCode !== null) return { count: null, listed: 0, errorCode };
  // Some answers are the bare list.
  const items = Array.isArray(page) ? page : memberOf(page, 'items');
  if (!Array.isArray(items))
    throw new BookingSystemFailure('garbled', 'the answer holds no list of properties');
  if (items.length > MAX_LISTED)
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_LISTED} properties`);
  for (const item of items) {
    const id = recordNumber(memberOf(item, 'id'));
    if (id === undefined || memberOf(item, 'is_active') === false) continue;
    const text = (name: string, maxLength = MAX_TEXT) =>
      (looseText(memberOf(item, name)) ?? '').slice(0, maxLength);
    const rooms = looseList(memberOf(item, 'rooms')).flatMap(
      (room) => recordNumber(memberOf(room, 'id')) ?? [],
    );
    yield {
      id,
      name: text('name'),
      city: text('city'),
      country: text('country'),
      imageUrl: text('image_url', MAX_ADDRESS),
      currency: text('currency_code', MAX_CURRENCY),
      room: rooms[0] ?? null,
      roomTypes: rooms.length,
      updatedAt: text('updated_at', MAX_MOMENT),
    };
  }
  return { count: looseNumber(memberOf(page, 'count')) ?? null, listed: items.length, ...NO_ERROR };
}

/** The room type of a property. */
export type LodgifyRoom = {
  readonly maxGuests: number | null;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly squareMetres: number | null;
  readonly currency: string;
  readonly images: readonly RawImage[];
  readonly amenities: readonly string[];
};

/** A few more than are used. */
const MAX_IMAGES = 60;
/** Longer than the caption that is shown, because markup is removed first. */
const MAX_ALT = 400;
/** Of all addresses and captions: several times the limit of a gallery. */
const MAX_GALLERY_LETTERS = 24_000;
const MAX_AMENITIES = 300;

/** Intake task: reads the answer of `GET /v1/properties/{property}/rooms/{room}`. Yields one item. */
export function* readLodgifyRoom(
  document: Uint8Array,
  _parameters: null,
): Generator<LodgifyRoom, LodgifyAnswerEnd> {
  const room = parseDocument(document);
  const errorCode = errorCodeOf(room);
  if (errorCode !== null) return { errorCode };
  // The vendor writes 0 for members that its customer left empty.
  const count = (name: string) => looseNumber(memberOf(room, name)) || null;
  const isMetric = memberOf(room, 'area_unit') === 'sqm';
  yield {
    maxGuests: count('max_people'),
    bedrooms: count('bedrooms'),
    bathrooms: count('bathrooms'),
    squareMetres: isMetric ? count('area') : null,
    currency: cutText(memberOf(memberOf(room, 'currency'), 'code'), 3),
    images: imagesOf(room),
    amenities: amenitiesOf(room),
  };
  return NO_ERROR;
}

function imagesOf(room: unknown): readonly RawImage[] {
  const images: RawImage[] = [];
  let letters = 0;
  for (const published of looseList(memberOf(room, 'images')).slice(0, MAX_IMAGES)) {
    const image = rawImage(memberOf(published, 'url'), cutText(memberOf(published, 'text'), MAX_ALT));
    if (!image) continue;
    letters += image.url.length + image.alt.length;
    if (letters > MAX_GALLERY_LETTERS) break;
    images.push(image);
  }
  return images;
}

function amenitiesOf(room: unknown): readonly string[] {
  const groups = memberOf(room, 'amenities');
  const named = Object.values(looseRecord(groups))
    .slice(0, MAX_AMENITIES)
    .flatMap((group) => looseList(group).slice(0, MAX_AMENITIES))
    .slice(0, MAX_AMENITIES)
    .flatMap((amenity) => looseText(memberOf(amenity, 'name')) ?? []);
  const flags = LODGIFY_FLAGS.filter((flag) => memberOf(room, flag) === true);
  return [...flags, ...named.map(amenityWord)];
}

export type LodgifySettings = {
  readonly checkInTime: string | null;
  readonly checkOutTime: string | null;
  readonly leadDays: number;
};

const MAX_LEAD_DAYS = 365;

/** Intake task: reads the answer of `GET /v2/rates/settings`. Yields one item. */
export function* readLodgifySettings(
  document: Uint8Array,
  _parameters: null,
): Generator<LodgifySettings, LodgifyAnswerEnd> {
  const settings = parseDocument(document);
  const errorCode = errorCodeOf(settings);
  if (errorCode !== null) return { errorCode };
  const [checkIn, checkOut] = ['check_in_hour', 'check_out_hour'].map(
    (name) => looseNumber(memberOf(settings, name)) ?? 0,
  );
  const days = Math.ceil(looseNumber(memberOf(settings, 'advance_notice_days')) ?? 0);
  // The vendor writes midnight for both when neither was set.
  const areSet = checkIn !== 0 || checkOut !== 0;
  yield {
    checkInTime: areSet ? fullHour(checkIn) : null,
    checkOutTime: areSet ? fullHour(checkOut) : null,
    leadDays: Math.min(Math.max(0, days), MAX_LEAD_DAYS),
  };
  return NO_ERROR;
}

/** Terms that the entry states for all homes, because the vendor does not. */
export type LodgifyTerms = {
  readonly bookingMode: 'instant' | 'request';
  /** For homes until a quote states their policy; null when the entry has none. */
  readonly cancellationText: string | null;
};

/** A property with exactly one room type. */
export type LodgifyHome = LodgifyProperty & { readonly room: string };
export type LodgifyDetails = {
  readonly room: LodgifyRoom | undefined;
  readonly settings: LodgifySettings | undefined;
  readonly updatedAt: string;
  /** In elapsed time. */
  readonly readAt: number;
};
export type LodgifyReadHome = { readonly home: LodgifyHome; readonly details: LodgifyDetails };

/** Unknown differs from none: the vendor may have a policy. */
const POLICY_WITH_THE_PRICE =
  'The cancellation policy is stated with a price. Read it on the operator’s website before booking.';
/** The listing of a home, and its amenities that are not mapped. */
export function lodgifyListing(
  { home, details: { room, settings } }: LodgifyReadHome,
  terms: LodgifyTerms,
  context: ListingContext,
): { readonly listing: RawListing; readonly unmapped: readonly string[] } {
  const { id, name, city, country, imageUrl } = home;
  const { amenities, unmapped } = mapLodgifyAmenities(room?.amenities ?? []);
  const images = room?.images ?? [];
  const listing: RawListing = {
    reference: id,
    name,
    place: city.slice(0, 120),
    country: country.slice(0, 120),
    location: [city, country].filter((part) => part !== '').join(', '),
    max_guests: room?.maxGuests,
    summary: specLineOf(room ?? {}),
    bedrooms: room?.bedrooms ?? null,
    bathrooms: room?.bathrooms ?? null,
    amenities,
    cancellation: { summary: terms.cancellationText ?? POLICY_WITH_THE_PRICE },
    check_in_time: settings?.checkInTime ?? null,
    check_out_time: settings?.checkOutTime ?? null,
    images: images.length > 0 || imageUrl === '' ? images : [rawImage(imageUrl, '')],
    url: listingPage(id, context),
    currency: home.currency || room?.currency,
    booking_mode: terms.bookingMode,
    lead_days: settings?.leadDays ?? 0,
  };
  return { listing, unmapped };
}

/** The vendor understood a call and refused it in its own envelope, so its servers work. */
export class LodgifyRefusal extends BookingSystemFailure {
  constructor(code: number | null) {
    // The vendor documents every failed call as a server error, whatever its status.
    super('server_error', `Lodgify answered with its code ${code}`);
  }
}

/** Whether a failure concerns only the requested home, and not the vendor or the network. */
export function isOfOneHome(failure: unknown): failure is BookingSystemFailure {
  return (
    failure instanceof BookingSystemFailure &&
    !(failure instanceof CredentialsRefused) &&
    ['server_error', 'rejected', 'garbled', 'too_large'].includes(failure.kind)
  );
}

export function notRead(
  { id }: LodgifyProperty,
  { message }: BookingSystemFailure,
  isKept: boolean,
): Rejection {
  const reason = `could not be read: ${message}`;
  const held = { reference: id, field: 'rooms', rule: 'missing_member' } as const;
  return isKept
    ? { ...held, reason: `${reason}; the home is shown as it was read before`, repaired: true }
    : { ...held, reason };
}

export function notOneHome({ id, roomTypes }: LodgifyProperty): Rejection {
  const reason = `has ${roomTypes} room types, must have one: the vendor's checkout page is that of a property`;
  const rule = roomTypes === 0 ? 'too_few_entries' : 'too_many_entries';
  return { reference: id, field: 'rooms', rule, reason };
}
