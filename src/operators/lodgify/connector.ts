import { type Static, Type } from 'typebox';
import type { CallLimits } from '../../quotes/booking-system.ts';
import { invalid, type Reading, valid } from '../../reading/reading.ts';
import type { PointedFault } from '../../reading/schema-faults.ts';
import { serverAddress } from '../../reading/web-address.ts';
import { RateLimits, rateWindows } from '../account-entry.ts';
import { AccountName, createConnector } from '../connector.ts';
import { createLodgifyBookingSystem, type LodgifyConnection } from './lodgify-booking-system.ts';

const DEFAULT_URL = 'https://api.lodgify.com';
const DEFAULT_LANGUAGE = 'en';
const DEFAULT_BOOKING_MODE = 'request';
/** The vendor prices one property in a call. */
const DEFAULT_LIMITS: CallLimits = { batchSize: 1, concurrency: 8, timeoutMs: 6000 };
/** As the vendor states it for version 2. */
const DEFAULT_RATE_LIMITS = [{ requests: 750, seconds: 60 }];

const LodgifyEntry = Type.Object(
  {
    kind: Type.Literal('lodgify'),
    account: AccountName,
    url: Type.Optional(
      Type.String({
        default: DEFAULT_URL,
        description:
          'Base address of the vendor’s server; `/v1` and `/v2` are appended. https; http only to this machine.',
      }),
    ),
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
    cancellation_policy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description:
          'The operator’s policy, word for word, for homes of which no quote has shown it. Left out: such homes are held back.',
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
        maximum: 32,
        default: DEFAULT_LIMITS.concurrency,
        description: 'Quote calls in flight at most.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Vacation rental software with a checkout page of its own. */
export const lodgifyConnector = createConnector({
  entry: LodgifyEntry,
  inventorySource: 'live_booking_system',
  documentation: {
    title: 'Lodgify, API version 2',
    text: 'For operators on Lodgify: see [its page](connectors/lodgify.md).',
    schemas: {},
  },
  credentials: {
    api_key: { title: 'API key of the operator’s account', found: 'Lodgify, Settings, Public API' },
  },
  read: readLodgifyEntry,
  connect: createLodgifyBookingSystem,
});

export function readLodgifyEntry(
  entry: Static<typeof LodgifyEntry>,
  _surroundings: unknown,
  secrets: Readonly<Record<'api_key', string>>,
): Reading<LodgifyConnection, PointedFault> {
  const address = serverAddress(entry.url ?? DEFAULT_URL);
  if (address.kind === 'invalid') return invalid({ pointer: '/url', message: address.faults.join('; ') });
  return valid({
    baseUrl: address.value,
    account: entry.account,
    apiKey: secrets.api_key,
    language: entry.language ?? DEFAULT_LANGUAGE,
    terms: {
      bookingMode: entry.booking_mode ?? DEFAULT_BOOKING_MODE,
      cancellationPolicy: entry.cancellation_policy ?? null,
    },
    windows: rateWindows(entry.rate_limits ?? DEFAULT_RATE_LIMITS),
    limits: {
      batchSize: DEFAULT_LIMITS.batchSize,
      concurrency: entry.concurrency ?? DEFAULT_LIMITS.concurrency,
      timeoutMs: entry.timeout_ms ?? DEFAULT_LIMITS.timeoutMs,
    },
  });
}
