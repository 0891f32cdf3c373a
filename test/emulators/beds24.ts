import { authorizeBeds24 } from './beds24/authorization.ts';
import { beds24Availability, beds24Calendar } from './beds24/calendars.ts';
import { beds24Failure, beds24Page, numbersIn } from './beds24/envelope.ts';
import { beds24Offers } from './beds24/offers.ts';
import { propertyOf, roomIdOf, roomsAskedFor } from './beds24/properties.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import type { EmulatedAnswer, EmulatedRequest, RequestKind } from './exchange.ts';
import type { LimitUsage } from './rate-limits.ts';
import { createWorld } from './world.ts';

export type Beds24Options = EmulatorOptions & {
  /** Whether an offer's price holds cleaning and tax, or they are obligatory extras of the property: not documented. */
  readonly offerPrices?: 'all_in' | 'room_only';
  /** The headers are named differently in the wiki, which is what the API sends, and in the description of the API. */
  readonly limitHeaders?: 'wiki' | 'openapi';
  /** With two, the second is a tenth cheaper. */
  readonly offers?: 'one' | 'two';
  /** The language in which the texts of the properties are written; they are answered when it is asked for. */
  readonly textLanguage?: string;
};

const BASE_PATH = '/v2';
const FIVE_MINUTES_MS = 300_000;
const DEFAULT_PAGE_SIZE = 100;

/** Beds24's API V2 as its OpenAPI description and its wiki say. */
export function startBeds24(options: Beds24Options): Promise<Emulator> {
  const { now } = options;
  const world = createWorld(options.homes, now);
  const authorization = authorizeBeds24(now);
  const pageSize = options.pageSize ?? DEFAULT_PAGE_SIZE;
  const offerPrices = options.offerPrices ?? 'all_in';
  const textLanguage = options.textLanguage ?? 'en';

  function route(request: EmulatedRequest): EmulatedAnswer {
    const path = request.path.startsWith(`${BASE_PATH}/`) ? request.path.slice(BASE_PATH.length) : '';
    if (request.method !== 'GET') return beds24Failure(404, 'Not found');
    const authentication = authorization.answer(path, request);
    if (authentication) return authentication;
    if (!authorization.isValid(request.headers.token)) return unauthorized();
    switch (path) {
      case '/properties':
        return beds24Page(request, {
          type: 'property',
          homes: roomsAskedFor(request, world),
          pageSize,
          describe: (home) => propertyOf(home, request, { offerPrices, textLanguage, today: world.today() }),
        });
      case '/inventory/rooms/offers':
        return beds24Offers(request, world, { offerPrices, offers: options.offers ?? 'one', pageSize });
      case '/inventory/rooms/availability':
        return beds24Availability(request, world, pageSize);
      case '/inventory/rooms/calendar':
        return beds24Calendar(request, world, pageSize);
      default:
        return beds24Failure(404, 'Not found');
    }
  }

  const unauthorized = () => beds24Failure(401, 'Token not valid');

  return startEmulator({
    options,
    world,
    name: 'beds24',
    basePath: BASE_PATH,
    credentials: authorization.credentials,
    documentedLimits: [{ requests: 100, perMs: FIVE_MINUTES_MS }],
    kindOf,
    route,
    costOf,
    limitHeaders: ([usage], request) => (usage ? headersFor(usage, costOf(request)) : {}),
    tooManyRequests: (usage) =>
      beds24Failure(
        429,
        'Credit limit exceeded',
        headersFor({ ...usage, remaining: 0, emptyInMs: usage.resetsInMs }, 0),
      ),
    expiredToken: unauthorized,
    serverError: () => beds24Failure(500, 'Internal server error'),
    tokensIssued: authorization.tokensIssued,
    expireTokens: authorization.expireTokens,
    referenceOf: (id) => String(roomIdOf(id)),
  });

  function headersFor({ limit, remaining, emptyInMs }: LimitUsage, cost: number): Record<string, string> {
    const values = [
      String(limit.requests),
      String(Math.round(remaining * 10) / 10),
      String(Math.ceil(emptyInMs / 1000)),
      String(cost),
    ];
    const names =
      options.limitHeaders === 'openapi'
        ? [
            'x-fivemincreditlimit',
            'x-fivemincreditlimit-remaining',
            'x-fivemincreditlimit-resetsin',
            'x-requestcost',
          ]
        : ['x-five-min-limit', 'x-five-min-limit-remaining', 'x-five-min-limit-resets-in', 'x-request-cost'];
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  }
}

/** Credits are decimals that grow with what is asked for; the vendor publishes no table. */
function costOf(request: EmulatedRequest): number {
  const includes = [...request.query.keys()].filter((name) => name.startsWith('include')).length;
  const rooms = numbersIn(request, 'roomId').length + numbersIn(request, 'propertyId').length;
  return Math.round((1 + includes * 0.1 + Math.floor(rooms / 10) * 0.5) * 10) / 10;
}

function kindOf({ path }: EmulatedRequest): RequestKind {
  if (path.startsWith(`${BASE_PATH}/authentication/`)) return 'token';
  if (path === `${BASE_PATH}/inventory/rooms/offers`) return 'quote';
  if (path.startsWith(`${BASE_PATH}/inventory/`)) return 'calendar';
  return path.startsWith(`${BASE_PATH}/properties`) ? 'catalogue' : 'other';
}
