import { type Static, Type } from 'typebox';
import { type Reading, valid } from '../../reading/reading.ts';
import type { PointedFault } from '../../reading/schema-faults.ts';
import {
  type AccountEntryDefaults,
  accountEntryMembers,
  readAccountEntry,
} from '../account/account-entry.ts';
import { AccountName, createConnector, type Surroundings } from '../connector.ts';
import { createGuestyBookingSystem, type GuestyConnection } from './guesty-booking-system.ts';

/** The limits of the Booking Engine API, as Guesty publishes them. */
const DEFAULTS: AccountEntryDefaults = {
  url: 'https://booking.guesty.com',
  windows: [
    { requests: 5, perMs: 1000 },
    { requests: 275, perMs: 60_000 },
    { requests: 16_500, perMs: 3_600_000 },
  ],
  limits: { batchSize: 1, concurrency: 4, timeoutMs: 5000 },
};

const GuestyEntry = Type.Object(
  {
    kind: Type.Literal('guesty'),
    account: AccountName,
    ...accountEntryMembers(DEFAULTS),
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: 'request',
        description:
          'How a stay is booked, as the Booking Engine API instance is set up in Guesty: its answers do not say.',
      }),
    ),
    cancellation_text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        description:
          'The operator’s cancellation policy in its own words, for listings without one in Guesty.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The Booking Engine API of Guesty. */
export const guestyConnector = createConnector({
  entry: GuestyEntry,
  inventorySource: 'live_booking_system',
  documentation: {
    title: 'Guesty Booking Engine',
    text: 'For an account with a [Guesty Booking Engine API](connectors/guesty.md) instance.',
    schemas: {},
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
  read: readGuestyEntry,
  connect: createGuestyBookingSystem,
});

function readGuestyEntry(
  entry: Static<typeof GuestyEntry>,
  _: Surroundings,
  secrets: { readonly client_id: string; readonly client_secret: string },
): Reading<GuestyConnection, PointedFault> {
  const settings = readAccountEntry(entry, DEFAULTS);
  if (settings.kind === 'invalid') return settings;
  return valid({
    ...settings.value,
    account: entry.account,
    clientId: secrets.client_id,
    clientSecret: secrets.client_secret,
    bookingMode: entry.booking_mode ?? 'request',
    cancellationText: entry.cancellation_text ?? null,
  });
}
