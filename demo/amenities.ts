import type { City } from './cities.ts';
import type { Seeded } from './seeded.ts';

/** Amenities and the labels that guests read. */
export const AMENITIES = {
  wifi: 'Wi-Fi',
  kitchen: 'Kitchen',
  heating: 'Heating',
  air_conditioning: 'Air conditioning',
  washing_machine: 'Washing machine',
  dryer: 'Tumble dryer',
  dishwasher: 'Dishwasher',
  coffee_machine: 'Coffee machine',
  television: 'Television',
  workspace: 'Desk to work at',
  lift: 'Lift',
  step_free: 'Step-free access',
  balcony: 'Balcony',
  terrace: 'Terrace',
  garden: 'Garden',
  pool: 'Swimming pool',
  hot_tub: 'Hot tub',
  sauna: 'Sauna',
  fireplace: 'Fireplace',
  parking: 'Parking',
  ev_charger: 'Charger for electric cars',
  bicycles: 'Bicycles to borrow',
  cot: 'Cot',
  pets_allowed: 'Pets welcome',
  breakfast: 'Breakfast',
  sea_view: 'View of the sea',
} as const;
export type Amenity = keyof typeof AMENITIES;

/** The probability of each amenity, by the city and the size of the home. */
function probabilities(city: City, bedrooms: number): Record<Amenity, number> {
  const warm = city.character === 'southern' || city.character === 'palm';
  const roomy = bedrooms >= 3;
  return {
    wifi: 0.97,
    kitchen: bedrooms === 0 ? 0.62 : 0.93,
    heating: warm ? 0.6 : 0.95,
    air_conditioning: warm || city.character === 'eastern' ? 0.78 : 0.22,
    washing_machine: roomy ? 0.92 : 0.58,
    dryer: roomy ? 0.5 : 0.22,
    dishwasher: roomy ? 0.85 : 0.4,
    coffee_machine: 0.52,
    television: 0.7,
    workspace: 0.46,
    lift: roomy ? 0.2 : 0.44,
    step_free: 0.19,
    balcony: roomy ? 0.25 : 0.42,
    terrace: roomy ? 0.48 : 0.18,
    garden: roomy ? 0.5 : 0.08,
    pool: warm && roomy ? 0.44 : 0.04,
    hot_tub: roomy ? 0.2 : 0.05,
    sauna: city.character === 'northern' ? 0.34 : 0.04,
    fireplace: city.character === 'georgian' || city.character === 'brick' ? 0.4 : 0.1,
    parking: roomy ? 0.56 : 0.18,
    ev_charger: roomy ? 0.24 : 0.06,
    bicycles: city.character === 'northern' ? 0.55 : 0.15,
    cot: bedrooms === 0 ? 0.12 : 0.44,
    pets_allowed: 0.31,
    breakfast: 0.14,
    sea_view: city.seaside ? 0.26 : 0,
  };
}

export function chooseAmenities(seeded: Seeded, city: City, bedrooms: number): readonly Amenity[] {
  const likely = probabilities(city, bedrooms);
  return Object.keys(AMENITIES)
    .filter(isAmenity)
    .filter((amenity) => seeded.chance(likely[amenity]));
}

function isAmenity(key: string): key is Amenity {
  return key in AMENITIES;
}
