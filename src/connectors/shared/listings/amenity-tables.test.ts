import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AmenityKey, BROADER_AMENITIES } from '../../../catalogue/amenities.ts';
import { BEDS24_AMENITIES } from '../../beds24/amenities.ts';
import { mapBookingsyncAmenities } from '../../bookingsync/amenities.ts';
import { GUESTY_AMENITIES } from '../../guesty/catalogue.ts';
import { HOSTAWAY_AMENITIES } from '../../hostaway/catalogue.ts';
import { mapLodgifyAmenities } from '../../lodgify/amenities.ts';
import { QLOAPPS_AMENITIES } from '../../qloapps/room-types.ts';
import { type AmenityMap, createAmenityMap } from './amenities.ts';

/** Words that say less than the label they might be taken for, or something else; and some that say just that. */
const TABLES: Readonly<
  Record<
    string,
    {
      readonly map: AmenityMap;
      readonly unmapped: readonly string[];
      readonly mapped: readonly [string, AmenityKey][];
    }
  >
> = {
  BookingSync: {
    map: mapBookingsyncAmenities,
    unmapped: [
      // Ours, but none of the vendor's.
      'wifi',
      'workspace',
      'step_free',
      'bike',
      'boat_dock',
      'cinema',
      'games_-_all_ages',
      'handicap_accessible',
      'internet',
      'jacuzzi_bath',
      'wedding',
      'pets_considered',
      'satellite_or_cable',
      'smoking_forbidden',
    ],
    mapped: [
      ['air_conditioning', 'air_conditioning'],
      ['jacuzzi', 'hot_tub'],
      ['pool_shared', 'shared_pool'],
      ['tennis_court', 'tennis_court'],
    ],
  },
  Lodgify: {
    map: mapLodgifyAmenities,
    unmapped: [
      'CookingEatingCookingUtensils',
      'CookingEatingGrill',
      'EntertainmentInternet',
      'RoomsPlayroom',
      'SanitaryTub',
    ],
    mapped: [
      ['HeatingACGeneral', 'heating'],
      ['has_wifi', 'wifi'],
    ],
  },
  Beds24: {
    map: createAmenityMap(BEDS24_AMENITIES),
    unmapped: [
      'BAGGAGE_STORAGE',
      'BICYCLE',
      'CABLE',
      'CHILDREN_WELCOME',
      'DISABLED_ACCESSIBLE',
      'DVD',
      'GAMES',
      'GRILL',
      'KAYAK_CANOE',
      'LAPTOP_FRIENDLY',
      'SATELLITE',
      'TENNIS',
      'VIDEO_GAMES',
    ],
    mapped: [
      ['WHEELCHAIR_YES', 'wheelchair_accessible'],
      ['GAME_ROOM', 'games_room'],
    ],
  },
  Hostaway: {
    map: createAmenityMap(HOSTAWAY_AMENITIES, { areNames: true }),
    unmapped: ['Wireless', 'Coffee/tea maker', 'Internet'],
    mapped: [
      ['Wireless Internet', 'wifi'],
      ['Cable TV', 'cable_tv'],
    ],
  },
  Guesty: {
    map: createAmenityMap(GUESTY_AMENITIES, { areNames: true }),
    unmapped: ['Internet', 'Patio or balcony', 'Firm mattress'],
    mapped: [['Wireless Internet', 'wifi']],
  },
  QloApps: {
    map: createAmenityMap(QLOAPPS_AMENITIES, { areNames: true }),
    unmapped: ['News Paper', 'Power BackUp', 'Business Center', 'Internet'],
    mapped: [['Wi-Fi', 'wifi']],
  },
};

for (const [vendor, { map, unmapped, mapped }] of Object.entries(TABLES)) {
  describe(`the table of ${vendor}`, () => {
    it('leaves out what does not say what a label says', () => {
      assert.deepEqual(map(unmapped), { amenities: null, unmapped });
    });

    it('has what does', () => {
      for (const [word, key] of mapped) {
        const broader = BROADER_AMENITIES[key];
        const keys = broader === undefined ? [key] : [key, broader];
        assert.deepEqual(Object.keys(map([word]).amenities ?? {}), keys, word);
      }
    });
  });
}
