import type { CalendarPeriod, QuotesAnswer } from '../open/protocol.ts';
import type { Listing, ListingContext } from '../shared/listings/listing.ts';

/** A listing that keeps every rule in the given network. */
export function exampleListing({ hosts, places }: ListingContext): Listing {
  const city = places.values().find(({ kind }) => kind === 'city');
  const website = `https://${hosts[0] ?? 'casas.example'}`;
  return {
    reference: 'casa-1',
    name: 'Casa da Graça',
    place: city?.id ?? 'lisbon-pt',
    location: 'Graça, Lisbon',
    max_guests: 4,
    summary: '2 bedrooms · 1 bathroom · 70 m²',
    bedrooms: 2,
    bathrooms: 1,
    amenities: { wifi: 'Wi-Fi' },
    rating: { score: 4.7, scale: 5, review_count: 31 },
    cancellation: {
      summary: 'Free until 14 days before arrival. After that we keep half of the total.',
      free_until: { days_before: 14, time: '18:00' },
      refundable: true,
    },
    check_in_time: '15:00',
    check_out_time: '11:00',
    images: [{ url: `${website}/casa-1/street.jpg`, alt: 'The house from the street', type: 'exterior' }],
    url: `${website}/casa-1`,
    currency: city?.currency ?? 'EUR',
    booking_mode: 'instant',
    confirmation_hours: 24,
    lead_days: 1,
  };
}

export const EXAMPLE_PERIOD: CalendarPeriod = {
  from: '2027-08-01',
  to: '2027-08-10',
  available: true,
  minimum_stay: 2,
  maximum_stay: 28,
  closed_to_arrival: false,
  closed_to_departure: false,
  price: '110.00',
};

export function exampleQuote(property: string, currency: string): QuotesAnswer['quotes'][number] {
  return {
    property,
    status: 'quoted',
    currency,
    total: '500',
    lines: [{ label: '4 nights', amount: '500' }],
    held_until: null,
    deposit: { amount: '200', refundable: true },
    due_on_site: '0',
  };
}
