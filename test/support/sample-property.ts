import type { Property } from '../../src/catalogue/catalogue.ts';

/** An ordinary property; a test overrides what matters to it. */
export function sampleProperty(facts: Partial<Property> & Pick<Property, 'brand' | 'reference'>): Property {
  const { brand, reference } = facts;
  return {
    id: `${brand}:${reference}`,
    name: `House ${reference}`,
    place: 'lisbon-pt',
    location: 'Alfama, Lisbon',
    maxGuests: 4,
    summary: '2 bedrooms',
    bedrooms: 2,
    bathrooms: 1,
    amenities: { wifi: 'Wi-Fi' },
    rating: { score: 4.5, scale: 5, reviewCount: 12 },
    cancellation: { summary: 'Free until five days before.', free: null },
    checkInTime: '15:00',
    checkOutTime: '11:00',
    images: [{ url: `https://${brand}.example/${reference}.jpg`, alt: 'The house', type: 'exterior' }],
    url: `https://${brand}.example/${reference}`,
    currency: 'EUR',
    bookingMode: 'instant',
    leadDays: 0,
    ...facts,
  };
}
