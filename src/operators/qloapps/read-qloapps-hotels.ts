import { type Day, parseDay } from '../../stay/day.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseList,
  looseRecord,
  looseText,
} from '../vendors/loose-values.ts';
import { qloappsEntries } from './qloapps-answer.ts';

/** What the room types of a hotel have in common. Texts are still as the operator wrote them. */
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
};

export const QLOAPPS_ID = /^\d{1,10}$/;
export const QLOAPPS_PAGE = 100;
const MAX_FEATURES = 500;
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
      policies: looseText(hotel.policies)?.slice(0, 20_000),
      checkIn: timeOfDay(hotel.check_in),
      checkOut: timeOfDay(hotel.check_out),
      features: associatedIds(hotel, 'hotel_features'),
      bookableUntil: bookableUntil(hotel),
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

function timeOfDay(value: unknown): string | null {
  const [, time] = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::\d{2})?$/.exec(looseText(value) ?? '') ?? [];
  return time ?? null;
}
