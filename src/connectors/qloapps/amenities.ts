import type { AmenityKey } from '../../catalogue/amenities.ts';

/**
 * Features of hotels and room types. Owners write their own, so these are the names that QloApps comes with and their usual
 * spellings; any other is reported as unmapped.
 */
export const QLOAPPS_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  'Coffee Maker': 'coffee_machine',
  Elevator: 'lift',
  'Fitness Center': 'gym',
  'Mini Bar': 'minibar',
  'Pets Allowed': 'pets_allowed',
  TV: 'television',
  WiFi: 'wifi',
};
