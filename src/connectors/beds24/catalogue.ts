import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { createAmenityMap, type MappedAmenities, withShared } from '../shared/listings/amenities.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import {
  type ListingContext,
  listingPage,
  placeInWords,
  type RawListing,
  rawImage,
  specLineOf,
} from '../shared/listings/listing.ts';
import { amountOf } from '../shared/prices/amount.ts';
import {
  type LooseRecord,
  looseIdentifier,
  looseInteger,
  looseList,
  looseNumber,
  loosePositive,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { BEDS24_AMENITIES } from './amenities.ts';

/** The envelope of every answer of Beds24. */
type Beds24Page = { readonly data: readonly unknown[]; readonly hasNextPage: boolean };

const MAX_ENTRIES = 5000;

export function readBeds24Page(document: Uint8Array): Beds24Page {
  const { success, data, pages } = looseRecord(parseDocument(document));
  if (success === false) throw new BookingSystemFailure('rejected', 'Beds24 refused the request');
  if (!Array.isArray(data)) throw new BookingSystemFailure('garbled', 'the answer holds no list of data');
  if (data.length > MAX_ENTRIES) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_ENTRIES} entries`);
  }
  return { data, hasNextPage: looseRecord(pages).nextPageExists === true };
}

type Beds24PropertiesParameters = Pick<ListingContext, 'pagePattern' | 'stayUrl'> & {
  /** Of the texts. A text that is missing in it is taken from another language. */
  readonly language: string;
  /** For properties that have no policy. */
  readonly cancellationText: string | null;
  /** The address of a room's picture, with `{reference}` for the room: the API describes no pictures. */
  readonly pictureUrl: string;
};

/** The facts of a room that its prices and calendar depend on. */
export type Beds24Room = KnownListing & {
  /** Refunded after the stay, and charged besides the price. */
  readonly deposit: MinorUnits | null;
};

/** A room type is one listing: its units are equal. */
type Beds24Listing = {
  readonly listing: RawListing;
  /** Null when a member that prices need is invalid: the listing itself will be rejected. */
  readonly known: Beds24Room | null;
  readonly unmapped: readonly string[];
};

type Beds24PropertiesSummary = {
  readonly hasNextPage: boolean;
  /** Recognises a page that is sent twice. */
  readonly firstId: string | null;
};

const MAX_ROOM_TYPES = 500;
/** Room types on one page: each is checked as a listing, and a page could name a million in a few bytes each. */
const MAX_ROOMS_ON_PAGE = 10_000;
const MAX_NAME = 2000;
const MAX_POLICY = 20_001;
const MAX_FEATURES = 500;
const MAX_TEXTS = 100;
const FALLBACK_LANGUAGE = 'en';
const MAX_LEAD_DAYS = 365;
/** Room types that are no accommodation. */
const NOT_A_STAY = new Set(['activity', 'tour', 'carRental']);
const CURRENCY = /^[A-Z]{3}$/;
const INSTANT = /^(?:autoConfirmed|confirmed)/;

const mapAmenities = createAmenityMap(BEDS24_AMENITIES);

/** Intake task: reads one page of `GET /properties` and yields a listing for each room type. Contacts are not read. */
export function* readBeds24Properties(
  document: Uint8Array,
  parameters: Beds24PropertiesParameters,
): Generator<Beds24Listing, Beds24PropertiesSummary> {
  const { data, hasNextPage } = readBeds24Page(document);
  let rooms = 0;
  for (const published of data) {
    const property = looseRecord(published);
    const roomTypes = looseList(property.roomTypes);
    if (roomTypes.length > MAX_ROOM_TYPES) {
      throw new BookingSystemFailure('too_large', `a property has more than ${MAX_ROOM_TYPES} room types`);
    }
    rooms += roomTypes.length;
    if (rooms > MAX_ROOMS_ON_PAGE) {
      throw new BookingSystemFailure('too_large', `the page has more than ${MAX_ROOMS_ON_PAGE} room types`);
    }
    const offered = isHidden(property) ? [] : roomTypes.map(looseRecord).filter(isOffered);
    if (offered.length === 0) continue;
    const shared = sharedOf(property, offered.length === 1);
    for (const room of offered) yield readRoom(room, property, shared, parameters);
  }
  return { hasNextPage, firstId: looseIdentifier(looseRecord(data[0]).id) ?? null };
}

/** A priority of null hides a property or a room from the booking page. */
function isHidden({ sellPriority }: LooseRecord): boolean {
  return sellPriority === null;
}

function isOffered(room: LooseRecord): boolean {
  return !isHidden(room) && !(typeof room.roomType === 'string' && NOT_A_STAY.has(room.roomType));
}

/** Members that all rooms of a property share, read once because a property can have hundreds of rooms. */
type SharedByRooms = {
  readonly isOnly: boolean;
  readonly name: string | undefined;
  readonly location: string;
  readonly amenities: MappedAmenities;
};

function sharedOf(property: LooseRecord, isOnly: boolean): SharedByRooms {
  return {
    isOnly,
    name: looseText(property.name)?.slice(0, MAX_NAME),
    location: placeInWords(property, ['city', 'state', 'country']),
    amenities: mapAmenities(featuresOf(property)),
  };
}

function readRoom(
  room: LooseRecord,
  property: LooseRecord,
  shared: SharedByRooms,
  parameters: Beds24PropertiesParameters,
): Beds24Listing {
  const reference = looseIdentifier(room.id) ?? '';
  const { amenities, unmapped } = withShared(mapAmenities(featuresOf(room)), shared.amenities);
  const currency = looseText(property.currency);
  const maxGuests = maxGuestsOf(room);
  const rules = looseRecord(property.bookingRules);
  const listing: RawListing = {
    reference,
    name: nameOf(room, shared, parameters.language),
    place: looseText(property.city),
    country: looseText(property.country),
    location: shared.location,
    max_guests: maxGuests,
    summary: specLineOf({ squareMetres: looseNumber(room.roomSize) }),
    bedrooms: null,
    bathrooms: null,
    amenities,
    cancellation: {
      summary:
        textIn(property.texts, 'cancellationPolicy', parameters.language)?.slice(0, MAX_POLICY) ??
        parameters.cancellationText ??
        undefined,
    },
    check_in_time: timeOfDay(property.checkInStart),
    check_out_time: timeOfDay(property.checkOutEnd),
    images: [rawImage(parameters.pictureUrl.replaceAll('{reference}', encodeURIComponent(reference)), '')],
    url: listingPage(reference, parameters),
    currency,
    booking_mode: INSTANT.test(looseText(rules.bookingType) ?? '') ? 'instant' : 'request',
    lead_days: leadDaysOf(rules),
  };
  const known =
    currency === undefined || !CURRENCY.test(currency) || maxGuests === undefined
      ? null
      : {
          currency,
          maxGuests,
          minimumStay: loosePositive(room.minStay),
          maximumStay: loosePositive(room.maxStay),
          deposit: depositOf(room, currency),
        };
  return { listing, known, unmapped };
}

/** Prefer the property's name when it has a single room type: travellers know it. */
function nameOf(room: LooseRecord, { name: propertyName, isOnly }: SharedByRooms, language: string) {
  const roomName = textIn(room.texts, 'displayName', language) ?? looseText(room.name);
  if (isOnly || roomName === undefined || roomName === propertyName) return propertyName ?? roomName;
  return propertyName === undefined ? roomName : `${propertyName}, ${roomName}`;
}

/** Prefers the given language, then English, then the first language that has the text: records need not be complete. */
function textIn(published: unknown, member: string, language: string): string | undefined {
  const texts = looseList(published)
    .slice(0, MAX_TEXTS)
    .map(looseRecord)
    .flatMap((record) => {
      const text = looseText(record[member]);
      return text === undefined ? [] : [{ text, language: looseText(record.language)?.toLowerCase() }];
    });
  const found = [language, FALLBACK_LANGUAGE].flatMap(
    (wanted) => texts.find((one) => one.language === wanted) ?? [],
  );
  return (found[0] ?? texts[0])?.text;
}

/** Prices are requested with all guests as adults, so a room takes no more guests than adults. */
function maxGuestsOf(room: LooseRecord): number | undefined {
  const people = looseInteger(room.maxPeople);
  const adults = looseInteger(room.maxAdult);
  return people === undefined || adults === undefined ? people : Math.min(people, adults);
}

/** A list of lists of codes. */
function featuresOf({ featureCodes }: LooseRecord): string[] {
  return looseList(featureCodes)
    .slice(0, MAX_FEATURES)
    .flatMap((codes) => (Array.isArray(codes) ? codes.slice(0, MAX_FEATURES) : [codes]))
    .slice(0, MAX_FEATURES)
    .filter((code) => typeof code === 'string');
}

function timeOfDay(value: unknown): string | null {
  const text = looseText(value) ?? '';
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : null;
}

/** Beds24 can close arrivals within the next days; 0 closes those of today. */
function leadDaysOf({ bookingNearType, bookingNearTypeDays }: LooseRecord): number {
  const days = looseInteger(bookingNearTypeDays);
  if (bookingNearType !== 'blackoutPeriod' || days === undefined || days < 0) return 0;
  return Math.min(days + 1, MAX_LEAD_DAYS);
}

function depositOf({ securityDeposit }: LooseRecord, currency: string): MinorUnits | null {
  const amount = amountOf(securityDeposit, currency);
  return amount !== undefined && amount > 0 ? amount : null;
}
