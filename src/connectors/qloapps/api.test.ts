import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { ariRequest } from './api.ts';

const stay = { hotel: '1', from: parseDay('2027-05-08') ?? 0, to: parseDay('2027-05-12') ?? 0 };

describe('a question for prices', () => {
  it('names the hotel, the days and the guests', () => {
    assert.equal(
      ariRequest({ ...stay, roomType: '4', adults: 2 }),
      '<qloapps><hotel_ari><id_hotel>1</id_hotel><date_from>2027-05-08</date_from><date_to>2027-05-12</date_to><id_room_type>4</id_room_type><get_available_rooms>1</get_available_rooms><associations><room_occupancies><room_occupancy><adults>2</adults><children>0</children></room_occupancy></room_occupancies></associations></hotel_ari></qloapps>',
    );
  });

  it('can be about all room types, night by night', () => {
    assert.equal(
      ariRequest({ ...stay, byNight: true }),
      '<qloapps><hotel_ari><id_hotel>1</id_hotel><date_from>2027-05-08</date_from><date_to>2027-05-12</date_to><get_available_rooms>1</get_available_rooms><date_wise_breakdown>1</date_wise_breakdown></hotel_ari></qloapps>',
    );
  });
});
