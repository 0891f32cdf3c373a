import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { failureOf } from '../../outbound/read-answer.ts';
import type { CalendarReading, Horizon } from '../../quotes/booking-system.ts';
import {
  type NightMembers,
  type NightRules,
  readNightlyCalendar,
} from '../shared/calendars/nightly-calendar.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import {
  isLooseRecord,
  looseIdentifier,
  looseInteger,
  looseList,
  looseRecord,
} from '../shared/vendors/loose-values.ts';
import { MAX_ROOM_TYPES, readQloappsAnswer } from './catalogue.ts';

type QloappsNightsParameters = {
  readonly status: number;
  readonly asked: readonly string[];
  readonly horizon: Horizon;
  readonly currency: string;
};

const MAX_NIGHTS = 1000;
/** The code of PHP warnings, which QloApps sends instead of the answer. */
const PHP_WARNING = 3;

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

/**
 * Intake task: reads `POST /api/hotel_ari`, night by night or for a single night, as a part of the requested calendars. `stumbled`: QloApps
 * sent only PHP warnings, as it does for nights on which a room is out of order.
 */
export function* readQloappsNights(
  document: Uint8Array,
  { status, asked, horizon, currency }: QloappsNightsParameters,
): Generator<readonly [reference: string, CalendarReading], { stumbled: boolean }> {
  if (status !== 200) {
    if (holdsOnlyWarnings(document)) return { stumbled: true };
    throw failureOf(status);
  }
  const { hotel_ari, hotel_aris } = readQloappsAnswer(document);
  const published = hotel_ari === undefined ? hotel_aris : [hotel_ari];
  if (!Array.isArray(published)) throw new BookingSystemFailure('garbled', 'the answer holds no nights');
  const nights = new Map<string, unknown[]>(asked.map((reference) => [reference, []]));
  for (const night of published.slice(0, MAX_NIGHTS)) {
    for (const each of ariRoomTypes(night)) {
      const { id_room_type, rooms, total_price_with_tax } = looseRecord(each);
      nights.get(looseIdentifier(id_room_type) ?? '')?.push({
        date: looseRecord(night).date_from,
        available: looseRecord(rooms).available,
        price: total_price_with_tax,
      });
    }
  }
  for (const [reference, ofRoomType] of nights) {
    yield [reference, readNightlyCalendar(ofRoomType, { horizon, currency, readRules: rulesOf })];
  }
  return { stumbled: false };
}

/** QloApps does not show restrictions of stays; it refuses a restricted stay when it prices it. */
function rulesOf(members: NightMembers): NightRules {
  return {
    isAvailable: hasFreeRoom(members),
    minimumStay: 1,
    maximumStay: undefined,
    isClosedToArrival: false,
    isClosedToDeparture: false,
    price: members.price('price'),
  };
}

function hasFreeRoom({ night: { available }, fault }: NightMembers): boolean {
  if (Array.isArray(available)) return available.length > 0;
  if (!isLooseRecord(available)) fault('available', 'the free rooms');
  return isLooseRecord(available) && Object.keys(available).length > 0;
}

/** Whether the answer holds only PHP warnings: then the request was valid, and QloApps failed on its own data. */
function holdsOnlyWarnings(document: Uint8Array): boolean {
  const errors = looseList(looseRecord(parseDocument(document)).errors).map(looseRecord);
  return errors.length > 0 && errors.every(({ code }) => looseInteger(code) === PHP_WARNING);
}
