import type { BookingMode, ImageType } from '../src/catalogue/catalogue.ts';
import { type Amenity, chooseAmenities } from './amenities.ts';
import type { Brand } from './brands.ts';
import { CANCELLATION_POLICIES, type CancellationPolicy } from './cancellation.ts';
import { type City, cityOf } from './cities.ts';
import { KINDS, type KindName } from './kinds.ts';
import { type Seeded, seededBy } from './seeded.ts';

/** What an operator knows about one of its homes; `listing.ts` decides what it publishes. */
export type Property = {
  readonly reference: string;
  readonly brand: Brand;
  readonly name: string;
  readonly city: City;
  readonly neighbourhood: string;
  readonly kind: KindName;
  readonly bedrooms: number;
  readonly bathrooms: number;
  readonly squareMetres: number;
  readonly maxGuests: number;
  readonly amenities: readonly Amenity[];
  /** From 0 to 1; null without reviews. */
  readonly reviewScore: number | null;
  readonly reviewCount: number;
  readonly cancellation: CancellationPolicy;
  readonly checkInTime: string;
  readonly checkOutTime: string;
  readonly bookingMode: BookingMode;
  readonly leadDays: number;
  readonly pictures: readonly ImageType[];
};

export function propertiesOf(brand: Brand): readonly Property[] {
  const names = namesOf(brand);
  const cities = Object.entries(brand.propertyCounts).flatMap(([id, count]) =>
    Array<City>(count).fill(cityOf(id)),
  );
  return cities.map((city, index) => {
    const reference = `${brand.prefix}-${101 + index}`;
    return propertyOf(brand, city, reference, names[index] ?? reference);
  });
}

function namesOf({ source, nameWords: [firstWords, secondWords] }: Brand): readonly string[] {
  const names = firstWords.flatMap((first) => secondWords.map((second) => `${first} ${second}`));
  return seededBy(`${source} names`).shuffled(names);
}

function propertyOf(brand: Brand, city: City, reference: string, name: string): Property {
  const seeded = seededBy(`${brand.source} ${reference}`);
  const kind = seeded.pick(brand.kinds);
  const [fewest, most] = KINDS[kind].bedrooms;
  const bedrooms = seeded.integer(fewest, most);
  const amenities = chooseAmenities(seeded, city, bedrooms);
  const isNew = seeded.chance(0.05);
  return Object.freeze({
    reference,
    brand,
    name,
    city,
    neighbourhood: seeded.pick(city.neighbourhoods),
    kind,
    bedrooms,
    bathrooms: bathroomsFor(seeded, bedrooms),
    squareMetres: Math.round(KINDS[kind].squareMetres * (0.75 + 0.55 * bedrooms + seeded.fraction() * 0.5)),
    maxGuests: Math.max(2, bedrooms * 2 + seeded.pick([0, 0, 1, 2])),
    amenities,
    reviewScore: isNew ? null : 0.78 + 0.22 * (1 - seeded.fraction() ** 1.6),
    reviewCount: isNew ? 0 : seeded.integer(4, 380),
    cancellation: seeded.pick(CANCELLATION_POLICIES),
    checkInTime: seeded.pick(['14:00', '15:00', '15:00', '16:00']),
    checkOutTime: seeded.pick(['10:00', '11:00', '11:00', '12:00']),
    bookingMode: seeded.chance(0.85) ? 'instant' : 'request',
    leadDays: seeded.pick([0, 0, 0, 1, 1, 2]),
    pictures: picturesFor(seeded, amenities),
  });
}

function bathroomsFor(seeded: Seeded, bedrooms: number): number {
  if (bedrooms <= 1) return 1;
  return Math.max(1, bedrooms - seeded.integer(0, 2)) + (seeded.chance(0.3) ? 0.5 : 0);
}

/** The view comes first where there is a special one, the front of the house everywhere else. */
function picturesFor(seeded: Seeded, amenities: readonly Amenity[]): readonly ImageType[] {
  const openAir = (['terrace', 'garden', 'pool', 'balcony'] as const).some((one) => amenities.includes(one));
  const opening: ImageType[] =
    amenities.includes('sea_view') || seeded.chance(0.2) ? ['view', 'exterior'] : ['exterior', 'view'];
  return [
    ...opening,
    'living_area',
    'bedroom',
    ...(amenities.includes('kitchen') ? (['kitchen'] as const) : []),
    ...(openAir ? (['outdoor'] as const) : []),
    ...(seeded.chance(0.6) ? (['bathroom'] as const) : []),
    ...(seeded.chance(0.4) ? (['floor_plan'] as const) : []),
  ];
}
