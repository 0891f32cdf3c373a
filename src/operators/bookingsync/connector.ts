import { type Static, Type } from 'typebox';
import type { CallLimits } from '../../quotes/booking-system.ts';
import { invalid, type Reading, valid } from '../../reading/reading.ts';
import type { PointedFault } from '../../reading/schema-faults.ts';
import { serverAddress } from '../../reading/web-address.ts';
import { RateLimits, rateWindows } from '../account-entry.ts';
import { AccountName, createConnector } from '../connector.ts';
import { type BookingsyncConnection, createBookingsyncBookingSystem } from './bookingsync-booking-system.ts';

const DEFAULT_URL = 'https://www.bookingsync.com';
const DEFAULT_LANGUAGE = 'en';
const DEFAULT_LIMITS: CallLimits = { batchSize: 50, concurrency: 4, timeoutMs: 8000 };
/** As the vendor states it for each application. */
const DEFAULT_RATE_LIMITS = [{ requests: 1000, seconds: 3600 }];

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
          'The redirect URI with which the account was authorised. Needed with a refresh token, and only then.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        default: DEFAULT_URL,
        description:
          'Base address of the vendor’s server; `/api/v3` and `/oauth/token` are appended. https; http only to this machine.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}(-[A-Z]{2})?$',
        default: DEFAULT_LANGUAGE,
        description: 'The locale of names, pictures’ descriptions and policies; English where it has none.',
      }),
    ),
    rate_limits: Type.Optional(RateLimits),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 30_000,
        default: DEFAULT_LIMITS.timeoutMs,
        description: 'For one quote call.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16,
        default: DEFAULT_LIMITS.concurrency,
        description: 'Calls in flight at most.',
      }),
    ),
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
  const address = serverAddress(entry.url ?? DEFAULT_URL);
  const faults: PointedFault[] = [];
  if (address.kind === 'invalid') faults.push({ pointer: '/url', message: address.faults.join('; ') });
  const hasRefreshToken = secrets.refresh_token !== '';
  if (hasRefreshToken && entry.redirect_uri === undefined) {
    const message = 'is missing: the vendor wants it with each use of the refresh token';
    faults.push({ pointer: '/redirect_uri', message });
  }
  if (address.kind === 'invalid' || faults.length > 0) return invalid(...faults);
  return valid({
    baseUrl: address.value,
    account: entry.account,
    credentials: {
      clientId: secrets.client_id,
      clientSecret: secrets.client_secret,
      authorization: hasRefreshToken
        ? { refreshToken: secrets.refresh_token, redirectUri: entry.redirect_uri ?? '' }
        : null,
    },
    accountId: entry.account_id === undefined ? null : String(entry.account_id),
    language: entry.language ?? DEFAULT_LANGUAGE,
    windows: rateWindows(entry.rate_limits ?? DEFAULT_RATE_LIMITS),
    limits: {
      batchSize: DEFAULT_LIMITS.batchSize,
      concurrency: entry.concurrency ?? DEFAULT_LIMITS.concurrency,
      timeoutMs: entry.timeout_ms ?? DEFAULT_LIMITS.timeoutMs,
    },
  });
}
