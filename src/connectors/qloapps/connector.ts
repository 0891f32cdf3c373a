import { Type } from 'typebox';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import { serverAddress } from '../../parsing/web-address.ts';
import type {
  BookingSystem,
  CalendarFault,
  CalendarReading,
  CalendarReadings,
  Horizon,
  QuoteOutcome,
} from '../../quotes/booking-system.ts';
import { type Day, formatDay, MS_PER_DAY, parseDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import { pauseOf } from '../shared/account/account-budget.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';
import { reasonsInCalendars } from '../shared/calendars/unavailable-reasons.ts';
import type { IntakeTaskName } from '../shared/intake/intake.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import { createKnownListings } from '../shared/listings/known-listings.ts';
import { type CallPass, openVendorAccount, type VendorCall } from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  type AskedStayTerms,
  createVendorSystem,
  listingBatches,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import type { QloappsRoomType, QloappsRoomTypesParameters } from './catalogue.ts';

/** QloApps, through its web service. */
export const qloappsConnector = createVendorConnector({
  kind: 'qloapps',
  // QloApps documents no limits. These leave a small server enough capacity for its guests.
  defaults: {
    // Each operator hosts QloApps, so there is no default address.
    url: '',
    windows: [{ requests: 10, perMs: 1000 }],
    limits: { batchSize: 50, concurrency: 2, timeoutMs: 5000 },
  },
  members: {
    url: Type.String({
      description:
        'Base address of the website that runs QloApps; its web service is below /api. https; http only to this machine.',
    }),
    pictures_url: Type.Optional(
      Type.String({
        description:
          'Base address of the pictures, where they are not below that of the website. Its host must be one of the brand’s.',
      }),
    ),
    last_booking_date: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description:
          'The last day of departure for which the website takes bookings, for hotels that follow the global setting, which the web service does not show.',
      }),
    ),
    minimum_booking_offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        default: 0,
        description:
          'How many days before arrival a room is booked at the latest, for hotels that follow the global setting, which the web service does not show.',
      }),
    ),
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: 'instant',
        description: 'How a stay is booked on the website.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words. Left out: the policies of the hotel, which hold other things too.',
    ),
  },
  documentation: {
    title: 'QloApps',
    text: 'For a website that runs [QloApps](connectors/qloapps.md), through its web service. Each room type is a property to compare.',
    stayUrl:
      '{url}/index.php?id_product={reference}&controller=product&date_from={check_in}&date_to={check_out}',
  },
  credentials: {
    api_key: {
      title:
        'Web service key that may view (GET) hotels, room_types, hotel_features and room_type_features, and add (POST) to hotel_ari',
      found: 'created in the back office of QloApps under Advanced Parameters, Web Service',
    },
  },
  // The price excludes fees that QloApps adds to every booking.
  canStateAllInTotals: false,
  read(entry, secrets) {
    const pictures = serverAddress(entry.pictures_url ?? entry.url);
    if (pictures.kind === 'invalid')
      return invalid({ pointer: '/pictures_url', message: pictures.faults.join('; ') });
    const { last_booking_date: date } = entry;
    const lastDay = date === undefined ? null : parseDay(date);
    if (lastDay === undefined)
      return invalid({ pointer: '/last_booking_date', message: 'is a day that does not exist' });
    return valid({
      apiKey: secrets.api_key,
      picturesUrl: pictures.value.replace(/\/+$/, ''),
      bookableUntil: lastDay,
      bookingMode: entry.booking_mode ?? 'instant',
      cancellationText: entry.cancellation_text ?? null,
      leadDays: entry.minimum_booking_offset ?? 0,
    });
  },
  connect: createQloappsBookingSystem,
});

type QloappsConnection = AccountSettings &
  Pick<QloappsRoomTypesParameters, 'picturesUrl' | 'bookingMode' | 'cancellationText' | 'leadDays'> & {
    readonly apiKey: string;
    /** For hotels that use the global setting of the website. */
    readonly bookableUntil: Day | null;
  };

type RoomTypes = ReadonlyMap<string, QloappsRoomType>;
type Read<Name extends IntakeTaskName> = Omit<
  VendorCall<Name>,
  'method' | 'path' | 'headers' | 'body' | 'maxBytes'
>;
/** The request of `POST /api/hotel_ari`. Identifiers are digits, so they need no escaping. */
type AriQuestion = {
  readonly hotel: string;
  /** Default: all room types of the hotel. */
  readonly roomType?: string | undefined;
  readonly from: Day;
  readonly to: Day;
  /** Default: one person, assumed by QloApps. */
  readonly adults?: number;
  /** Prices each night separately, regardless of the minimum stay. */
  readonly byNight?: boolean;
};

const LIST_BYTES = 16 * 1024 * 1024;
/** Nightly prices are large answers. */
const NIGHTS_BYTES = 16 * 1024 * 1024;
const PRICES_BYTES = 4 * 1024 * 1024;
/** The key is invalid or may not use the resource; or it may use the resource, but not with this method. */
const REFUSED = [401, 405];
/** Sample stays that show the size of rooms: a short and a longer one, because restrictions can exclude either. */
const SAMPLE_STAYS = [
  { inDays: 30, nights: 1 },
  { inDays: 90, nights: 7 },
] as const;
/** QloApps calculates each night of each room type separately; so many take a small server a few seconds. */
const MAX_PRICED_NIGHTS = 124;
const MAX_NIGHTS_AT_ONCE = 31;

/** The web service of QloApps. One call prices all room types of a hotel. */
function createQloappsBookingSystem(connection: QloappsConnection, tools: ConnectTools): BookingSystem {
  const { baseUrl, limits, apiKey, bookableUntil } = connection;
  const { picturesUrl, bookingMode, cancellationText, leadDays } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const { calls, ...account } = openVendorAccount(connection, tools, {
    vendor: 'qloapps',
    client: openClient({ baseUrl, connections: limits.concurrency }),
    conventions: {
      // The key is the user name of HTTP Basic, without a password.
      authorization: (key) => ({
        authorization: `Basic ${Buffer.from(`${key}:`, 'latin1').toString('base64')}`,
      }),
      tokenRefusals: [],
      // QloApps does not count requests; the server in front of it may.
      readBudget: (header) => pauseOf(header, clock.now()),
    },
    secret: apiKey,
  });
  const known = createKnownListings<QloappsRoomType>(stored('room_types'));
  const lastDayOf = (roomType: QloappsRoomType): Day => roomType.bookableUntil ?? bookableUntil ?? Infinity;

  /** Undefined when the key may not read the resource. */
  function listIfAllowed<Name extends IntakeTaskName>(resource: string, call: Read<Name>) {
    const path = `/api/${resource}?output_format=JSON&display=full`;
    return calls.readUnless(REFUSED, { ...call, path, maxBytes: LIST_BYTES });
  }

  async function list<Name extends IntakeTaskName>(resource: string, call: Read<Name>) {
    return (await listIfAllowed(resource, call)) ?? refused(`view (GET) ${resource}`);
  }

  /** Requests prices: availability, rates and inventory. */
  async function ari<Name extends IntakeTaskName>(question: AriQuestion, call: Read<Name>) {
    const answer = await calls.readUnless(REFUSED, {
      ...call,
      method: 'POST',
      path: '/api/hotel_ari?output_format=JSON',
      headers: { 'content-type': 'text/xml' },
      body: ariRequest(question),
      maxBytes: question.byNight === undefined ? PRICES_BYTES : NIGHTS_BYTES,
    });
    return answer ?? refused('add (POST) to hotel_ari');
  }

  function refused(use: string): never {
    const { account: name } = connection;
    throw new CredentialsRefused(
      `QloApps does not accept the api_key of the account ${name}, or the key may not ${use}`,
    );
  }

  /** The currency and the number of adults in a room, which only prices show. Leaves out room types without a free room in the samples. */
  async function readCapacities(hotels: Iterable<string>, pass: CallPass) {
    const capacities = new Map<string, number>();
    let currency: string | null = null;
    const today = Math.floor(clock.now() / MS_PER_DAY);
    for (const hotel of hotels) {
      for (const { inDays, nights } of SAMPLE_STAYS) {
        const from = today + inDays;
        const call = { task: 'qloapps_capacities', parameters: null, ...pass } as const;
        const { items, summary } = await ari({ hotel, from, to: from + nights }, call);
        for (const [roomType, adults] of items) capacities.set(roomType, adults);
        currency ??= summary.currency;
      }
    }
    return { capacities, currency: currency ?? '' };
  }

  async function readCatalogue(pass: CallPass): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const readFeatures = async (name: 'hotel_features' | 'room_type_features') => {
      const answer = await listIfAllowed(name, { task: 'qloapps_features', parameters: { name }, ...pass });
      return answer ? new Map(answer.items) : null;
    };
    const roomTypes = new Map<string, QloappsRoomType>();
    const call = { task: 'qloapps_hotels', parameters: null, ...pass, sent: gather.sent } as const;
    const hotels = new Map((await list('hotels', call)).items.map((hotel) => [hotel.id, hotel]));
    const parameters = {
      ...gather.parameters,
      hotels,
      hotelFeatures: await readFeatures('hotel_features'),
      roomTypeFeatures: await readFeatures('room_type_features'),
      ...(await readCapacities(hotels.keys(), pass)),
      picturesUrl,
      bookingMode,
      cancellationText,
      leadDays,
    };
    const { summary } = await list('room_types', {
      task: 'qloapps_room_types',
      parameters,
      ...pass,
      sent: gather.sent,
      take(some, weight) {
        gather.take(some, weight);
        for (const { reference, property, known: roomType } of some) {
          if (property && roomType) roomTypes.set(reference, roomType);
        }
      },
    });
    gather.ended(summary);
    await known.keep(roomTypes);
    return gather.reading();
  }

  async function readCalendars(
    roomTypes: RoomTypes,
    horizon: Horizon,
    pass: CallPass,
  ): Promise<CalendarReadings> {
    const [first] = roomTypes.values();
    if (!first) return new Map();
    const { hotel, currency } = first;
    const asked = [...roomTypes.keys()];
    const roomType = asked.length === 1 ? asked[0] : undefined;
    const parts = new Map<string, CalendarReading[]>(asked.map((reference) => [reference, []]));

    /** False when QloApps stumbles over a night. */
    async function readNights(from: Day, nights: number, byNight: boolean): Promise<boolean> {
      const { items, summary } = await ari(
        { hotel, roomType, from, to: from + nights, byNight },
        {
          task: 'qloapps_nights',
          parameters: (status) => ({ status, asked, horizon: { from, nights }, currency }),
          statuses: [500],
          ...pass,
        },
      );
      for (const [reference, reading] of items) parts.get(reference)?.push(reading);
      return !summary.stumbled;
    }

    const end = horizon.from + horizon.nights;
    const atOnce = Math.max(1, Math.min(MAX_NIGHTS_AT_ONCE, Math.floor(MAX_PRICED_NIGHTS / asked.length)));
    for (let from = horizon.from; from < end; from += atOnce) {
      const nights = Math.min(atOnce, end - from);
      if (await readNights(from, nights, true)) continue;
      // A night with a room out of order can be priced only as a single stay.
      for (let night = from; night < from + nights; night += 1) {
        if (await readNights(night, 1, false)) continue;
        throw new BookingSystemFailure('server_error', 'QloApps answers with warnings of PHP only');
      }
    }
    return new Map(
      Array.from(roomTypes, ([reference, one]) => [
        reference,
        joined(parts.get(reference) ?? [], horizon, lastDayOf(one)),
      ]),
    );
  }

  async function quoteStays(
    roomTypes: RoomTypes,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]> {
    const late = [...roomTypes].filter(([, roomType]) => stay.checkOut > lastDayOf(roomType));
    const open = new Map([...roomTypes].filter(([, roomType]) => stay.checkOut <= lastDayOf(roomType)));
    const outcomes = late.map(([reference]) => unavailableStay(reference, 'not_offered'));
    const [first] = open.values();
    if (!first) return outcomes;
    const { checkIn, checkOut, guests, currency } = stay;
    const asked = [...open.keys()];
    const roomType = asked.length === 1 ? asked[0] : undefined;
    const { items: prices } = await ari(
      { hotel: first.hotel, roomType, from: checkIn, to: checkOut, adults: guests },
      { task: 'qloapps_prices', parameters: { asked, guests, currency }, signal, live: stay },
    );
    // QloApps gives no reason; the calendar may show one.
    const refused = new Map(
      prices.flatMap(({ kind, reference, ...price }) => {
        const roomType = open.get(reference);
        const isVague = kind === 'unavailable' && 'reason' in price && price.reason === 'not_offered';
        return isVague && roomType ? [[reference, roomType] as const] : [];
      }),
    );
    const reasons = await reasonsInCalendars(refused, stay, (horizon) =>
      readCalendars(refused, horizon, { signal, live: stay }),
    );
    const explained = prices.map((price) => {
      const reason = reasons.get(price.reference);
      return reason ? unavailableStay(price.reference, reason) : price;
    });
    return [...outcomes, ...explained];
  }

  return createVendorSystem({
    vendor: {
      ...account,
      readCatalogue,
      calendarBatches: byHotel,
      readCalendars,
      quoteBatches: (roomTypes) =>
        byHotel(roomTypes).flatMap((ofHotel) => listingBatches(ofHotel, limits.batchSize)),
      quoteStays,
    },
    known,
    clock,
  });
}

function byHotel(roomTypes: RoomTypes): RoomTypes[] {
  const entries = Map.groupBy(roomTypes, ([, { hotel }]) => hotel).values();
  return Array.from(entries, (ofHotel) => new Map(ofHotel));
}

const MAX_FAULTS = 20;

/** Joins consecutive parts into one calendar. No stay may end after the last day of departure. */
function joined(parts: readonly CalendarReading[], horizon: Horizon, lastDay: Day): CalendarReading {
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  const faults: CalendarFault[] = [];
  for (const part of parts) {
    if (part.kind === 'invalid') {
      faults.push(...part.faults);
      continue;
    }
    const offset = part.value.firstDay - horizon.from;
    calendar.available.set(part.value.available, offset);
    calendar.price.set(part.value.price, offset);
  }
  if (faults.length > 0) return invalid(...faults.slice(0, MAX_FAULTS));
  calendar.available.fill(0, Math.min(horizon.nights, Math.max(0, lastDay - horizon.from)));
  return valid(calendar);
}

function ariRequest({ hotel, roomType, from, to, adults, byNight = false }: AriQuestion): string {
  const occupancy =
    adults === undefined
      ? ''
      : `<associations><room_occupancies><room_occupancy><adults>${adults}</adults><children>0</children></room_occupancy></room_occupancies></associations>`;
  const members = [
    `<id_hotel>${hotel}</id_hotel>`,
    `<date_from>${formatDay(from)}</date_from>`,
    `<date_to>${formatDay(to)}</date_to>`,
    roomType === undefined ? '' : `<id_room_type>${roomType}</id_room_type>`,
    '<get_available_rooms>1</get_available_rooms>',
    byNight ? '<date_wise_breakdown>1</date_wise_breakdown>' : '',
    occupancy,
  ];
  return `<qloapps><hotel_ari>${members.join('')}</hotel_ari></qloapps>`;
}
