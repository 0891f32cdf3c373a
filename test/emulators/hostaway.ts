import { parseDay } from '../../src/stay/day.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import {
  type EmulatedAnswer,
  type EmulatedRequest,
  jsonAnswer,
  jsonObjectOf,
  type RequestKind,
} from './exchange.ts';
import { addDays, type EmulatedHome, nightsBetween } from './homes.ts';
import { createHostawayAccess, HOSTAWAY_ACCOUNT_ID, HOSTAWAY_API_KEY } from './hostaway/access.ts';
import { amenitiesOf } from './hostaway/amenities.ts';
import { calendarOf } from './hostaway/calendar.ts';
import {
  type BookingEngineUrls,
  cancellationPolicyOf,
  listingIdOf,
  listingOf,
  policyIdOf,
} from './hostaway/listings.ts';
import { priceDetailsOf } from './hostaway/price-details.ts';
import type { LimitUsage, RateLimit } from './rate-limits.ts';
import { createWorld } from './world.ts';

export type HostawayOptions = EmulatorOptions & {
  /** Whether nights that are not free are priced is not documented. By default they are, so that a client has to look. */
  readonly priceDetails?: 'prices_everything' | 'checks_the_stay';
  /** In the vendor's own sample the deposit is a part of the total. */
  readonly depositInTotal?: boolean;
  readonly bookingEngineUrls?: BookingEngineUrls;
  /** Members of every listing that are otherwise; what they mean is hardly documented. */
  readonly listing?: Readonly<Record<string, unknown>>;
};

const MAX_PAGE = 100;
const WINDOW_MS = 10_000;
const PER_ADDRESS: RateLimit = { requests: 15, perMs: WINDOW_MS };
const PER_ACCOUNT: RateLimit = { requests: 20, perMs: WINDOW_MS };
const isPriceDetails = ({ path }: EmulatedRequest) => path.endsWith('/calendar/priceDetails');

/** What the vendor is said to allow since August 2026, for the option `limits`. */
export const HOSTAWAY_LIMITS_SINCE_AUGUST_2026: readonly RateLimit[] = [
  { requests: 200, perMs: WINDOW_MS, applies: (request) => !isPriceDetails(request) },
  { requests: 400, perMs: WINDOW_MS, applies: isPriceDetails },
];

export async function startHostaway(options: HostawayOptions): Promise<Emulator> {
  const world = createWorld(options.homes, options.now);
  const access = createHostawayAccess(options.now);
  const activity = new Map(world.homes.map(({ id }) => [id, '2026-10-02 17:05:21']));
  const byListing = new Map(world.homes.map((home) => [String(listingIdOf(home)), home.id]));
  const homeOf = (listingId: string | undefined): EmulatedHome | undefined =>
    world.home(byListing.get(listingId ?? '') ?? Number.NaN);
  const policies = new Map(
    world.homes.map((home) => [String(policyIdOf(home)), cancellationPolicyOf(home, HOSTAWAY_ACCOUNT_ID)]),
  );
  const amenities = amenitiesOf(world.homes);
  const reviews = world.homes.flatMap((home) =>
    Array.from({ length: home.rating?.count ?? 0 }, (_, index) => ({ home, index })),
  );
  const listing = (home: EmulatedHome, request: EmulatedRequest) => ({
    ...listingOf(home, request, activity.get(home.id) ?? '', options.bookingEngineUrls ?? 'addresses'),
    ...options.listing,
  });

  function page<Entry>(
    request: EmulatedRequest,
    entries: readonly Entry[],
    write: (entry: Entry) => object,
  ): EmulatedAnswer {
    const max = options.pageSize ?? MAX_PAGE;
    const limit = Math.min(Number(request.query.get('limit')) || max, max);
    const offset = Number(request.query.get('offset')) || 0;
    return jsonAnswer(200, {
      status: 'success',
      result: entries.slice(offset, offset + limit).map(write),
      limit,
      offset,
      count: entries.length,
      page: Math.floor(offset / limit) + 1,
      totalPages: Math.ceil(entries.length / limit),
    });
  }

  function listings(request: EmulatedRequest): EmulatedAnswer {
    const { query } = request;
    const [start, end] = [query.get('availabilityDateStart') ?? '', query.get('availabilityDateEnd') ?? ''];
    const nights = isRange(start, end) ? nightsBetween(start, end) : [];
    const found = world.homes.filter(
      (home) =>
        (query.get('city') ?? home.city) === home.city &&
        home.name.includes(query.get('match') ?? '') &&
        home.maxGuests >= Number(query.get('availabilityGuestNumber') ?? 0) &&
        (activity.get(home.id) ?? '') >= (query.get('latestActivityStart') ?? '') &&
        !nights.some((day) => world.isTaken(home.id, day)),
    );
    return page(request, found, (home) => listing(home, request));
  }

  function calendar(home: EmulatedHome, { query }: EmulatedRequest): EmulatedAnswer {
    const start = query.get('startDate') ?? world.today();
    const end = query.get('endDate') ?? addDays(world.today(), 365);
    if (!isRange(start, end)) return fail(400, 'The dates are not valid.');
    return success(calendarOf(world, home, { start, end }, query.get('includeResources') === '1'));
  }

  function priceDetails(home: EmulatedHome, request: EmulatedRequest): EmulatedAnswer {
    const body = jsonObjectOf(request) ?? {};
    const [from, to] = [String(body.startingDate ?? ''), String(body.endingDate ?? '')];
    const guests = body.numberOfGuests;
    if (!isRange(from, to) || from === to) return fail(400, 'The dates are not valid.');
    if (typeof guests !== 'number' || body.version !== 2) return fail(400, 'A parameter is missing.');
    const markup = body.markup ?? 1;
    if (typeof markup !== 'number' || markup < 1) return fail(400, 'The markup must be more than 1.0.');
    if (options.priceDetails === 'checks_the_stay') {
      const stay = world.stay(home.id, from, to, guests);
      if ('refused' in stay) return fail(400, `The stay is not possible: ${stay.refused}.`);
    }
    return success(priceDetailsOf(home, { from, to }, options.depositInTotal ?? true, markup));
  }

  function ofListing(request: EmulatedRequest, id: string, rest: readonly string[]): EmulatedAnswer {
    const home = homeOf(id);
    if (!home) return fail(404, 'Listing not found.');
    switch (`${request.method} ${rest.join('/')}`) {
      case 'GET ':
        return success(listing(home, request));
      case 'GET calendar':
        return calendar(home, request);
      case 'POST calendar/priceDetails':
        return priceDetails(home, request);
      default:
        return fail(404, 'Not found.');
    }
  }

  function route(request: EmulatedRequest): EmulatedAnswer {
    const [version, resource, id, ...rest] = request.path.split('/').filter(Boolean);
    if (version !== 'v1') return fail(404, 'Not found.');
    if (resource === 'accessTokens') {
      return request.method === 'POST' ? access.issue(request) : access.revoke(request);
    }
    if (!access.isAllowed(request)) return accessDenied();
    if (resource === 'listings') {
      return id === undefined ? listings(request) : ofListing(request, id, rest);
    }
    if (request.method !== 'GET') return fail(404, 'Not found.');
    switch (resource) {
      case 'amenities':
        return success(amenities);
      case 'cancellationPolicies': {
        if (id === undefined) return success([...policies.values()]);
        const policy = policies.get(id);
        return policy ? success(policy) : fail(404, 'Not found.');
      }
      case 'listingFeeSettings':
        return homeOf(id) ? success([]) : fail(404, 'Listing not found.');
      case 'reviews':
        return page(request, reviews, reviewOf);
      default:
        return fail(404, 'Not found.');
    }
  }

  const emulator = await startEmulator({
    options,
    world,
    name: 'Hostaway',
    basePath: '/v1',
    credentials: { account_id: String(HOSTAWAY_ACCOUNT_ID), api_key: HOSTAWAY_API_KEY },
    documentedLimits: [PER_ADDRESS, PER_ACCOUNT],
    kindOf,
    route,
    tooManyRequests: (over) => tooManyRequests(over, options.now()),
    expiredToken: accessDenied,
    tokensIssued: access.issued,
    expireTokens: access.expireAll,
    referenceOf: (id) => {
      const home = world.home(id);
      if (!home) throw new RangeError(`there is no home ${id}`);
      return String(listingIdOf(home));
    },
  });
  return Object.assign(emulator, {
    book(id: number, from: string, to: string) {
      world.book(id, from, to);
      activity.set(id, new Date(options.now()).toISOString().slice(0, 19).replace('T', ' '));
    },
  });
}

function kindOf(request: EmulatedRequest): RequestKind {
  if (request.path.startsWith('/v1/accessTokens')) return 'token';
  if (isPriceDetails(request)) return 'quote';
  if (request.path.endsWith('/calendar') || request.query.has('availabilityDateStart')) return 'calendar';
  return 'catalogue';
}

function success(result: unknown): EmulatedAnswer {
  return jsonAnswer(200, { status: 'success', result });
}

function fail(status: number, result: string): EmulatedAnswer {
  return jsonAnswer(status, { status: 'fail', result });
}

/** The same for a token that is missing, too young, expired or withdrawn. */
function accessDenied(): EmulatedAnswer {
  return fail(403, 'Access denied.');
}

/** `X-RateLimit-Retry-After` is a time in seconds since 1970, not a delay. */
function tooManyRequests({ limit, resetsInMs }: LimitUsage, now: number): EmulatedAnswer {
  const applied = limit === PER_ADDRESS ? 'ip' : limit.applies === isPriceDetails ? 'endpoint' : 'account';
  return jsonAnswer(
    429,
    {
      status: 'fail',
      message: 'The account or the address has made too many requests.',
    },
    {
      'x-ratelimit-limit': String(limit.requests),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-applied': applied,
      'x-ratelimit-retry-after': String(Math.ceil((now + resetsInMs) / 1000)),
    },
  );
}

function reviewOf({ home, index }: { readonly home: EmulatedHome; readonly index: number }) {
  return {
    id: home.id * 1000 + index,
    accountId: HOSTAWAY_ACCOUNT_ID,
    listingMapId: listingIdOf(home),
    type: 'guest-to-host',
    status: 'published',
    rating: (home.rating?.average ?? 0) * 2,
    publicReview: null,
    isCancelled: 0,
    listingName: home.name,
  };
}

function isRange(start: string, end: string): boolean {
  return parseDay(start) !== undefined && parseDay(end) !== undefined && start <= end;
}
