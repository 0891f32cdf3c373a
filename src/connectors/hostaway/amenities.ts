import type { AmenityKey } from '../../catalogue/amenities.ts';

/**
 * Names of amenities as `GET /amenities` returns them. Hostaway publishes no list: these names are common among booking systems, and any
 * other is reported as unmapped.
 */
export const HOSTAWAY_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  'BBQ grill': 'barbecue',
  'Bed linens': 'bed_linen',
  'Cable TV': 'cable_tv',
  'Carbon monoxide detector': 'carbon_monoxide_alarm',
  "Children's books and toys": 'childrens_books_and_toys',
  "Children's dinnerware": 'childrens_dinnerware',
  'Coffee maker': 'coffee_machine',
  Crib: 'cot',
  'Dishes and silverware': 'dishes',
  Dryer: 'dryer',
  Elevator: 'lift',
  'Elevator in building': 'lift',
  'EV charger': 'ev_charger',
  'Free parking on premises': 'free_parking',
  'Free street parking': 'street_parking',
  'Garden or backyard': 'garden',
  'Indoor fireplace': 'fireplace',
  'Laptop friendly workspace': 'workspace',
  'Long term stays allowed': 'long_stays',
  'Luggage dropoff allowed': 'luggage_dropoff',
  'Pets allowed': 'pets_allowed',
  'Ping pong table': 'table_tennis',
  'Pocket wifi': 'pocket_wifi',
  'Room-darkening shades': 'blackout_curtains',
  'Ski-in/Ski-out': 'ski_in_ski_out',
  'Smoke detector': 'smoke_alarm',
  TV: 'television',
  Washer: 'washing_machine',
  'Wide doorway': 'wide_doorways',
  WiFi: 'wifi',
  'Wireless Internet': 'wifi',
};
