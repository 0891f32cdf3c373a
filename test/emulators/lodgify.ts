import { parseDay } from '../../src/stay/day.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer, type RequestKind } from './exchange.ts';
import { addDays, type EmulatedHome } from './homes.ts';
import { availabilityOf, ratesCalendarOf } from './lodgify/calendar.ts';
import {
  type LodgifyRateSettings,
  propertyIdOf,
  propertyOf,
  rateSettingsOf,
  roomTypeIdOf,
  roomTypeOf,
} from './lodgify/catalogue.ts';
import { LODGIFY_CODES, type LodgifyCode, type LodgifyStatuses, lodgifyFailures } from './lodgify/errors.ts';
import { quoteOf, REFUSALS } from './lodgify/quote.ts';
import { createWorld } from './world.ts';

export type LodgifyOptions = EmulatorOptions & {
  readonly statuses?: LodgifyStatuses;
  /** `unknown`: every stay that cannot be booked is refused with code 666 and a sentence, as one client saw. */
  readonly refusals?: 'coded' | 'unknown';
  /** Calls that fail with a code although there is nothing wrong with them. */
  readonly failing?: { readonly path: RegExp; readonly code: LodgifyCode };
  /** With it, totals are sent without the tax and the tax beside them, as the account's settings say. */
  readonly vatExclusivePercent?: number;
  /** Whether deprecated parameters still work. */
  readonly deprecated?: 'accepted' | 'gone';
};

const API_KEY = 'emulated-lodgify-key';
const MAX_PAGE = 50;
const MINUTE_MS = 60_000;

/** Lodgify v2, with the one call of v1 that tells of rooms: the base address has neither version in its path. */
export function startLodgify(options: LodgifyOptions): Promise<Emulator> {
  const world = createWorld(options.homes, options.now);
  const fail = lodgifyFailures(options.statuses ?? 'documented');
  const settings: LodgifyRateSettings = {
    vatPercent: options.vatExclusivePercent ?? 0,
    isVatExclusive: options.vatExclusivePercent !== undefined,
  };
  const byProperty = new Map(world.homes.map((home) => [String(propertyIdOf(home)), home.id]));
  const homeOf = (propertyId: string | null | undefined): EmulatedHome | undefined =>
    world.home(byProperty.get(propertyId ?? '') ?? Number.NaN);
  const notFound = () => fail(LODGIFY_CODES.notFound, 'Not found');
  const notAuthorized = () => fail(LODGIFY_CODES.notAuthorized, 'Not authorized');
  const badArgument = (message: string) => fail(LODGIFY_CODES.argumentError, message);

  function properties(request: EmulatedRequest): EmulatedAnswer {
    const page = Math.max(1, Number(request.query.get('page') ?? 1) || 1);
    const asked = Number(request.query.get('size') ?? MAX_PAGE) || MAX_PAGE;
    const size = Math.min(asked, options.pageSize ?? MAX_PAGE);
    const items = world.homes.slice((page - 1) * size, page * size);
    return jsonAnswer(200, {
      count: request.query.get('includeCount') === 'true' ? world.homes.length : null,
      items: items.map((home) => propertyOf(home, request)),
    });
  }

  function availability(request: EmulatedRequest, property?: string, roomType?: string): EmulatedAnswer {
    const start = request.query.get('start') ?? world.today();
    const end = request.query.get('end') ?? addDays(world.today(), 365);
    if (!isRange(start, end)) return badArgument('The dates are not valid');
    const homes = property === undefined ? world.homes : [homeOf(property)];
    const details = request.query.get('includeDetails') === 'true';
    const entries = homes.map((home) =>
      home && (roomType === undefined || roomType === String(roomTypeIdOf(home)))
        ? availabilityOf(world, home, { start, end }, details)
        : null,
    );
    return entries.includes(null) ? notFound() : jsonAnswer(200, entries);
  }

  function ratesCalendar({ query }: EmulatedRequest): EmulatedAnswer {
    const home = homeOf(query.get('HouseId'));
    const [start, end] = [query.get('StartDate') ?? '', query.get('EndDate') ?? ''];
    if (!isRange(start, end)) return badArgument('The dates are not valid');
    if (!home || query.get('RoomTypeId') !== String(roomTypeIdOf(home))) return notFound();
    return jsonAnswer(200, ratesCalendarOf(home, { start, end }, settings));
  }

  function deprecatedPeople(query: ReadonlyMap<string, string>): number {
    return options.deprecated === 'gone' ? 0 : Number(query.get('roomtypes[0].people') ?? 0);
  }

  function quote(request: EmulatedRequest, property: string): EmulatedAnswer {
    // The vendor binds parameters whatever their case.
    const query = new Map([...request.query].map(([name, value]) => [name.toLowerCase(), value]));
    const home = homeOf(property);
    if (!home) return notFound();
    if (query.get('roomtypes[0].id') !== String(roomTypeIdOf(home))) {
      return badArgument('A room type of the property is required');
    }
    const guests = (kind: string) => Number(query.get(`roomtypes[0].guest_breakdown.${kind}`) ?? 0);
    // The parameter `People` is deprecated.
    const people = guests('adults') + guests('children') || deprecatedPeople(query);
    if (!(people >= 1)) return badArgument('The number of people is required');
    const dates = { arrival: query.get('arrival') ?? '', departure: query.get('departure') ?? '' };
    const stay = world.stay(home.id, dates.arrival, dates.departure, people);
    if (!('refused' in stay)) return jsonAnswer(200, [quoteOf(stay, dates, people, settings)]);
    const { code, message } = REFUSALS[stay.refused];
    return fail(options.refusals === 'unknown' ? LODGIFY_CODES.unknown : code, message);
  }

  function route(request: EmulatedRequest): EmulatedAnswer {
    if (request.headers['x-apikey'] !== API_KEY) return notAuthorized();
    if (request.method !== 'GET') return notFound();
    if (options.failing?.path.test(`${request.path}?${request.query}`)) {
      return fail(options.failing.code, 'An error has occurred');
    }
    const [version, resource, ...rest] = request.path.split('/').filter(Boolean);
    const [first, second, third] = rest;
    switch (`${version}/${resource}`) {
      case 'v1/properties': {
        const home = homeOf(first);
        return home && second === 'rooms' && third === String(roomTypeIdOf(home))
          ? jsonAnswer(200, roomTypeOf(home, request))
          : notFound();
      }
      case 'v2/properties': {
        if (first === undefined) return properties(request);
        const home = homeOf(first);
        return home && second === undefined ? jsonAnswer(200, propertyOf(home, request)) : notFound();
      }
      case 'v2/availability':
        return availability(request, first, second);
      case 'v2/rates': {
        if (first === 'calendar') return ratesCalendar(request);
        const home = homeOf(request.query.get('houseId'));
        return home && first === 'settings' ? jsonAnswer(200, rateSettingsOf(home, settings)) : notFound();
      }
      case 'v2/quote':
        return first === undefined ? notFound() : quote(request, first);
      default:
        return notFound();
    }
  }

  return startEmulator({
    options,
    world,
    name: 'Lodgify',
    basePath: '',
    credentials: { api_key: API_KEY },
    documentedLimits: [
      { requests: 600, perMs: MINUTE_MS, applies: ({ path }) => path.startsWith('/v1/') },
      { requests: 750, perMs: MINUTE_MS, applies: ({ path }) => path.startsWith('/v2/') },
    ],
    kindOf,
    route,
    // The documentation promises a message and no header.
    tooManyRequests: ({ limit }) =>
      jsonAnswer(429, {
        message: `More than ${limit.requests} requests in ${limit.perMs / 1000} seconds were made.`,
      }),
    expiredToken: notAuthorized,
    // A key is no token: it does not expire.
    tokensIssued: () => 0,
    expireTokens: () => undefined,
    referenceOf: (id) => {
      const home = world.home(id);
      if (!home) throw new RangeError(`there is no home ${id}`);
      return String(propertyIdOf(home));
    },
  });
}

function kindOf({ path }: EmulatedRequest): RequestKind {
  if (/^\/v[12]\/(?:properties|rates\/settings)/.test(path)) return 'catalogue';
  if (/^\/v2\/(?:availability|rates\/calendar)/.test(path)) return 'calendar';
  return path.startsWith('/v2/quote/') ? 'quote' : 'other';
}

function isRange(start: string, end: string): boolean {
  return parseDay(start) !== undefined && parseDay(end) !== undefined && start <= end;
}
