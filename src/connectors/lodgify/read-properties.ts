import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { looseList, looseNumber, looseText, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './error-code.ts';

/** A property in the vendor's list that is meant to be seen; its room has the rest. */
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
  /** When the vendor changed it last; empty when it does not say. */
  readonly updatedAt: string;
};

export type LodgifyPropertiesPage = LodgifyAnswerEnd & {
  /** Of all pages together; null when it is not said. */
  readonly count: number | null;
  /** On this page, understood or not, active or not. */
  readonly listed: number;
};

/** More than are asked for; an answer that ignores the size of a page has at most so many. */
const MAX_LISTED = 1000;
/** Longer than what is shown of them, because markup is taken out first. */
const MAX_TEXT = 400;
/** Longer than an address may be that is shown. */
const MAX_ADDRESS = 1000;
/** One letter more than a currency has, so that a longer one stays wrong. */
const MAX_CURRENCY = 4;
const MAX_MOMENT = 40;

/** A task of the intake: a page of `GET /v2/properties`. */
export function* readLodgifyProperties(
  document: Uint8Array,
  _parameters: null,
): Generator<LodgifyProperty, LodgifyPropertiesPage> {
  const page = parseDocument(document);
  const errorCode = errorCodeOf(page);
  if (errorCode !== null) return { count: null, listed: 0, errorCode };
  // Some answers of the vendor are the bare list.
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
