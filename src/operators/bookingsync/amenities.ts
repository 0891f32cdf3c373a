import type { AmenityKey } from '../../inventory/amenities.ts';
import { createAmenityMap } from '../listings/map-amenities.ts';

/**
 * Of the keys that the vendor has published, those that say what a label says. `internet` is not among them: it does not say whether it
 * comes by cable or by air.
 */
const BOOKINGSYNC_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  air_conditioning: 'air_conditioning',
  bbq: 'barbecue',
  breakfast_included: 'breakfast',
  ceiling_fans: 'ceiling_fan',
  central_heating: 'heating',
  clothes_dryer: 'dryer',
  coffee_maker: 'coffee_machine',
  daily_maid_service: 'cleaning_during_stay',
  dvd_player: 'dvd_player',
  elevator: 'lift',
  fridge: 'refrigerator',
  full_equipped_kitchen: 'kitchen',
  game_room: 'games_room',
  hair_dryer: 'hair_dryer',
  heated_pool: 'heated_pool',
  ice_maker: 'ice_maker',
  jacuzzi: 'hot_tub',
  kids_friendly: 'suitable_for_children',
  long_term_rentals_available: 'long_stays',
  mosquito_net: 'mosquito_net',
  outdoor_furniture: 'outdoor_furniture',
  parking_included: 'free_parking',
  ping_pong: 'table_tennis',
  pool_private: 'private_pool',
  pool_shared: 'shared_pool',
  pool_table: 'pool_table',
  private_car_park: 'parking',
  sea_view: 'sea_view',
  shared_car_park: 'parking',
  stereo_system: 'sound_system',
  tennis_court: 'tennis_court',
  tv: 'television',
  videogame_console: 'game_console',
  washing_machine: 'washing_machine',
};

export const mapBookingsyncAmenities = createAmenityMap(BOOKINGSYNC_AMENITIES);
