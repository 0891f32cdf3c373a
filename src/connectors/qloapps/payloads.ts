import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord } from '../shared/listings/amenities.ts';
import {
  isLooseRecord,
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

/** The code of PHP warnings, which QloApps sends instead of the answer. */
const PHP_WARNING = 3;

/** Whether the answer holds only PHP warnings: then the request was valid, and QloApps failed on its own data. */
export function holdsOnlyWarnings(document: Uint8Array): boolean {
  const errors = looseList(looseRecord(parseDocument(document)).errors).map(looseRecord);
  return errors.length > 0 && errors.every(({ code }) => looseInteger(code) === PHP_WARNING);
}

/** A page without entries is an empty list, because PHP writes empty objects as lists. */
export function qloappsEntries(document: Uint8Array, name: string, max: number): readonly unknown[] {
  const entries = readQloappsAnswer(document)[name] ?? [];
  if (!Array.isArray(entries)) throw new BookingSystemFailure('garbled', `${name} is not a list`);
  if (entries.length > max) throw new BookingSystemFailure('too_large', `there are more than ${max} ${name}`);
  return entries;
}

const MAX_ROOM_TYPES = 5000;

/** The room types of `hotel_ari`, or of one of its nights. Empty when the hotel or the room type is unknown. */
export function ariRoomTypes(ari: unknown): readonly unknown[] {
  if (!isLooseRecord(ari)) throw new BookingSystemFailure('garbled', 'the answer holds no prices');
  const roomTypes = ari.room_types ?? [];
  if (!Array.isArray(roomTypes)) throw new BookingSystemFailure('garbled', 'room_types is not a list');
  if (roomTypes.length > MAX_ROOM_TYPES) {
    throw new BookingSystemFailure('too_large', `there are more than ${MAX_ROOM_TYPES} room types`);
  }
  return roomTypes;
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
  /** Whether the hotel gives refunds; undefined when QloApps does not state it. */
  readonly hasRefunds: boolean | undefined;
  readonly refundRules: readonly string[];
};

export const QLOAPPS_ID = /^\d{1,10}$/;
export const QLOAPPS_PAGE = 100;
const MAX_FEATURES = 500;
const MAX_LEAD_DAYS = 365;
const MAX_NAME = 2000;
/** One character beyond the limit of a place, so that a longer one is still rejected. */
const MAX_CITY = 121;

/** Intake task: reads one page of `GET /api/hotels`. Addresses, telephones and mail addresses are not read. */
export function* readQloappsHotels(
  document: Uint8Array,
  _: null,
): Generator<QloappsHotel, { onPage: number }> {
  const hotels = qloappsEntries(document, 'hotels', QLOAPPS_PAGE);
  for (const published of hotels) {
    const hotel = looseRecord(published);
    const id = looseIdentifier(hotel.id) ?? '';
    if (!QLOAPPS_ID.test(id) || looseFlag(hotel.active) === false) continue;
    yield {
      id,
      name: looseText(hotel.hotel_name)?.slice(0, MAX_NAME),
      city: looseText(hotel.city)?.slice(0, MAX_CITY),
      policies: wordsOfHtml(looseText(hotel.policies)?.slice(0, 20_000)),
      checkIn: timeOfDay(hotel.check_in),
      checkOut: timeOfDay(hotel.check_out),
      features: associatedIds(hotel, 'hotel_features'),
      bookableUntil: bookableUntil(hotel),
      leadDays: leadDaysOf(hotel),
      hasRefunds: looseFlag(hotel.active_refund),
      refundRules: associatedIds(hotel, 'hotel_refund_rules'),
    };
  }
  return { onPage: hotels.length };
}

/** Identifiers are numbers in some associations, and texts in others. */
export function associatedIds({ associations }: LooseRecord, name: string): readonly string[] {
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

type QloappsFeaturesParameters = { readonly name: 'hotel_features' | 'room_type_features' };

/** Intake task: reads `GET /api/hotel_features` or `GET /api/room_type_features`. */
export function* readQloappsFeatures(
  document: Uint8Array,
  { name }: QloappsFeaturesParameters,
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

/**
 * Extracts the words of an HTML text, in the lines that a browser shows; undefined when there are none. The result is still untrusted,
 * and must be cleaned.
 */
export function wordsOfHtml(html: string | undefined): string | undefined {
  const lines = html
    ?.replace(/\s+/g, ' ')
    .replace(TAG, (_, _closing, name: string) => (INLINE.has(name.toLowerCase()) ? '' : '\n'))
    .replace(ENTITY, (_, name: string) => SIGNS[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines?.join('\n') || undefined;
}
