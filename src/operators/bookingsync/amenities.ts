import { AMENITY_LABELS, type AmenityKey } from '../../inventory/amenities.ts';
import { createAmenityMap } from '../listings/map-amenities.ts';

/** The keys that the vendor has published. `internet` is not among them: it does not say whether it comes by cable or by air. */
const BY_KEY: Readonly<Record<string, AmenityKey>> = {
  bbq: 'barbecue',
  bike: 'bicycles',
  boat_dock: 'boat_slip',
  breakfast_included: 'breakfast',
  ceiling_fans: 'ceiling_fan',
  central_heating: 'heating',
  cinema: 'cinema_room',
  clothes_dryer: 'dryer',
  coffee_maker: 'coffee_machine',
  daily_maid_service: 'cleaning_during_stay',
  elevator: 'lift',
  fridge: 'refrigerator',
  full_equipped_kitchen: 'kitchen',
  game_room: 'games_room',
  'games_-_all_ages': 'board_games',
  handicap_accessible: 'wheelchair_accessible',
  jacuzzi: 'hot_tub',
  kids_friendly: 'suitable_for_children',
  long_term_rentals_available: 'long_stays',
  parking_included: 'free_parking',
  ping_pong: 'table_tennis',
  pool_private: 'private_pool',
  pool_shared: 'shared_pool',
  private_car_park: 'parking',
  shared_car_park: 'parking',
  stereo_system: 'sound_system',
  tv: 'television',
  videogame_console: 'game_console',
  wedding: 'events_allowed',
};

/** A key that reads like one of ours means the same. */
const OWN_KEYS = Object.fromEntries(
  Object.keys(AMENITY_LABELS).map((key) => [key, key as AmenityKey]),
) as Readonly<Record<string, AmenityKey>>;

export const mapBookingsyncAmenities = createAmenityMap({ ...OWN_KEYS, ...BY_KEY });
