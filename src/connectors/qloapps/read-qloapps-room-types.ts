import type { Day } from '../../stay/day.ts';
import { createAmenityMap } from '../shared/listings/amenities.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import type { ListingContext, RawListing } from '../shared/listings/listing.ts';
import { listingPage, rawImage } from '../shared/listings/listing.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseInteger,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { QLOAPPS_AMENITIES } from './amenities.ts';
import { qloappsEntries } from './qloapps-answer.ts';
import { associatedIds, QLOAPPS_ID, QLOAPPS_PAGE, type QloappsHotel } from './read-qloapps-hotels.ts';
import { type QloappsRefunds, qloappsCancellation } from './refund-policy.ts';

export type QloappsRoomTypesParameters = Pick<ListingContext, 'pagePattern' | 'stayUrl'> & {
  readonly hotels: ReadonlyMap<string, QloappsHotel>;
  /** Null when the key may not read their names. */
  readonly hotelFeatures: ReadonlyMap<string, string> | null;
  readonly roomTypeFeatures: ReadonlyMap<string, string> | null;
  readonly currency: string;
  /** The most adults of a room, by room type. */
  readonly capacities: ReadonlyMap<string, number>;
  readonly picturesUrl: string;
  readonly bookingMode: 'instant' | 'request';
  /** In place of the policies of the hotels. */
  readonly cancellationText: string | null;
  readonly refunds: QloappsRefunds;
  /** For hotels that follow the setting of the whole website. */
  readonly leadDays: number;
};

/** What prices and calendars of a room type depend on. */
export type QloappsRoomType = KnownListing & {
  readonly hotel: string;
  readonly bookableUntil: Day | null;
};

export type QloappsListing = {
  readonly listing: RawListing;
  /** Null when prices cannot depend on it: the listing itself will be refused. */
  readonly known: QloappsRoomType | null;
  readonly unmapped: readonly string[];
};

const MAX_IMAGES = 500;

const mapAmenities = createAmenityMap(QLOAPPS_AMENITIES, { areNames: true });

/** A task of the intake: one page of `GET /api/room_types`. A room type is what a traveller compares: its rooms are equal. */
export function* readQloappsRoomTypes(
  document: Uint8Array,
  parameters: QloappsRoomTypesParameters,
): Generator<QloappsListing, { onPage: number }> {
  const roomTypes = qloappsEntries(document, 'room_types', QLOAPPS_PAGE);
  for (const published of roomTypes) {
    const roomType = looseRecord(published);
    const hotel = parameters.hotels.get(looseIdentifier(roomType.id_hotel) ?? '');
    if (hotel && isOffered(roomType)) yield readOne(roomType, hotel, parameters);
  }
  return { onPage: roomTypes.length };
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
): QloappsListing {
  const { currency, capacities, bookingMode, cancellationText, refunds } = parameters;
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
    cancellation:
      cancellationText === null ? qloappsCancellation(hotel, refunds) : { summary: cancellationText },
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

/** A picture lies in a folder for each digit of its number: 123 is `img/p/1/2/3/123.jpg`. */
function imagesOf(roomType: LooseRecord, picturesUrl: string): RawListing['images'] {
  const ids = associatedIds(roomType, 'images');
  const first = looseIdentifier(roomType.id_default_image) ?? '';
  const inOrder = [...ids.filter((id) => id === first), ...ids.filter((id) => id !== first)];
  return inOrder
    .slice(0, MAX_IMAGES)
    .flatMap((id) => rawImage(`${picturesUrl}/img/p/${[...id].join('/')}/${id}.jpg`, '') ?? []);
}
