import type { Listing } from '../../src/connectors/shared/listings/listing.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { formatDay } from '../../src/stay/day.ts';
import type { ScriptedProperty } from './scripted-operator.ts';

/** 2027-03-01T12:00:00Z: at noon, so that it is the same day in most time zones, and weeks before a clock change. */
export const NOON = Date.UTC(2027, 2, 1, 12);
export const TODAY = NOON / 86_400_000 - 0.5;

export const PLACES: NetworkFile['places'] = [
  { id: 'portugal', name: 'Portugal', kind: 'country', time_zone: 'Europe/Lisbon', currency: 'EUR' },
  {
    id: 'lisbon-pt',
    name: 'Lisbon',
    kind: 'city',
    parent: 'portugal',
    time_zone: 'Europe/Lisbon',
    currency: 'EUR',
  },
  {
    id: 'porto-pt',
    name: 'Porto',
    kind: 'city',
    parent: 'portugal',
    time_zone: 'Europe/Lisbon',
    currency: 'EUR',
  },
  {
    id: 'evora-pt',
    name: 'Évora',
    kind: 'city',
    parent: 'portugal',
    time_zone: 'Europe/Lisbon',
    currency: 'EUR',
  },
];

export function brandEntry(source: string, origin: string): NetworkFile['brands'][number] {
  return {
    source,
    name: `Brand ${source}`,
    all_in_totals: true,
    website: { hosts: ['stay.example'], results_url: `https://stay.example/${source}/stays` },
    booking_system: { kind: 'open', url: origin },
  };
}

export function networkFile(brands: NetworkFile['brands']): NetworkFile {
  return { name: 'Test network', contact: 'owner@example.com', places: PLACES, brands };
}

/** Free on all nights from today on, unless `periods` says otherwise. */
export function property(
  reference: string,
  changes: Partial<Listing> = {},
  periods: ScriptedProperty['periods'] = alwaysFree(),
): ScriptedProperty {
  return {
    listing: {
      reference,
      name: `House ${reference}`,
      place: 'lisbon-pt',
      location: 'Alfama, Lisbon',
      max_guests: 4,
      summary: 'Two bedrooms for four',
      bedrooms: 2,
      bathrooms: 1,
      amenities: { wifi: 'Wi-Fi' },
      rating: { score: 4.5, scale: 5, review_count: 12 },
      cancellation: {
        summary: 'Free of charge until seven days before arrival.',
        free_until: { days_before: 7, time: '18:00' },
      },
      check_in_time: '15:00',
      check_out_time: '11:00',
      images: [
        { url: `https://stay.example/${reference}/1.jpg`, alt: 'The house', type: 'exterior' },
        { url: `https://stay.example/${reference}/2.jpg`, alt: 'The kitchen', type: 'kitchen' },
      ],
      url: `https://stay.example/${reference}`,
      currency: 'EUR',
      booking_mode: 'instant',
      ...changes,
    },
    periods,
  };
}

export function alwaysFree(price = '50.00'): ScriptedProperty['periods'] {
  return [{ from: formatDay(TODAY - 1), to: formatDay(TODAY + 200), available: true, price }];
}
