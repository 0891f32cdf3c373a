import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { looseList, looseNumber } from '../vendors/loose-values.ts';
import { cutText, memberOf, recordNumber } from '../vendors/numbered-records.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './error-code.ts';

/** A property in the vendor's list; its room has the rest. */
export type LodgifyProperty = {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly imageUrl: string;
  readonly currency: string;
  readonly rooms: readonly string[];
  readonly isActive: boolean;
  /** When the vendor changed it last; empty when it does not say. */
  readonly updatedAt: string;
};

export type LodgifyPropertiesPage = LodgifyAnswerEnd & {
  /** Of all pages together; null when it is not said. */
  readonly count: number | null;
  /** On this page, understood or not. */
  readonly listed: number;
};

const MAX_TEXT = 2000;
const MAX_ROOMS = 1000;

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
  for (const item of items) {
    const id = recordNumber(memberOf(item, 'id'));
    if (id === undefined) continue;
    const text = (name: string) => cutText(memberOf(item, name), MAX_TEXT).trim();
    yield {
      id,
      name: text('name'),
      city: text('city'),
      country: text('country'),
      imageUrl: text('image_url'),
      currency: text('currency_code'),
      rooms: looseList(memberOf(item, 'rooms'))
        .slice(0, MAX_ROOMS)
        .flatMap((room) => recordNumber(memberOf(room, 'id')) ?? []),
      isActive: memberOf(item, 'is_active') !== false,
      updatedAt: text('updated_at').slice(0, 40),
    };
  }
  return { count: looseNumber(memberOf(page, 'count')) ?? null, listed: items.length, ...NO_ERROR };
}
