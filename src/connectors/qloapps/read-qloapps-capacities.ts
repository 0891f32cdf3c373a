import { looseIdentifier, looseInteger, looseRecord, looseText } from '../shared/vendors/loose-values.ts';
import { ariRoomTypes, readQloappsAnswer } from './qloapps-answer.ts';

/** The rooms of a type are equal, so a few show what all of them are. */
const MAX_ROOMS = 20;

/**
 * A task of the intake: `POST /api/hotel_ari`, of which only the currency and the size of the free rooms are read. The catalogue has
 * neither: its `adults` are those of the base price.
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

export function mostAdultsIn(room: unknown): number | undefined {
  const { max_adult, max_occupancy } = looseRecord(room);
  const [adults, occupancy] = [looseInteger(max_adult), looseInteger(max_occupancy)];
  return adults === undefined || occupancy === undefined
    ? (adults ?? occupancy)
    : Math.min(adults, occupancy);
}
