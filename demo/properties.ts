import type { BookingMode, ImageType } from '../src/catalogue/catalogue.ts';
import { type Amenity, chooseAmenities } from './amenities.ts';
import type { Brand } from './brands.ts';
import { type City, cityOf } from './cities.ts';
import { type Seeded, seededBy } from './seeded.ts';

/** An operator's data about one of its homes; `listing.ts` decides which it publishes. */
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

/** A home with a special view shows it first, any other its front. */
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

/** The kinds of homes, with their sizes and price factors. */
type Kind = {
  readonly word: string;
  readonly bedrooms: readonly [from: number, to: number];
  readonly squareMetres: number;
  readonly priceFactor: number;
};

export const KINDS = {
  studio: { word: 'studio', bedrooms: [0, 0], squareMetres: 31, priceFactor: 0.74 },
  apartment: { word: 'apartment', bedrooms: [1, 3], squareMetres: 34, priceFactor: 1 },
  loft: { word: 'loft', bedrooms: [1, 2], squareMetres: 48, priceFactor: 1.16 },
  penthouse: { word: 'penthouse', bedrooms: [2, 3], squareMetres: 52, priceFactor: 1.62 },
  townhouse: { word: 'town house', bedrooms: [2, 4], squareMetres: 46, priceFactor: 1.22 },
  cottage: { word: 'cottage', bedrooms: [1, 3], squareMetres: 38, priceFactor: 1.08 },
  house: { word: 'house', bedrooms: [3, 5], squareMetres: 44, priceFactor: 1.12 },
  villa: { word: 'villa', bedrooms: [4, 6], squareMetres: 58, priceFactor: 1.48 },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** Relative to a night for two in one bedroom; every further bedroom adds less than the one before. */
export function priceFactorOf(kind: Kind, bedrooms: number): number {
  return kind.priceFactor * (bedrooms <= 1 ? 1 : 1 + 0.46 * (bedrooms - 1) ** 0.92);
}

type CancellationPolicy = {
  readonly summary: string;
  readonly freeUntil: { readonly days_before: number; readonly time: string } | null;
};

const CANCELLATION_POLICIES: readonly CancellationPolicy[] = [
  {
    summary:
      'Free cancellation until 18:00 on the day before arrival. After that, or if you do not arrive, the first night is charged.',
    freeUntil: { days_before: 1, time: '18:00' },
  },
  {
    summary:
      'Cancel free of charge up to 5 days before check-in, until 14:00 local time. Later than that we keep half of the price.',
    freeUntil: { days_before: 5, time: '14:00' },
  },
  {
    summary:
      'Full refund up to 14 days before arrival, half of the price up to 7 days before. No refund after that, unless we can let the nights again.',
    freeUntil: { days_before: 14, time: '23:59' },
  },
  {
    summary: 'Full refund up to 30 days before arrival. Afterwards you may change your dates once.',
    freeUntil: { days_before: 30, time: '12:00' },
  },
  {
    summary: 'This rate cannot be refunded. You may pass the stay on to somebody else free of charge.',
    freeUntil: null,
  },
];
