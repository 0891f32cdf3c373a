import type { AmenityKey } from '../../catalogue/amenities.ts';
import type { Day } from '../../stay/day.ts';
import { createAmenityMap } from '../shared/listings/amenities.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import { type ListingContext, listingPage, type RawListing, rawImage } from '../shared/listings/listing.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseInteger,
  looseNumber,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import {
  associatedIds,
  QLOAPPS_ID,
  QLOAPPS_PAGE,
  type QloappsHotel,
  qloappsEntries,
  wordsOfHtml,
} from './payloads.ts';

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
  readonly refunds: QloappsRefunds;
  /** For hotels that use the global setting of the website. */
  readonly leadDays: number;
};

/** The facts of a room type that its prices and calendar depend on. */
export type QloappsRoomType = KnownListing & {
  readonly hotel: string;
  readonly bookableUntil: Day | null;
};

type QloappsListing = {
  readonly listing: RawListing;
  /** Null when a member that prices need is invalid: the listing will then be rejected. */
  readonly known: QloappsRoomType | null;
  readonly unmapped: readonly string[];
};

/** The refund setting from the entry, because the web service does not show it. */
export type QloappsRefunds =
  | { readonly kind: 'not_said' }
  | { readonly kind: 'none' }
  | { readonly kind: 'by_rules'; readonly rules: ReadonlyMap<string, QloappsRefundRule> };

/** The deduction for a stay that is cancelled at least `days` before arrival. Texts are not cleaned yet. */
type QloappsRefundRule = {
  readonly words: string;
  readonly days: number;
  readonly isPercentage: boolean;
  /** The deductions from a stay paid in full, and from one paid with an advance. */
  readonly keptOfFullPayment: number;
  readonly keptOfAdvance: number;
};

/** Intake task: reads one page of `GET /api/room_types`. Each room type is one listing, because its rooms are equal. */
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

const MAX_DAYS_BEFORE = 365;
const LAST_MINUTE = '23:59';
const MIDNIGHT = '00:00';
/** The text that QloApps shows for a hotel without refunds. */
const NON_REFUNDABLE = 'Non Refundable';

/** The hotel's refund rules, if the entry states that they apply; otherwise its policies. */
export function qloappsCancellation(
  hotel: QloappsHotel,
  refunds: QloappsRefunds,
): RawListing['cancellation'] {
  if (hotel.hasRefunds === false || refunds.kind === 'none') {
    return { summary: hotel.policies ?? NON_REFUNDABLE, free_until: null, refundable: false };
  }
  if (refunds.kind === 'not_said' || hotel.hasRefunds === undefined) return { summary: hotel.policies };
  const rules = hotel.refundRules.flatMap((id) => refunds.rules.get(id) ?? []);
  if (rules.length < hotel.refundRules.length) return { summary: hotel.policies };
  // Without a rule, QloApps refunds nothing.
  if (rules.length === 0)
    return { summary: hotel.policies ?? NON_REFUNDABLE, free_until: null, refundable: false };
  const longestNoticeFirst = rules.toSorted((one, other) => other.days - one.days);
  const words = longestNoticeFirst.map((rule) => rule.words).filter((text) => text !== '');
  return {
    summary: words.join('\n') || hotel.policies,
    free_until: freeUntil(longestNoticeFirst),
    refundable: isRefundable(rules),
  };
}

/**
 * Among the rules whose notice the guest gave, QloApps applies the one with the longest notice. It counts days, so the whole last day is
 * free. Guests may have paid in full or an advance, so both deductions count.
 */
function freeUntil(
  longestNoticeFirst: readonly QloappsRefundRule[],
): { days_before: number; time: string } | null {
  const firstCharge = longestNoticeFirst.findIndex((rule) => !keepsNothing(rule));
  const free = longestNoticeFirst.slice(0, firstCharge === -1 ? undefined : firstCharge).at(-1);
  const days = free && Math.ceil(free.days);
  if (days === undefined || days < 0 || days > MAX_DAYS_BEFORE) return null;
  return { days_before: days, time: days === 0 ? MIDNIGHT : LAST_MINUTE };
}

/** Null when the deductions are amounts, which may exceed the price of the stay. */
function isRefundable(rules: readonly QloappsRefundRule[]): boolean | null {
  if (rules.some((rule) => keepsNothing(rule) || (rule.isPercentage && mostKept(rule) < 100))) return true;
  return rules.every((rule) => rule.isPercentage && leastKept(rule) >= 100) ? false : null;
}

function keepsNothing(rule: QloappsRefundRule): boolean {
  return mostKept(rule) <= 0;
}

function mostKept({ keptOfFullPayment, keptOfAdvance }: QloappsRefundRule): number {
  return Math.max(keptOfFullPayment, keptOfAdvance);
}

function leastKept({ keptOfFullPayment, keptOfAdvance }: QloappsRefundRule): number {
  return Math.min(keptOfFullPayment, keptOfAdvance);
}

const MAX_RULES = 1000;
const MAX_RULE_NAME = 200;
const MAX_DESCRIPTION = 4000;
const FIXED = 1;
const PERCENTAGE = 2;

/** Intake task: reads `GET /api/hotel_refund_rules`. Leaves out invalid rules. */
export function* readQloappsRefundRules(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, QloappsRefundRule], null> {
  for (const published of qloappsEntries(document, 'hotel_refund_rules', MAX_RULES)) {
    const rule = looseRecord(published);
    const id = looseIdentifier(rule.id);
    const type = looseInteger(rule.payment_type);
    const days = looseNumber(rule.days);
    const keptOfFullPayment = looseNumber(rule.deduction_value_full_pay);
    const keptOfAdvance = looseNumber(rule.deduction_value_adv_pay);
    if (id === undefined || days === undefined || (type !== FIXED && type !== PERCENTAGE)) continue;
    if (keptOfFullPayment === undefined || keptOfAdvance === undefined) continue;
    const name = looseText(rule.name)?.slice(0, MAX_RULE_NAME);
    const description = wordsOfHtml(looseText(rule.description)?.slice(0, MAX_DESCRIPTION));
    const words = [name, description].filter((part) => part !== undefined).join(' - ');
    yield [id, { words, days, isPercentage: type === PERCENTAGE, keptOfFullPayment, keptOfAdvance }];
  }
  return null;
}
