import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createGuestyBookingSystem } from './guesty-booking-system.ts';

/** The Booking Engine API of Guesty. */
export const guestyConnector = createVendorConnector({
  kind: 'guesty',
  // The limits of the Booking Engine API, as Guesty publishes them.
  defaults: {
    url: 'https://booking.guesty.com',
    windows: [
      { requests: 5, perMs: 1000 },
      { requests: 275, perMs: 60_000 },
      { requests: 16_500, perMs: 3_600_000 },
    ],
    limits: { batchSize: 1, concurrency: 4, timeoutMs: 5000 },
  },
  members: {
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: 'request',
        description:
          'How a stay is booked, as the Booking Engine API instance is set up in Guesty: its answers do not say.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for listings without one in Guesty.',
    ),
  },
  documentation: {
    title: 'Guesty Booking Engine',
    text: 'For an account with a [Guesty Booking Engine API](connectors/guesty.md) instance.',
  },
  credentials: {
    client_id: {
      title: 'Client ID of the Booking Engine API instance',
      found:
        'in Guesty under Growth, Distribution, Booking Engine API; not the one of an Open API application',
    },
    client_secret: {
      title: 'Client secret of the same instance',
      found: 'shown by Guesty beside the client ID, when the instance is created',
    },
  },
  // Guesty documents no total: ours is the sum of the invoice, and nothing says that it holds every tax and fee.
  canStateAllInTotals: false,
  read: (entry, secrets) =>
    valid({
      clientId: secrets.client_id,
      clientSecret: secrets.client_secret,
      bookingMode: entry.booking_mode ?? 'request',
      cancellationText: entry.cancellation_text ?? null,
    }),
  connect: createGuestyBookingSystem,
});
