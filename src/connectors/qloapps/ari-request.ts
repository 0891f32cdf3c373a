import { type Day, formatDay } from '../../stay/day.ts';

/** What `POST /api/hotel_ari` is asked. Identifiers are digits, so there is nothing to escape. */
export type AriQuestion = {
  readonly hotel: string;
  /** Left out: all room types of the hotel. */
  readonly roomType?: string | undefined;
  readonly from: Day;
  readonly to: Day;
  /** Left out: one person, as QloApps assumes. */
  readonly adults?: number;
  /** Each night by itself, whatever the minimum stay. */
  readonly byNight?: boolean;
};

export function ariRequest({ hotel, roomType, from, to, adults, byNight = false }: AriQuestion): string {
  const occupancy =
    adults === undefined
      ? ''
      : `<associations><room_occupancies><room_occupancy><adults>${adults}</adults><children>0</children></room_occupancy></room_occupancies></associations>`;
  const members = [
    `<id_hotel>${hotel}</id_hotel>`,
    `<date_from>${formatDay(from)}</date_from>`,
    `<date_to>${formatDay(to)}</date_to>`,
    roomType === undefined ? '' : `<id_room_type>${roomType}</id_room_type>`,
    '<get_available_rooms>1</get_available_rooms>',
    byNight ? '<date_wise_breakdown>1</date_wise_breakdown>' : '',
    occupancy,
  ];
  return `<qloapps><hotel_ari>${members.join('')}</hotel_ari></qloapps>`;
}
