import { type Static, Type } from 'typebox';
import { type Reading, valid } from '../../reading/reading.ts';
import type { PointedFault } from '../../reading/schema-faults.ts';
import {
  type AccountEntryDefaults,
  accountEntryMembers,
  readAccountEntry,
} from '../account/account-entry.ts';
import { AccountName, createConnector } from '../connector.ts';
import { type BookingsyncConnection, createBookingsyncBookingSystem } from './bookingsync-booking-system.ts';

const DEFAULTS: AccountEntryDefaults = {
  url: 'https://www.bookingsync.com/api/v3',
  // For each application, as the vendor states it.
  windows: [{ requests: 1000, perMs: 3_600_000 }],
  limits: { batchSize: 50, concurrency: 4, timeoutMs: 8000 },
};
const DEFAULT_LANGUAGE = 'en';

const BookingsyncEntry = Type.Object(
  {
    kind: Type.Literal('bookingsync'),
    account: AccountName,
    account_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Only the rentals of this BookingSync account, for an application that several accounts have authorised. Left out: all that the application may read.',
      }),
    ),
    redirect_uri: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The redirect URI with which the account was authorised. The vendor wants it beside a refresh token; without one it is not used.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}(-[A-Z]{2})?$',
        default: DEFAULT_LANGUAGE,
        description: 'The locale of names, pictures’ descriptions and policies; English where it has none.',
      }),
    ),
    ...accountEntryMembers(DEFAULTS),
  },
  { additionalProperties: false },
);

/** Vacation rental software that prices many rentals in one call. */
export const bookingsyncConnector = createConnector({
  entry: BookingsyncEntry,
  inventorySource: 'live_booking_system',
  documentation: {
    title: 'BookingSync (Smily), API version 3',
    text: 'For operators on BookingSync, now Smily: see [its page](connectors/bookingsync.md).',
    schemas: {},
  },
  credentials: {
    client_id: {
      title: 'Client ID of the application',
      found: 'BookingSync partner panel, Applications, your application',
    },
    client_secret: {
      title: 'Client secret of the application',
      found: 'BookingSync partner panel, Applications, your application',
    },
    refresh_token: {
      title: 'Refresh token of the operator’s account',
      found: 'The answer to the authorization code, when one account alone has let your application in',
      isOptional: true,
    },
  },
  read: readBookingsyncEntry,
  connect: createBookingsyncBookingSystem,
});

export function readBookingsyncEntry(
  entry: Static<typeof BookingsyncEntry>,
  _surroundings: unknown,
  secrets: Readonly<Record<'client_id' | 'client_secret' | 'refresh_token', string>>,
): Reading<BookingsyncConnection, PointedFault> {
  const settings = readAccountEntry(entry, DEFAULTS);
  if (settings.kind === 'invalid') return settings;
  const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = secrets;
  return valid({
    ...settings.value,
    account: entry.account,
    credentials: {
      clientId,
      clientSecret,
      authorization: refreshToken === '' ? null : { refreshToken, redirectUri: entry.redirect_uri ?? null },
    },
    accountId: entry.account_id === undefined ? null : String(entry.account_id),
    language: entry.language ?? DEFAULT_LANGUAGE,
  });
}
