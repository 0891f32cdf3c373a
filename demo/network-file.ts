import type { NetworkFile } from '../src/network/network-file.ts';
import { BRANDS, type Brand } from './brands.ts';
import { CITIES, cityOf } from './cities.ts';
import { AREAS, otherNamesOf } from './places.ts';

/** The network file of the demo: its places, its brands and the addresses of their booking systems. */
export function demoNetworkFile(origin: string): NetworkFile {
  return {
    name: 'Staywire demo network',
    contact: 'demo@staywire.invalid',
    refresh_seconds: 30,
    places: [
      ...AREAS.map(({ id, name, kind, parent, timeZone, currency }) => ({
        id,
        name,
        aliases: [...otherNamesOf(id)],
        kind,
        ...(parent !== null && { parent }),
        time_zone: timeZone,
        currency,
      })),
      ...CITIES.map(({ id, name, region, timeZone, currency }) => ({
        id,
        name,
        aliases: [...otherNamesOf(id)],
        kind: 'city' as const,
        parent: region,
        time_zone: timeZone,
        currency,
      })),
    ],
    brands: BRANDS.map((brand) => brandEntry(brand, origin)),
  };
}

function brandEntry(brand: Brand, origin: string): NetworkFile['brands'][number] {
  const { source, name, singleLocation } = brand;
  const cities = Object.keys(brand.propertyCounts).map(cityOf);
  return {
    source,
    name,
    ...(singleLocation !== null && { single_location: singleLocation }),
    all_in_totals: true,
    ...(brand.agreedHoldMinutes !== null && { quote_hold_minutes: brand.agreedHoldMinutes }),
    website: {
      hosts: [new URL(origin).host],
      results_url: `${origin}/sites/${source}/stays`,
      stay_parameters: { quote: 'quote' },
    },
    ...(brand.usesLocalNames && {
      places: Object.fromEntries(cities.map((city) => [city.localName, city.id])),
    }),
    booking_system:
      brand.connection === 'rate-card'
        ? { kind: 'rate-card', url: `${origin}/sites/${source}/rate-card.json` }
        : { kind: 'open', url: `${origin}/operators/${source}` },
  };
}
