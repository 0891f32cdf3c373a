import { parseDay } from '../../../src/stay/day.ts';
import { toDecimal } from '../../../src/stay/money.ts';
import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';
import { maxChildrenOf, type QloHotel, roomTypeIdOf } from './catalogue.ts';
import type { RoomPlan } from './rooms.ts';
import { elements, elementText } from './xml.ts';

export type AriQuestion = {
  readonly hotel: string;
  readonly from: string;
  readonly to: string;
  readonly roomType: string | undefined;
  readonly nightByNight: boolean;
  readonly showsAvailable: boolean;
  /** Prices are of that many rooms; who sleeps in them makes no difference. */
  readonly rooms: number;
};
export type AriFault = { readonly code: number; readonly message: string };

const SHOWN = [
  'get_available_rooms',
  'get_booked_rooms',
  'get_partial_available_rooms',
  'get_unavailable_rooms',
];

export function readQuestion(body: string): AriQuestion | AriFault {
  const xml = body.startsWith('xml=') ? body.slice(4) : body;
  if (xml === '') return invalid('ARI search parameters are missing.');
  if (!/^\s*<[\s\S]+>\s*$/.test(xml)) return invalid('Invalid ARI search parameters found.');
  const ari = elementText(xml, 'hotel_ari');
  if (!ari) return invalid('Invalid request XML');
  const [hotel, from, to] = ['id_hotel', 'date_from', 'date_to'].map((name) => elementText(ari, name));
  if (hotel === undefined) return { code: 41, message: 'parameter "id_hotel" required' };
  if (from === undefined) return { code: 41, message: 'parameter "date_from" required' };
  if (to === undefined) return { code: 41, message: 'parameter "date_to" required' };
  if (parseDay(from) === undefined) return invalid('"The date_from field is invalid."');
  if (parseDay(to) === undefined) return invalid('"The date_to field is invalid."');
  if (to <= from) return invalid('"Date to" must be after "date from"');
  const occupancies = elements(ari, 'room_occupancy');
  for (const [index, occupancy] of occupancies.entries()) {
    if (!(Number(elementText(occupancy, 'adults')) > 0) || elementText(occupancy, 'children') === undefined) {
      return invalid(`Missing information for Room-${index + 1} occupancy.`);
    }
  }
  const shown = SHOWN.filter((name) => elementText(ari, name) !== undefined);
  return {
    hotel,
    from,
    to,
    roomType: elementText(ari, 'id_room_type'),
    nightByNight: isSet(elementText(ari, 'date_wise_breakdown')),
    showsAvailable: shown.length === 0 || isSet(elementText(ari, 'get_available_rooms')),
    rooms: Math.max(1, occupancies.length),
  };
}

export function answerQuestion(
  question: AriQuestion,
  hotel: QloHotel | undefined,
  plan: RoomPlan,
  currency: string,
) {
  const homes = (hotel?.homes ?? []).filter(
    (home) => question.roomType === undefined || question.roomType === String(roomTypeIdOf(home)),
  );
  const { from, to } = question;
  if (!question.nightByNight) {
    return {
      hotel_ari: { ...head(question, from, to, currency), ...wholeStay(question, homes, hotel, plan) },
    };
  }
  return {
    hotel_aris: nightsBetween(from, to).map((day) => ({
      ...head(question, day, addDays(day, 1), currency),
      ...singleNight(question, homes, day, plan),
    })),
  };
}

/** The length of the stay leaves no room available; it does not remove the type or its price. */
function wholeStay(
  question: AriQuestion,
  homes: readonly EmulatedHome[],
  hotel: QloHotel | undefined,
  plan: RoomPlan,
) {
  if (homes.length === 0) return {};
  const { from, to } = question;
  const nights = nightsBetween(from, to).length;
  const types = homes.map((home) => {
    const fits = nights >= home.minimumStay(from) && nights <= (home.maximumStay ?? nights);
    const free = fits ? plan.freeRooms(home.id, from, to) : [];
    const rooms = free.map(({ id, number }) => ({
      id_room: id,
      id_product: roomTypeIdOf(home),
      id_hotel: hotel?.id,
      room_num: number,
      room_comment: '',
      max_adult: home.maxGuests,
      max_children: maxChildrenOf(home),
      max_occupancy: home.maxGuests,
    }));
    return { home, rooms };
  });
  return {
    total_rooms: roomCount(homes, plan),
    ...(question.showsAvailable ? { total_available_rooms: types.flatMap(({ rooms }) => rooms).length } : {}),
    room_types: types.map(({ home, rooms }) => ({
      ...priced(home, question, from, to),
      rooms: question.showsAvailable ? { available: phpArray(rooms) } : [],
    })),
  };
}

/** Night by night the length of a stay plays no part, and what is added once a stay is added to each night. */
function singleNight(question: AriQuestion, homes: readonly EmulatedHome[], day: string, plan: RoomPlan) {
  if (homes.length === 0) return {};
  const next = addDays(day, 1);
  const types = homes.map((home) => ({
    home,
    rooms: plan.freeRooms(home.id, day, next).map(({ id, number }) => ({ id_room: id, room_num: number })),
  }));
  return {
    total_rooms: roomCount(homes, plan),
    room_types: types.map(({ home, rooms }) => ({
      ...priced(home, question, day, next),
      rooms: question.showsAvailable ? { available: phpArray(rooms) } : [],
    })),
    ...(question.showsAvailable ? { total_available_rooms: types.flatMap(({ rooms }) => rooms).length } : {}),
  };
}

function head(question: AriQuestion, from: string, to: string, currency: string) {
  // As it was asked, so it comes back as text.
  return { id_hotel: question.hotel, date_from: from, date_to: to, currency };
}

function priced(home: EmulatedHome, { rooms }: AriQuestion, from: string, to: string) {
  const nights = nightsBetween(from, to);
  const accommodation = nights.reduce((sum, day) => sum + home.nightlyPrice(day), 0);
  const net = accommodation + home.cleaningFee;
  const gross = net + Math.round((accommodation * home.taxPercent) / 100);
  return {
    id_room_type: roomTypeIdOf(home),
    // An average that is not rounded.
    base_price: toDecimal(net, home.currency) / nights.length,
    base_price_with_tax: toDecimal(gross, home.currency) / nights.length,
    total_price: toDecimal(net * rooms, home.currency),
    total_price_with_tax: toDecimal(gross * rooms, home.currency),
    name: home.name,
  };
}

function roomCount(homes: readonly EmulatedHome[], plan: RoomPlan): number {
  return homes.reduce((sum, { id }) => sum + plan.roomsOf(id).length, 0);
}

/** PHP writes an array with keys as an object, and an empty one as a list. */
function phpArray<Room extends { readonly id_room: number }>(rooms: readonly Room[]) {
  return rooms.length === 0 ? [] : Object.fromEntries(rooms.map((room) => [String(room.id_room), room]));
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '' && text !== '0';
}

function invalid(message: string): AriFault {
  return { code: 85, message: `Validation error: ${message}` };
}
