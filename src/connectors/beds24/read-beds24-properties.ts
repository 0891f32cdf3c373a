import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { MinorUnits } from '../../stay/money.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import { listingPage } from '../shared/listings/listing-page.ts';
import type { ListingContext } from '../shared/listings/listing-reader.ts';
import { createAmenityMap, type MappedAmenities, withShared } from '../shared/listings/map-amenities.ts';
import { rawImage } from '../shared/listings/raw-image.ts';
import type { RawListing } from '../shared/listings/raw-listing.ts';
import { specLineOf } from '../shared/listings/spec-line.ts';
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
import { readBeds24Page } from './beds24-envelope.ts';

export type Beds24PropertiesParameters = Pick<ListingContext, 'pagePattern' | 'stayUrl'> & {
  /** Of the texts; another one is used where there is none in it. */
  readonly language: string;
  /** For properties without a policy of their own. */
  readonly cancellationText: string | null;
  /** The picture of a room, with `{reference}` for it: the API describes none. */
  readonly pictureUrl: string;
};

/** What prices and calendars of a room depend on. */
export type Beds24Room = KnownListing & {
  /** Given back after the stay, and asked for besides the price. */
  readonly deposit: MinorUnits | null;
};

/** A room type is what a traveller compares: its units are equal. */
export type Beds24Listing = {
  readonly listing: RawListing;
  /** Null when prices cannot depend on it: the listing itself will be refused. */
  readonly known: Beds24Room | null;
  readonly unmapped: readonly string[];
};

export type Beds24PropertiesSummary = {
  readonly hasNextPage: boolean;
  /** By which a page is recognised that comes again. */
  readonly firstId: string | null;
};

const MAX_ROOM_TYPES = 500;
/** Of all properties of a page: each of them is a listing to be checked, and a page could name a million in a few bytes each. */
const MAX_ROOMS_ON_PAGE = 10_000;
const MAX_NAME = 2000;
const MAX_POLICY = 20_001;
const MAX_FEATURES = 500;
const MAX_TEXTS = 100;
const FALLBACK_LANGUAGE = 'en';
const MAX_LEAD_DAYS = 365;
/** What is sold like a room, and is none. */
const NOT_A_STAY = new Set(['activity', 'tour', 'carRental']);
const CURRENCY = /^[A-Z]{3}$/;
const INSTANT = /^(?:autoConfirmed|confirmed)/;

const mapAmenities = createAmenityMap(BEDS24_AMENITIES);

/** A task of the intake: one page of `GET /properties`, a listing for each of its room types. Contacts in it are not read. */
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

/** A priority of null takes a property or a room from the booking page. */
function isHidden({ sellPriority }: LooseRecord): boolean {
  return sellPriority === null;
}

function isOffered(room: LooseRecord): boolean {
  return !isHidden(room) && !(typeof room.roomType === 'string' && NOT_A_STAY.has(room.roomType));
}

/** What the rooms of a property have in common. It is read once, because there can be hundreds of them. */
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
    location: placeInWords(property),
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
    summary: specLineOf({
      bedrooms: undefined,
      bathrooms: undefined,
      beds: undefined,
      squareMetres: looseNumber(room.roomSize),
    }),
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

/** The name of a property with a single room type is the better one: travellers know it. */
function nameOf(room: LooseRecord, { name: propertyName, isOnly }: SharedByRooms, language: string) {
  const roomName = textIn(room.texts, 'displayName', language) ?? looseText(room.name);
  if (isOnly || roomName === undefined || roomName === propertyName) return propertyName ?? roomName;
  return propertyName === undefined ? roomName : `${propertyName}, ${roomName}`;
}

/** In the language asked for, or else in English, or else in the first that has it: a record of a language need not be complete. */
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

/** All guests of a search are asked for as adults, so there may be no more than the adults that a room takes. */
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

/** Without the street: where exactly a home is, its guests are told. */
function placeInWords(property: LooseRecord): string {
  const parts = ['city', 'state', 'country'].flatMap(
    (name) => looseText(property[name])?.slice(0, 2000) ?? [],
  );
  return [...new Set(parts)].join(', ').slice(0, 2000);
}

function timeOfDay(value: unknown): string | null {
  const text = looseText(value) ?? '';
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : null;
}

/** Arrivals within so many days can be closed; 0 means those of today. */
function leadDaysOf({ bookingNearType, bookingNearTypeDays }: LooseRecord): number {
  const days = looseInteger(bookingNearTypeDays);
  if (bookingNearType !== 'blackoutPeriod' || days === undefined || days < 0) return 0;
  return Math.min(days + 1, MAX_LEAD_DAYS);
}

function depositOf({ securityDeposit }: LooseRecord, currency: string): MinorUnits | null {
  const amount = amountOf(securityDeposit, currency);
  return amount !== undefined && amount > 0 ? amount : null;
}
