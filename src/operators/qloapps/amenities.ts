import type { AmenityKey } from '../../inventory/amenities.ts';

/**
 * Features of hotels and room types. Owners write their own, so these are the names that QloApps comes with and their usual
 * spellings; any other is reported as unmapped.
 */
export const QLOAPPS_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  'Air Conditioning': 'air_conditioning',
  'Airport Shuttle': 'airport_shuttle',
  Babysitting: 'babysitting',
  Balcony: 'balcony',
  Breakfast: 'breakfast',
  'Coffee Maker': 'coffee_machine',
  Concierge: 'concierge',
  Elevator: 'lift',
  'Free Parking': 'free_parking',
  'Fitness Center': 'gym',
  Garden: 'garden',
  Gym: 'gym',
  'Hair Dryer': 'hair_dryer',
  Heating: 'heating',
  'Hot Tub': 'hot_tub',
  Iron: 'iron',
  Kitchen: 'kitchen',
  Lift: 'lift',
  Microwave: 'microwave',
  'Mini Bar': 'minibar',
  Minibar: 'minibar',
  Parking: 'parking',
  'Pets Allowed': 'pets_allowed',
  Refrigerator: 'refrigerator',
  'Room Service': 'room_service',
  Safe: 'safe',
  Sauna: 'sauna',
  Spa: 'spa',
  'Swimming Pool': 'pool',
  Television: 'television',
  TV: 'television',
  'Washing Machine': 'washing_machine',
  'Wheelchair Accessible': 'wheelchair_accessible',
  'Wi-Fi': 'wifi',
  WiFi: 'wifi',
};
