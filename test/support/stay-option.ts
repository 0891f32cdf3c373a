import type { StayOption } from '../../src/client/client.ts';

/** An option as the interface has it: three nights in Lisbon for two. */
export function aStayOption({
  amount = 300,
  currency = 'EUR',
  cancellation = {},
  quote = {},
  ...members
}: Partial<Omit<StayOption, 'cancellation' | 'quote'>> & {
  readonly amount?: number;
  readonly currency?: string;
  readonly cancellation?: Partial<StayOption['cancellation']>;
  readonly quote?: Partial<StayOption['quote']>;
} = {}): StayOption {
  return {
    rank: 1,
    property_id: 'casas:1',
    name: 'Sótão dos Azulejos',
    brand: 'Casa Lumeira',
    location: 'Mouraria, Lisbon',
    capacity: { max_guests: 4, summary: 'Two bedrooms for four', bedrooms: 2, bathrooms: 1 },
    amenities: { wifi: 'Wi-Fi' },
    rating: { score: 4.9, scale: 5, review_count: 154 },
    cancellation: {
      summary: 'Free of charge until seven days before arrival.',
      free_cancellation_until: '2027-04-03T17:00:00Z',
      free_cancellation_until_local:
        cancellation.free_cancellation_until === null ? null : '2027-04-03T18:00:00+01:00',
      free_cancellation: cancellation.free_cancellation_until === null ? 'unpublished' : 'until',
      refundable: true,
      ...cancellation,
    },
    check_in_time: '15:00',
    check_out_time: '11:00',
    images: { primary: { url: 'https://casas.example/1.jpg', alt: 'The house' }, gallery: [] },
    availability: {
      status: 'available',
      booking_mode: 'instant',
      inventory_source: 'live_booking_system',
      confirmation_hours: null,
    },
    url: 'https://casas.example/1?from=2027-04-10',
    quote: {
      nxq: 'nxq_1',
      amount,
      nightly_average: amount / 3,
      currency,
      check_in: '2027-04-10',
      check_out: '2027-04-13',
      guests: 2,
      nights: 3,
      line_items: [],
      line_items_available: false,
      price_valid_until: '2027-03-01T12:30:00Z',
      price_guarantee: 'at_retrieval',
      retrieved_at: '2027-03-01T12:00:00Z',
      deposit: null,
      due_on_site: null,
      signature: null,
      verify_url: null,
      ...quote,
    },
    ...members,
  };
}
