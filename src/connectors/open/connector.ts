import { type Static, Type } from 'typebox';
import type { PointedFault } from '../../parsing/reading.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { serverAddress } from '../../parsing/web-address.ts';
import type { CallLimits } from '../../quotes/booking-system.ts';
import { createConnector, type Surroundings } from '../connector.ts';
import { rateLimits, windowsOf } from '../shared/account/account-entry.ts';
import { Listing } from '../shared/listings/listing.ts';
import { createOpenBookingSystem, type OpenConnection } from './open-booking-system.ts';
import {
  BookingsPage,
  CalendarsAnswer,
  CalendarsRequest,
  CataloguePage,
  PROTOCOL_VERSION,
  QuotesAnswer,
  QuotesRequest,
} from './protocol.ts';

const DEFAULT_LIMITS: CallLimits = { batchSize: 20, concurrency: 8, timeoutMs: 4000 };

const OpenEntry = Type.Object(
  {
    kind: Type.Literal('open'),
    url: Type.String({
      description:
        'Base address of the operator’s server. `/catalogue`, `/calendars`, `/quotes` and `/bookings` are appended. https; http only to this machine.',
    }),
    token_variable: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]*$',
        description:
          'The environment variable that holds the bearer token. The token itself is never in the file.',
      }),
    ),
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
        maximum: 64,
        default: DEFAULT_LIMITS.concurrency,
        description: 'Calls in flight at most. With 1, a call lasts at most 45 % of a search.',
      }),
    ),
    quote_batch: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: DEFAULT_LIMITS.batchSize,
        description: 'Properties in one quote call at most.',
      }),
    ),
    rate_limits: rateLimits({
      description:
        'The server’s request limits for all callers together. Each caller then has a share of them.',
    }),
  },
  { additionalProperties: false },
);

/** A booking system that serves the open operator protocol. */
export const openConnector = createConnector({
  entry: OpenEntry,
  inventorySource: 'live_booking_system',
  documentation: {
    title: `Open operator protocol, version ${PROTOCOL_VERSION}`,
    text: 'For a server of the [open operator protocol](operator-protocol.md).',
    schemas: {
      Listing,
      CataloguePage,
      CalendarsRequest,
      CalendarsAnswer,
      QuotesRequest,
      QuotesAnswer,
      BookingsPage,
    },
  },
  read: readOpenEntry,
  connect(connection, { openAccount, ...tools }) {
    const { windows, baseUrl } = connection;
    const terms = { vendor: 'open', name: tools.context.brand, baseUrl, secret: '', readBudget: () => ({}) };
    const account = windows && openAccount({ ...terms, windows });
    return createOpenBookingSystem({ connection, account, ...tools });
  },
});

export function readOpenEntry(
  entry: Static<typeof OpenEntry>,
  { env }: Pick<Surroundings, 'env'>,
): Reading<OpenConnection, PointedFault> {
  const address = serverAddress(entry.url);
  const isOurs = /^STAYWIRE_(?:CREDENTIALS|SECRET_)/.test(entry.token_variable ?? '');
  if (isOurs) {
    const message = 'names a secret that is not this server’s token; use a name such as STAYWIRE_TOKEN_CASAS';
    return invalid({ pointer: '/token_variable', message });
  }
  const token = entry.token_variable === undefined ? null : (env[entry.token_variable] ?? '');
  const tokenIsUsable = token === null || /^[\x21-\x7e]+$/.test(token);
  if (address.kind === 'invalid' || !tokenIsUsable) {
    const faults: PointedFault[] = [];
    if (address.kind === 'invalid') faults.push({ pointer: '/url', message: address.faults.join('; ') });
    if (!tokenIsUsable) {
      const message = `${entry.token_variable} is not set, or holds no bearer token`;
      faults.push({ pointer: '/token_variable', message, isSecret: true });
    }
    return invalid(...faults);
  }
  return valid({
    baseUrl: address.value,
    token,
    windows: windowsOf(entry.rate_limits),
    limits: {
      batchSize: entry.quote_batch ?? DEFAULT_LIMITS.batchSize,
      concurrency: entry.concurrency ?? DEFAULT_LIMITS.concurrency,
      timeoutMs: entry.timeout_ms ?? DEFAULT_LIMITS.timeoutMs,
    },
  });
}
