import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import {
  isLooseRecord,
  type LooseRecord,
  looseInteger,
  looseList,
  looseRecord,
} from '../shared/vendors/loose-values.ts';

/** QloApps gives warnings of PHP this code, and sends them instead of the answer. */
const PHP_WARNING = 3;

export function readQloappsAnswer(document: Uint8Array): LooseRecord {
  const answer = parseDocument(document);
  const { errors } = looseRecord(answer);
  if (errors !== undefined) throw new BookingSystemFailure('rejected', refusalOf(errors));
  return looseRecord(answer);
}

/** Whether there is nothing in it but warnings of PHP: then the request was right, and QloApps stumbled over its own data. */
export function holdsOnlyWarnings(document: Uint8Array): boolean {
  const errors = looseList(looseRecord(parseDocument(document)).errors).map(looseRecord);
  return errors.length > 0 && errors.every(({ code }) => looseInteger(code) === PHP_WARNING);
}

/** PHP writes an empty list for an object without members, and so for a page without entries. */
export function qloappsEntries(document: Uint8Array, name: string, max: number): readonly unknown[] {
  const entries = readQloappsAnswer(document)[name] ?? [];
  if (!Array.isArray(entries)) throw new BookingSystemFailure('garbled', `${name} is not a list`);
  if (entries.length > max) throw new BookingSystemFailure('too_large', `there are more than ${max} ${name}`);
  return entries;
}

const MAX_ROOM_TYPES = 5000;

/** The room types of `hotel_ari`, or of one of its nights. There are none where the hotel or the room type is unknown. */
export function ariRoomTypes(ari: unknown): readonly unknown[] {
  if (!isLooseRecord(ari)) throw new BookingSystemFailure('garbled', 'the answer holds no prices');
  const roomTypes = ari.room_types ?? [];
  if (!Array.isArray(roomTypes)) throw new BookingSystemFailure('garbled', 'room_types is not a list');
  if (roomTypes.length > MAX_ROOM_TYPES) {
    throw new BookingSystemFailure('too_large', `there are more than ${MAX_ROOM_TYPES} room types`);
  }
  return roomTypes;
}

/** Its message is a text for people, so only the code is repeated. */
function refusalOf(errors: unknown): string {
  const code = looseInteger(looseRecord(looseList(errors)[0]).code);
  return code === undefined ? 'QloApps refused the request' : `QloApps refused the request with code ${code}`;
}
