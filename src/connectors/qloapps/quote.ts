import type { OperatorQuote, QuoteOutcome } from '../../quotes/booking-system.ts';
import { decimalsOf, type MinorUnits } from '../../stay/money.ts';
import { checkedListings } from '../shared/listings/checked-listings.ts';
import {
  isLooseRecord,
  looseIdentifier,
  looseInteger,
  looseNumber,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { ariRoomTypes, readQloappsNights } from './calendar.ts';
import {
  readQloappsAnswer,
  readQloappsFeatures,
  readQloappsHotels,
  readQloappsRoomTypes,
} from './catalogue.ts';

type QloappsPricesParameters = {
  readonly asked: readonly string[];
  readonly guests: number;
  readonly currency: string;
};

/** Intake task: reads the prices of one stay from `POST /api/hotel_ari`, by room type, with the free rooms. */
export function* readQloappsPrices(
  document: Uint8Array,
  { asked, guests, currency }: QloappsPricesParameters,
): Generator<QuoteOutcome, null> {
  const { hotel_ari: ari } = readQloappsAnswer(document);
  const roomTypes = ariRoomTypes(ari);
  const isOtherCurrency = looseText(looseRecord(ari).currency) !== currency;
  const expected = new Set(asked);
  for (const published of roomTypes) {
    const roomType = looseRecord(published);
    const reference = looseIdentifier(roomType.id_room_type) ?? '';
    if (!expected.delete(reference)) continue;
    const size = sizeOfRooms(looseRecord(roomType.rooms).available, guests);
    if (size === 'garbled') yield { kind: 'failed', reference, failure: 'garbled' };
    else if (size !== 'fits') yield { kind: 'unavailable', reference, reason: size };
    else if (isOtherCurrency) yield { kind: 'failed', reference, failure: 'wrong_currency' };
    else yield readPrice(reference, roomType.total_price, roomType.total_price_with_tax, currency);
  }
  // The hotel no longer has the room type, or none of its rooms is free.
  for (const reference of expected) yield { kind: 'unavailable', reference, reason: 'not_offered' };
  return null;
}

/** QloApps also offers rooms that are too small for the requested guests. */
function sizeOfRooms(
  available: unknown,
  guests: number,
): 'fits' | 'not_offered' | 'too_many_guests' | 'garbled' {
  // PHP writes an empty object, or one with the members 0, 1, 2, as a list.
  const rooms = Array.isArray(available)
    ? available
    : isLooseRecord(available)
      ? Object.values(available)
      : null;
  if (rooms === null) return 'garbled';
  if (rooms.length === 0) return 'not_offered';
  return rooms.some((room) => (mostAdultsIn(room) ?? guests) >= guests) ? 'fits' : 'too_many_guests';
}

function readPrice(reference: string, withoutTax: unknown, withTax: unknown, currency: string): QuoteOutcome {
  const total = rounded(withTax, currency);
  const stay = rounded(withoutTax, currency);
  if (total === undefined || total <= 0) return { kind: 'failed', reference, failure: 'garbled' };
  return {
    kind: 'quoted',
    reference,
    quote: { currency, total, ...linesOf(stay, total), heldUntil: null },
  };
}

function linesOf(
  stay: MinorUnits | undefined,
  total: MinorUnits,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  if (stay === undefined) return { lines: [] };
  if (stay < 0 || stay > total) return { lines: [], linesFault: 'does_not_add_up' };
  const tax = total - stay;
  return {
    lines: [{ label: 'Stay', amount: stay }, ...(tax > 0 ? [{ label: 'Tax', amount: tax }] : [])],
  };
}

/** QloApps calculates with six decimals, and rounds the amounts that guests see and pay. */
function rounded(value: unknown, currency: string): MinorUnits | undefined {
  const amount = looseNumber(value);
  if (amount === undefined) return undefined;
  // The added epsilon keeps a half, stored as slightly less, from being rounded down.
  const units = Math.round(amount * 10 ** decimalsOf(currency) * (1 + Number.EPSILON));
  return Number.isSafeInteger(units) ? units : undefined;
}

/** The rooms of a type are equal, so a few are enough. */
const MAX_ROOMS = 20;

/**
 * Intake task: reads the currency and the size of the free rooms from `POST /api/hotel_ari`. The catalogue has neither: its `adults`
 * are those of the base price.
 */
export function* readQloappsCapacities(
  document: Uint8Array,
  _: null,
): Generator<readonly [roomType: string, adults: number], { readonly currency: string | null }> {
  const { hotel_ari: ari } = readQloappsAnswer(document);
  for (const published of ariRoomTypes(ari)) {
    const { id_room_type, rooms } = looseRecord(published);
    const adults = Math.max(...adultsOf(looseRecord(rooms).available));
    const id = looseIdentifier(id_room_type);
    if (id !== undefined && Number.isFinite(adults)) yield [id, adults];
  }
  return { currency: looseText(looseRecord(ari).currency) ?? null };
}

/** All guests of a search count as adults. */
function adultsOf(available: unknown): number[] {
  return Object.values(looseRecord(available))
    .slice(0, MAX_ROOMS)
    .flatMap((room) => mostAdultsIn(room) ?? []);
}

function mostAdultsIn(room: unknown): number | undefined {
  const { max_adult, max_occupancy } = looseRecord(room);
  const [adults, occupancy] = [looseInteger(max_adult), looseInteger(max_occupancy)];
  return adults === undefined || occupancy === undefined
    ? (adults ?? occupancy)
    : Math.min(adults, occupancy);
}

/** How the intake reads each document of this booking system. */
export const qloappsTasks = {
  qloapps_hotels: readQloappsHotels,
  qloapps_features: readQloappsFeatures,
  qloapps_room_types: checkedListings(readQloappsRoomTypes),
  qloapps_capacities: readQloappsCapacities,
  qloapps_nights: readQloappsNights,
  qloapps_prices: readQloappsPrices,
} as const;
