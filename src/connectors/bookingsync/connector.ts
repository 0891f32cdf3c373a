import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import { createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createBookingsyncBookingSystem } from './bookingsync-booking-system.ts';

const DEFAULT_LANGUAGE = 'en';

/** Vacation rental software that prices many rentals in one call. */
export const bookingsyncConnector = createVendorConnector({
  kind: 'bookingsync',
  defaults: {
    url: 'https://www.bookingsync.com/api/v3',
    // For each application, as the vendor states it.
    windows: [{ requests: 1000, perMs: 3_600_000 }],
    limits: { batchSize: 50, concurrency: 4, timeoutMs: 8000 },
  },
  members: {
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
  },
  documentation: {
    title: 'BookingSync (Smily), API version 3',
    text: 'For operators on BookingSync, now Smily: see [its page](connectors/bookingsync.md).',
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
  // The vendor defines its final price as the stay, the required fees and the taxes that are not included.
  canStateAllInTotals: true,
  read(entry, { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken }) {
    return valid({
      credentials: {
        clientId,
        clientSecret,
        authorization: refreshToken === '' ? null : { refreshToken, redirectUri: entry.redirect_uri ?? null },
      },
      accountId: entry.account_id === undefined ? null : String(entry.account_id),
      language: entry.language ?? DEFAULT_LANGUAGE,
    });
  },
  connect: createBookingsyncBookingSystem,
});
