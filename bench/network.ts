import type { CalendarPeriod } from '../src/connectors/open/calendar.ts';
import type { Listing } from '../src/connectors/shared/listings/listing.ts';
import type { NetworkFile } from '../src/network/network-file.ts';
import { type Day, formatDay } from '../src/stay/day.ts';

/** The network of the benchmark: 200 properties of four brands in twelve cities of three countries. */
export const BRANDS = ['alder', 'birch', 'cedar', 'dogwood'] as const;
const PROPERTIES_PER_BRAND = 50;
const NIGHTS = 560;

const COUNTRIES = {
  portugal: ['lisbon-pt', 'porto-pt', 'evora-pt', 'faro-pt'],
  spain: ['madrid-es', 'seville-es', 'valencia-es', 'bilbao-es'],
  italy: ['rome-it', 'florence-it', 'naples-it', 'turin-it'],
} as const;
const TIME_ZONES = { portugal: 'Europe/Lisbon', spain: 'Europe/Madrid', italy: 'Europe/Rome' } as const;
const COUNTRY_NAMES = Object.keys(COUNTRIES) as (keyof typeof COUNTRIES)[];

const CITIES: readonly string[] = Object.values(COUNTRIES).flat();

const AMENITIES = {
  wifi: 'Wi-Fi',
  kitchen: 'Kitchen',
  washer: 'Washing machine',
  balcony: 'Balcony',
  parking: 'Parking',
  pool: 'Pool',
};
const IMAGE_TYPES = ['exterior', 'living_area'] as const;

/** `concurrency` is how many calls each booking system takes at a time. */
export function networkFile(origins: readonly string[], concurrency: number): NetworkFile {
  const facts = (country: keyof typeof COUNTRIES) => ({ time_zone: TIME_ZONES[country], currency: 'EUR' });
  return {
    name: 'Measured network',
    contact: 'bench@example.com',
    places: COUNTRY_NAMES.flatMap((country) => [
      { id: country, name: country, kind: 'country' as const, ...facts(country) },
      ...COUNTRIES[country].map((id) => ({
        id,
        name: id.slice(0, -3),
        kind: 'city' as const,
        parent: country,
        ...facts(country),
      })),
    ]),
    brands: BRANDS.map((source, position) => ({
      source,
      name: `Brand ${source}`,
      all_in_totals: true,
      website: { hosts: ['stay.example'] },
      booking_system: { kind: 'open' as const, url: origins[position] ?? '', concurrency },
    })),
  };
}

export type MeasuredProperty = { readonly listing: Listing; readonly periods: readonly CalendarPeriod[] };

/** The properties of one brand, with a calendar that begins yesterday. */
export function propertiesOf(brand: (typeof BRANDS)[number], today: Day): MeasuredProperty[] {
  const first = BRANDS.indexOf(brand) * PROPERTIES_PER_BRAND;
  return Array.from({ length: PROPERTIES_PER_BRAND }, (_, i) => ({
    listing: listing(`${brand}-${i + 1}`, first + i),
    periods: periods(first + i, today - 1),
  }));
}

function listing(reference: string, ordinal: number): Listing {
  const city = CITIES[ordinal % CITIES.length] ?? '';
  const page = `https://stay.example/${reference}`;
  return {
    reference,
    name: `House ${reference}`,
    place: city,
    location: `Old town, ${city}`,
    max_guests: 2 + (ordinal % 7),
    summary: 'Two bedrooms and a terrace above the river.',
    bedrooms: 1 + (ordinal % 4),
    bathrooms: 1,
    amenities: Object.fromEntries(Object.entries(AMENITIES).filter((_, i) => (ordinal + i) % 6 !== 0)),
    rating: { score: 4 + (ordinal % 10) / 10, scale: 5, review_count: 10 + ordinal },
    cancellation: {
      summary: 'Free of charge until seven days before arrival.',
      free_until: { days_before: 7, time: '18:00' },
    },
    check_in_time: '15:00',
    check_out_time: '11:00',
    images: IMAGE_TYPES.map((type) => ({
      url: `${page}/${type}.jpg`,
      alt: `House ${reference}`,
      type,
    })),
    url: page,
    currency: 'EUR',
    booking_mode: 'instant',
  };
}

/** Three nights are taken every few weeks, on different days for different properties. */
function periods(ordinal: number, from: Day): CalendarPeriod[] {
  const all: CalendarPeriod[] = [];
  const rhythm = 14 + (ordinal % 9);
  for (let day = from - (ordinal % rhythm); day < from + NIGHTS; day += rhythm) {
    const taken = day + rhythm - 3;
    const rules = { minimum_stay: 1 + (ordinal % 3), price: `${60 + (ordinal % 50)}.00` };
    all.push({ from: formatDay(day), to: formatDay(taken), available: true, ...rules });
    all.push({ from: formatDay(taken), to: formatDay(day + rhythm), available: false });
  }
  return all;
}
