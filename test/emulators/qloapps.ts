import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer, type RequestKind } from './exchange.ts';
import { hotelsOf, imageIdsOf, resourcesOf, roomTypeIdOf } from './qloapps/catalogue.ts';
import { answerQuestion, readQuestion } from './qloapps/hotel-ari.ts';
import { listRecords } from './qloapps/list-resource.ts';
import { createRoomPlan } from './qloapps/rooms.ts';
import { elements, elementText, writeXml } from './qloapps/xml.ts';
import { createWorld } from './world.ts';

/** `pageSize` has no effect: the web service cuts a list only where the client asks for it. */
export type QloappsOptions = EmulatorOptions & {
  /** Equal rooms of each room type; 1 unless told. */
  readonly roomsOfEach?: number;
  /** Resources that the key has no permission for. */
  readonly withheld?: readonly string[];
  /** Whether the key has the permission to view (GET) alone. */
  readonly viewOnly?: boolean;
  /** How many days ahead rooms are booked, as hotels set it themselves; left out, they follow the website. */
  readonly preparationDays?: number;
};

const KEY = 'EMULATEDQLOAPPSKEY00000000000001';
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** QloApps as it was seen running. The address is the installation's; the web service is at `/api` below it. */
export async function startQloapps(options: QloappsOptions): Promise<Emulator> {
  // It has no days on which nobody can arrive or depart, and one currency.
  const homes = options.homes.map((home) => ({
    ...home,
    closedToArrival: () => false,
    closedToDeparture: () => false,
  }));
  const [currency = 'EUR', another] = new Set(homes.map((home) => home.currency));
  if (another !== undefined) throw new RangeError('all homes of an installation have one currency');

  const world = createWorld(homes, options.now);
  const plan = createRoomPlan(homes, options.roomsOfEach ?? 1);
  // Described once: thousands of room types are listed page by page.
  let { hotels, resources } = describe();
  const images = new Set(homes.flatMap(imageIdsOf).map(String));
  const allowed = (resource: string) => !options.withheld?.includes(resource);

  function describe() {
    const described = hotelsOf(world.homes);
    return {
      hotels: described,
      resources: resourcesOf(described, plan, options.preparationDays ?? null),
    };
  }

  function listed(request: EmulatedRequest, resource: string, id: string | undefined): EmulatedAnswer {
    const { one, many, records } = resources[resource] ?? { one: '', records: [] };
    if (id !== undefined) {
      const record = records.find((entry) => String(entry.id) === id);
      return record ? answer(request, 200, { [one]: record }) : emptyNotFound();
    }
    const list = listRecords(records, request.query);
    if ('dynamicField' in list) {
      return errors(request, 500, [
        [34, `The field "${list.dynamicField}" is dynamic and cannot be filtered by`],
      ]);
    }
    // Without entries, PHP has nothing to name.
    return answer(request, 200, list.found.length === 0 ? [] : { [many ?? resource]: list.found });
  }

  function hotelAri(request: EmulatedRequest): EmulatedAnswer {
    if (request.method !== 'POST')
      return errors(request, 405, [[23, `Method ${request.method} is not valid`]]);
    const question = readQuestion(request.body);
    if ('code' in question) return errors(request, 400, [[question.code, question.message]]);
    const hotel = hotels.find(({ id }) => String(id) === question.hotel);
    return answer(request, 200, answerQuestion(question, hotel, plan, currency));
  }

  /** The booking is made, and yet the answer is an error that tells of warnings: this is how it was seen. */
  function bookings(request: EmulatedRequest): EmulatedAnswer {
    if (request.method !== 'POST')
      return errors(request, 405, [[23, `Method ${request.method} is not valid`]]);
    for (const type of elements(request.body, 'room_type')) {
      const home = world.homes.find(
        (entry) => String(roomTypeIdOf(entry)) === elementText(type, 'id_room_type'),
      );
      const [from, to] = [elementText(type, 'checkin_date'), elementText(type, 'checkout_date')];
      const count = Number(elementText(type, 'number_of_rooms'));
      if (!home || !from || !to || !(count > 0) || plan.freeRooms(home.id, from, to).length < count) {
        return errors(request, 400, [[85, 'Validation error: the rooms cannot be booked']]);
      }
      for (let booked = 0; booked < count; booked += 1) plan.book(home.id, from, to);
    }
    return errors(request, 500, [[3, '[PHP Warning #2] Undefined variable (Bookings.php, line 1)']]);
  }

  function route(request: EmulatedRequest): EmulatedAnswer {
    const picture = /^\/img\/p\/(?:\d\/)+(\d+)(?:-\w+)?\.jpg$/.exec(request.path)?.[1];
    if (picture !== undefined) return pictureAnswer(images.has(picture));
    const [root, resource, id, ...rest] = request.path.split('/').filter(Boolean);
    if (root !== 'api' || resource === undefined) return emptyNotFound();
    const refusal = refusalOf(request);
    if (refusal) return refusal;
    const known = resource in resources || ['images', 'hotel_ari', 'bookings'].includes(resource);
    if (!known) {
      return errors(request, 400, [[27, `There is no resource "${resource}"`]]);
    }
    if (!allowed(resource)) {
      const message = `The key may not use "${resource}"`;
      return errors(request, 401, [[26, message]]);
    }
    if (options.viewOnly && request.method !== 'GET') {
      return errors(request, 405, [[25, `The key may not use ${request.method} of "${resource}"`]]);
    }
    switch (resource) {
      case 'hotel_ari':
        return hotelAri(request);
      case 'bookings':
        return bookings(request);
      case 'images': {
        const home = homes.find((entry) => id === 'room_types' && String(roomTypeIdOf(entry)) === rest[0]);
        return pictureAnswer(home !== undefined && hasImage(home, rest[1] ?? ''));
      }
      default:
        return listed(request, resource, id);
    }
  }

  const emulator = await startEmulator({
    options,
    world,
    name: 'QloApps',
    basePath: '',
    credentials: { api_key: KEY },
    documentedLimits: [],
    kindOf,
    route,
    // The system has no limits of its own; a server in front of it may.
    tooManyRequests: ({ resetsInMs }) => ({
      status: 429,
      headers: { 'content-type': 'text/html', 'retry-after': String(Math.ceil(resetsInMs / 1000)) },
      body: '<html><head><title>429 Too Many Requests</title></head></html>',
    }),
    expiredToken: (request) => wrongKey(request),
    // A key is no token: it does not expire.
    tokensIssued: () => 0,
    expireTokens: () => undefined,
    referenceOf: (id) => {
      const home = world.home(id);
      if (!home) throw new RangeError(`there is no home ${id}`);
      return String(roomTypeIdOf(home));
    },
  });
  const { priceOf } = emulator;
  return Object.assign(emulator, {
    book: plan.book,
    withdraw(id: number) {
      world.withdraw(id);
      ({ hotels, resources } = describe());
    },
    priceOf(id: number, checkIn: string, checkOut: string, guests: number) {
      const price = priceOf(id, checkIn, checkOut, guests);
      if ('refused' in price) return price;
      return plan.freeRooms(id, checkIn, checkOut).length === 0 ? { refused: 'taken' } : price;
    },
  });
}

function kindOf({ path, body }: EmulatedRequest): RequestKind {
  if (path === '/api/hotel_ari') return body.includes('<date_wise_breakdown>1<') ? 'calendar' : 'quote';
  return path === '/api/bookings' || path.startsWith('/img/') ? 'other' : 'catalogue';
}

function refusalOf(request: EmulatedRequest): EmulatedAnswer | null {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic === undefined) {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'www-authenticate': 'Basic realm="Web service"',
    };
    return { status: 401, headers, body: '401 Unauthorized' };
  }
  const [key = ''] = Buffer.from(basic, 'base64').toString().split(':');
  if (key === KEY) return null;
  return key.length === KEY.length
    ? wrongKey(request)
    : errors(request, 401, [[18, 'The key has a wrong format']]);
}

function wrongKey(request: EmulatedRequest): EmulatedAnswer {
  return errors(request, 401, [
    [20, 'The key is not active'],
    [21, 'The key has no permission'],
  ]);
}

function errors(
  request: EmulatedRequest,
  status: number,
  list: readonly (readonly [code: number, message: string])[],
): EmulatedAnswer {
  return answer(request, status, { errors: list.map(([code, message]) => ({ code, message })) });
}

function answer(request: EmulatedRequest, status: number, value: unknown): EmulatedAnswer {
  const { headers, query } = request;
  const format = headers['io-format'] ?? headers['output-format'] ?? query.get('output_format');
  const common = { 'x-powered-by': 'PrestaShop Webservice', 'psws-version': '1.6.1.23' };
  if (format?.toUpperCase() === 'JSON') {
    return jsonAnswer(status, value, { ...common, 'content-type': 'application/json' });
  }
  return { status, headers: { ...common, 'content-type': 'text/xml;charset=utf-8' }, body: writeXml(value) };
}

function emptyNotFound(): EmulatedAnswer {
  return { status: 404, headers: {}, body: '' };
}

function pictureAnswer(exists: boolean): EmulatedAnswer {
  return exists ? { status: 200, headers: { 'content-type': 'image/gif' }, body: PICTURE } : emptyNotFound();
}

function hasImage(home: Parameters<typeof imageIdsOf>[0], id: string): boolean {
  return imageIdsOf(home).map(String).includes(id);
}
