import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import {
  bearerOf,
  type EmulatedAnswer,
  type EmulatedRequest,
  jsonAnswer,
  type RequestKind,
} from './exchange.ts';
import { calendarOf } from './guesty/calendar.ts';
import { citiesOf, guestyIdOf, homeOfGuestyId, listingOf, listingsPage } from './guesty/listings.ts';
import { quoteService } from './guesty/quotes.ts';
import { guestyFailure } from './guesty/refusals.ts';
import type { LimitUsage } from './rate-limits.ts';
import { createTokens } from './tokens.ts';
import { createWorld } from './world.ts';

export type GuestyOptions = EmulatorOptions & {
  /** The reference and what the API really answers differ in the place of the money and in the shape of a refusal. */
  readonly answers?: 'live' | 'documented';
  /** With two, the dearer comes first. */
  readonly ratePlans?: 'one' | 'two';
  /** Of the standard plan, in place of the home's own: a list of policies, or null, which answers have for plans without one. */
  readonly standardPolicy?: readonly string[] | null;
  /** Homes that are in the list, and unknown when they are read alone. */
  readonly listedOnly?: readonly number[];
};

const DAY_MS = 86_400_000;
/** One and three renewals. */
const MAX_TOKENS_PER_DAY = 4;
const INTERVALS = new Map([
  [1000, 'second'],
  [60_000, 'minute'],
  [3_600_000, 'hour'],
]);
const CREDENTIALS = {
  client_id: 'emulated-guesty-client',
  client_secret: 'emulated-guesty-secret',
};

/** Guesty's Booking Engine API as documented at booking-api-docs.guesty.com. */
export function startGuesty(options: GuestyOptions): Promise<Emulator> {
  const { now } = options;
  const shape = options.answers ?? 'live';
  const world = createWorld(options.homes, now);
  const tokens = createTokens({ prefix: 'guesty', lifeMs: DAY_MS, now });
  const issuedAt: number[] = [];
  const quotes = quoteService({
    world,
    now,
    shape,
    ratePlans: options.ratePlans ?? 'one',
    standardPolicy: options.standardPolicy,
  });

  function answerTokenRequest(request: EmulatedRequest): EmulatedAnswer {
    const form = new URLSearchParams(request.body);
    if (request.method !== 'POST') return guestyFailure(shape, 404, 'NOT_FOUND');
    if (
      form.get('client_id') !== CREDENTIALS.client_id ||
      form.get('client_secret') !== CREDENTIALS.client_secret
    ) {
      return jsonAnswer(401, { error: 'invalid_client', error_description: 'The client is unknown.' });
    }
    if (form.get('grant_type') !== 'client_credentials' || form.get('scope') !== 'booking_engine:api') {
      return jsonAnswer(400, {
        error: 'invalid_request',
        error_description: 'The grant or the scope is wrong.',
      });
    }
    const oldest = issuedAt.filter((at) => at > now() - DAY_MS).at(-MAX_TOKENS_PER_DAY);
    if (oldest !== undefined && options.limits !== 'off') return tooMany(oldest + DAY_MS - now());
    issuedAt.push(now());
    return jsonAnswer(200, {
      token_type: 'Bearer',
      expires_in: 86_400,
      access_token: tokens.issue(),
      scope: 'booking_engine:api',
    });
  }

  function route(request: EmulatedRequest): EmulatedAnswer {
    const { path, method } = request;
    if (path === '/oauth2/token') return answerTokenRequest(request);
    if (tokens.judge(bearerOf(request)) !== 'valid') return unauthorized();
    const [area, name, id, part] = path.slice(1).split('/');
    if (area !== 'api') return guestyFailure(shape, 404, 'NOT_FOUND');
    if (method === 'POST' && name === 'reservations' && id === 'quotes' && part === undefined) {
      return quotes.create(request);
    }
    if (method !== 'GET') return guestyFailure(shape, 404, 'NOT_FOUND');
    if (name === 'reservations' && id === 'quotes' && part !== undefined) return quotes.read(part);
    if (name !== 'listings') return guestyFailure(shape, 404, 'NOT_FOUND');
    if (id === undefined) return listingsPage(request, world, { shape, maxLimit: options.pageSize ?? 100 });
    if (id === 'cities') return jsonAnswer(200, { results: citiesOf(world) });
    const home = homeOfGuestyId(world, id);
    if (!home) return guestyFailure(shape, 404, 'NOT_FOUND');
    if (part === 'calendar') return calendarOf(request, home, world, shape);
    return part === undefined && !options.listedOnly?.includes(home.id)
      ? jsonAnswer(200, listingOf(home, request.host, world, 'single'))
      : guestyFailure(shape, 404, 'NOT_FOUND');
  }

  const unauthorized = () =>
    guestyFailure(shape, 401, 'UNAUTHORIZED', { message: 'The access token is not valid.' });

  return startEmulator({
    options,
    world,
    name: 'guesty',
    basePath: '',
    credentials: CREDENTIALS,
    documentedLimits: [
      { requests: 5, perMs: 1000 },
      { requests: 275, perMs: 60_000 },
      { requests: 16_500, perMs: 3_600_000 },
    ],
    kindOf,
    route,
    costOf: (request) => (kindOf(request) === 'token' ? 0 : 1),
    limitHeaders,
    tooManyRequests: ({ resetsInMs }) => tooMany(resetsInMs),
    expiredToken: unauthorized,
    tokensIssued: tokens.issued,
    expireTokens: tokens.expireAll,
    referenceOf: guestyIdOf,
  });
}

function kindOf({ path }: EmulatedRequest): RequestKind {
  if (path === '/oauth2/token') return 'token';
  if (path.startsWith('/api/reservations/quotes')) return 'quote';
  if (/^\/api\/listings\/[^/]+\/calendar$/.test(path)) return 'calendar';
  return path.startsWith('/api/listings') ? 'catalogue' : 'other';
}

function tooMany(waitMs: number): EmulatedAnswer {
  return jsonAnswer(
    429,
    { message: 'API rate limit exceeded' },
    { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  );
}

function limitHeaders(usage: readonly LimitUsage[]): Record<string, string> {
  return Object.fromEntries(
    usage.flatMap(({ limit, remaining }) => {
      const interval = INTERVALS.get(limit.perMs);
      return interval === undefined
        ? []
        : [
            [`x-ratelimit-limit-${interval}`, String(limit.requests)],
            [`x-ratelimit-remaining-${interval}`, String(remaining)],
          ];
    }),
  );
}
