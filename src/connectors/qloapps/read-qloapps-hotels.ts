import { type Day, parseDay } from '../../stay/day.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseInteger,
  looseList,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { qloappsEntries } from './qloapps-answer.ts';
import { wordsOfHtml } from './words-of-html.ts';

/** What the room types of a hotel have in common. Texts are still the operator's. */
export type QloappsHotel = {
  readonly id: string;
  readonly name: string | undefined;
  readonly city: string | undefined;
  readonly policies: string | undefined;
  readonly checkIn: string | null;
  readonly checkOut: string | null;
  readonly features: readonly string[];
  /** Guests leave on this day at the latest; null when the hotel follows the setting of the whole website. */
  readonly bookableUntil: Day | null;
  /** How many days before arrival a room is booked at the latest; null when the hotel follows the setting of the whole website. */
  readonly leadDays: number | null;
  /** Whether refunds are switched on for it; undefined when that is not said. */
  readonly hasRefunds: boolean | undefined;
  readonly refundRules: readonly string[];
};

export const QLOAPPS_ID = /^\d{1,10}$/;
export const QLOAPPS_PAGE = 100;
const MAX_FEATURES = 500;
const MAX_LEAD_DAYS = 365;
const MAX_NAME = 2000;
/** One sign longer than a place may be, so that it stays one that is refused. */
const MAX_CITY = 121;

/** A task of the intake: one page of `GET /api/hotels`. Addresses, telephones and mail addresses are not read. */
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

/** Identifiers come as numbers in some associations, and as texts in others. */
export function associatedIds({ associations }: LooseRecord, name: string): readonly string[] {
  return looseList(looseRecord(associations)[name])
    .slice(0, MAX_FEATURES)
    .flatMap((entry) => looseIdentifier(looseRecord(entry).id) ?? [])
    .filter((id) => QLOAPPS_ID.test(id));
}

/** A day of zeros means that there is none. */
function bookableUntil({ use_global_max_order_date, max_order_date }: LooseRecord): Day | null {
  if (looseFlag(use_global_max_order_date) !== false) return null;
  return parseDay((looseText(max_order_date) ?? '').slice(0, 10)) ?? null;
}

/** A hotel that follows the website has a day of zeros in place of the number. */
function leadDaysOf({ use_global_preparation_time, preparation_time }: LooseRecord): number | null {
  if (looseFlag(use_global_preparation_time) !== false) return null;
  const days = looseInteger(preparation_time);
  return days === undefined ? null : Math.min(Math.max(0, days), MAX_LEAD_DAYS);
}

function timeOfDay(value: unknown): string | null {
  const [, time] = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::\d{2})?$/.exec(looseText(value) ?? '') ?? [];
  return time ?? null;
}
