import { authorizeBookingsync } from './bookingsync/authorization.ts';
import { BOOKINGSYNC_MEDIA_TYPE, bookingsyncPage } from './bookingsync/pages.ts';
import { rentalIdOf } from './bookingsync/record.ts';
import { amenitiesOf, BOOKINGSYNC_RESOURCES } from './bookingsync/resources.ts';
import { searchRentals } from './bookingsync/search.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import {
  bearerOf,
  type EmulatedAnswer,
  type EmulatedRequest,
  jsonAnswer,
  type RequestKind,
} from './exchange.ts';
import { createWorld } from './world.ts';

const BASE_PATH = '/api/v3';
const HOUR_MS = 3_600_000;

/** BookingSync, now Smily, API v3 as documented at developers.bookingsync.com. */
export function startBookingsync(options: EmulatorOptions): Promise<Emulator> {
  const world = createWorld(options.homes, options.now);
  const createdAt = options.now();
  const bookedAt = new Map<number, number>();
  const authorization = authorizeBookingsync(options.now);
  const pageSize = options.pageSize ?? 100;
  const amenities = amenitiesOf(options.homes);
  const cities = [...new Set(options.homes.map(({ city }) => city))];

  function route(request: EmulatedRequest): EmulatedAnswer {
    if (request.path === '/oauth/token') return authorization.answerTokenRequest(request);
    const scopes = authorization.scopesOf(bearerOf(request));
    if (scopes === null) return unauthorized();
    const [name = '', ids] = request.path.slice(BASE_PATH.length + 1).split('/');
    if (request.method !== 'GET') return failure(404, 'not_found');
    if (name === 'rentals' && ids === 'search') {
      const found = searchRentals(request, world).map((rental) => ({
        id: rental.id,
        changedAt: createdAt,
        write: () => rental,
      }));
      return bookingsyncPage(request, 'rentals', found, { pageSize, now: options.now() });
    }
    const resource = BOOKINGSYNC_RESOURCES[name];
    if (!resource) return failure(404, 'not_found');
    if (resource.scope !== undefined && !scopes.includes(resource.scope)) return failure(403, 'forbidden');
    const source = { world, request, createdAt, bookedAt, amenities, cities };
    const all = resource.records(source);
    const wanted = ids === undefined ? undefined : new Set(ids.split(',').map(Number));
    const found = wanted ? all.filter(({ id }) => wanted.has(id)) : all;
    if (wanted && found.length === 0) return failure(404, 'not_found');
    return bookingsyncPage(request, resource.key ?? name, found, { pageSize, now: options.now(), source });
  }

  return startEmulator({
    options,
    name: 'bookingsync',
    basePath: BASE_PATH,
    credentials: authorization.credentials,
    world: {
      ...world,
      book(id, from, to) {
        world.book(id, from, to);
        bookedAt.set(id, options.now());
      },
    },
    documentedLimits: [{ requests: 1000, perMs: HOUR_MS }],
    kindOf,
    route,
    // The limit is that of the API; tokens are given elsewhere.
    costOf: (request) => (kindOf(request) === 'token' ? 0 : 1),
    limitHeaders: ([usage]) =>
      usage ? limitHeaders(usage.limit.requests, usage.remaining, usage.emptyInMs) : {},
    tooManyRequests: ({ limit, resetsInMs }) =>
      failure(429, 'API v3 rate limit exceeded.', limitHeaders(limit.requests, 0, resetsInMs)),
    expiredToken: unauthorized,
    tokensIssued: authorization.tokensIssued,
    expireTokens: authorization.expireTokens,
    referenceOf: (id) => String(rentalIdOf(id)),
  });

  function limitHeaders(limit: number, remaining: number, resetsInMs: number): Record<string, string> {
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.ceil((options.now() + resetsInMs) / 1000)),
    };
  }
}

function kindOf({ path }: EmulatedRequest): RequestKind {
  if (path === '/oauth/token') return 'token';
  if (path === `${BASE_PATH}/rentals/search`) return 'quote';
  const name = path.slice(BASE_PATH.length + 1).split('/')[0] ?? '';
  if (['availabilities', 'change_overs', 'nightly_rate_maps', 'rates'].includes(name)) return 'calendar';
  return name in BOOKINGSYNC_RESOURCES ? 'catalogue' : 'other';
}

function unauthorized(): EmulatedAnswer {
  return failure(401, 'unauthorized', {
    'www-authenticate': 'Bearer realm="BookingSync", error="invalid_token"',
  });
}

function failure(status: number, code: string, headers: Record<string, string> = {}): EmulatedAnswer {
  return jsonAnswer(status, { errors: [{ code }] }, { ...BOOKINGSYNC_MEDIA_TYPE, ...headers });
}
