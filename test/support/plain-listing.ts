import type { Place } from '../../src/catalogue/catalogue.ts';
import type { Rates } from '../../src/connectors/rate-card/rate-card.ts';
import type { Listing, ListingContext } from '../../src/connectors/shared/listings/listing.ts';

/** A listing, a network and rates with nothing special about them, for tests to vary. */
export const plainListing: Listing = {
  reference: 'casa-1',
  name: 'Casa da Graça',
  place: 'lisbon-pt',
  location: 'Graça, Lisbon',
  max_guests: 4,
  summary: '2 bedrooms · 1 bathroom · 70 m²',
  bedrooms: 2,
  bathrooms: 1.5,
  amenities: { wifi: 'Wi-Fi', sea_view: 'Sea view' },
  rating: { score: 4.7, scale: 5, review_count: 31 },
  cancellation: {
    summary: 'Free until 14 days before arrival. After that we keep half.',
    free_until: { days_before: 14, time: '18:00' },
  },
  check_in_time: '15:00',
  check_out_time: '11:00',
  images: [
    { url: 'https://casas.example/img/1.jpg', alt: 'The house from the street', type: 'exterior' },
    { url: 'https://casas.example/img/2.jpg', alt: 'The kitchen', type: 'kitchen' },
  ],
  url: 'https://casas.example/casa-1',
  currency: 'EUR',
  booking_mode: 'instant',
  lead_days: 1,
};

const place = (
  id: string,
  name: string,
  kind: Place['kind'],
  parent: string | null,
  [timeZone, currency] = ['Europe/Lisbon', 'EUR'],
): [string, Place] => [id, { id, name, aliases: [], kind, parent, timeZone, currency }];

export const plainContext: ListingContext = {
  brand: 'casas',
  hosts: ['casas.example', 'img.casas.example:8443', 'localhost:4000'],
  placeAliases: new Map([['Lisboa', 'lisbon-pt']]),
  places: new Map([
    place('portugal', 'Portugal', 'country', null),
    place('lisbon-pt', 'Lisbon', 'city', 'portugal'),
    place('tokyo-jp', 'Tokyo', 'city', null, ['Asia/Tokyo', 'JPY']),
  ]),
};

export const plainRates: Rates = { nightly: '100.00', seasons: [], discounts: [], fees: [], taxes: [] };
