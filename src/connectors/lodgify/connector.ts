import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createLodgifyBookingSystem } from './lodgify-booking-system.ts';

const DEFAULT_LANGUAGE = 'en';
const DEFAULT_BOOKING_MODE = 'request';

/** Vacation rental software with a checkout page of its own. */
export const lodgifyConnector = createVendorConnector({
  kind: 'lodgify',
  defaults: {
    url: 'https://api.lodgify.com',
    // For version 2, as the vendor states it.
    windows: [{ requests: 750, perMs: 60_000 }],
    // The vendor prices one property in a call.
    limits: { batchSize: 1, concurrency: 8, timeoutMs: 6000 },
  },
  members: {
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}$',
        default: DEFAULT_LANGUAGE,
        description: 'The language in which the vendor answers.',
      }),
    ),
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: DEFAULT_BOOKING_MODE,
        description:
          'Whether a booking on the operator’s website is confirmed at once or on request; the vendor does not say.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s policy, word for word, for homes of which no quote has shown it. Left out: such homes say that no policy is stated, or, where no stay could be priced, that it could not be read.',
    ),
  },
  // What its total holds is only known from answers, not from the vendor's own words.
  canStateAllInTotals: false,
  documentation: {
    title: 'Lodgify, API version 2',
    text: 'For operators on Lodgify: see [its page](connectors/lodgify.md).',
  },
  credentials: {
    api_key: { title: 'API key of the operator’s account', found: 'Lodgify, Settings, Public API' },
  },
  read: (entry, secrets) =>
    valid({
      apiKey: secrets.api_key,
      language: entry.language ?? DEFAULT_LANGUAGE,
      terms: {
        bookingMode: entry.booking_mode ?? DEFAULT_BOOKING_MODE,
        cancellationText: entry.cancellation_text ?? null,
      },
    }),
  connect: createLodgifyBookingSystem,
});
