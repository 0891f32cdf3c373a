import { Type } from 'typebox';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Clock } from '../../clock.ts';
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
  UnavailableReason,
} from '../../quotes/booking-system.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import { pauseOf } from '../shared/account/account-budget.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { reasonsInCalendars } from '../shared/calendars/unavailable-reasons.ts';
import { createKnownListings } from '../shared/listings/known-listings.ts';
import { type CallPass, openVendorAccount } from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  type AskedStayTerms,
  createVendorSystem,
  failedStay,
  listingBatches,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import { createQloappsCalls } from './api.ts';
import { createQloappsCatalogue, type QloappsCatalogueTerms } from './catalogue.ts';
import type { QloappsPriceReading } from './quote.ts';
import type { QloappsRoomType } from './room-types.ts';

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
    refund_rules_apply: Type.Optional(
      Type.Boolean({
        description:
          'Whether refunds are switched on for the whole website, with the rules of each hotel in the order of their days, the most days first: the web service shows neither. Left out: nothing is derived from the rules.',
      }),
    ),
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: 'instant',
        description: 'How a stay is booked on the website.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words. Left out: the refund rules of the hotel where they apply, else its policies, which hold other things too.',
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
      refundRulesApply: entry.refund_rules_apply ?? null,
    });
  },
  connect: createQloappsBookingSystem,
});

/** The key is the user name of HTTP Basic, without a password. */
function qloappsConventions(clock: Clock): VendorConventions {
  return {
    authorization: (key) => ({
      authorization: `Basic ${Buffer.from(`${key}:`, 'latin1').toString('base64')}`,
    }),
    tokenRefusals: [],
    // QloApps does not count requests; the server in front of it may.
    readBudget: (header) => pauseOf(header, clock.now()),
  };
}

type QloappsConnection = AccountSettings &
  QloappsCatalogueTerms & {
    readonly apiKey: string;
    /** For hotels that use the global setting of the website. */
    readonly bookableUntil: Day | null;
  };

type RoomTypes = ReadonlyMap<string, QloappsRoomType>;
type NightsQuestion = {
  readonly hotel: string;
  readonly asked: readonly string[];
  readonly currency: string;
  readonly pass: CallPass;
};

/** QloApps calculates each night of each room type separately; so many take a small server a few seconds. */
const MAX_PRICED_NIGHTS = 124;
const MAX_NIGHTS_AT_ONCE = 31;

/** The web service of QloApps. One call prices all room types of a hotel. */
function createQloappsBookingSystem(connection: QloappsConnection, tools: ConnectTools): BookingSystem {
  const { baseUrl, limits, apiKey, bookableUntil } = connection;
  const { clock, openClient, stored } = tools;
  const { calls: vendorCalls, ...account } = openVendorAccount(connection, tools, {
    vendor: 'qloapps',
    client: openClient({ baseUrl, connections: limits.concurrency }),
    conventions: qloappsConventions(clock),
    secret: apiKey,
  });
  const calls = createQloappsCalls(vendorCalls, connection.account);
  const known = createKnownListings<QloappsRoomType>(stored('room_types'));
  const readCatalogue = createQloappsCatalogue({ calls, terms: connection, tools });

  async function readNights(
    { hotel, asked, currency, pass }: NightsQuestion,
    { from, nights }: Horizon,
    byNight: boolean,
  ): Promise<CalendarReadings | 'stumbled'> {
    const { items, summary } = await calls.ari(
      { hotel, roomType: asked.length === 1 ? asked[0] : undefined, from, to: from + nights, byNight },
      {
        task: 'qloapps_nights',
        parameters: (status) => ({ status, asked, horizon: { from, nights }, currency }),
        statuses: [500],
        ...pass,
      },
    );
    return summary.stumbled ? 'stumbled' : new Map(items);
  }

  /** Halves the period until it isolates a night for which QloApps sends PHP warnings, and requests that night as a single stay. */
  async function* readParts(
    question: NightsQuestion,
    { from, nights }: Horizon,
  ): AsyncGenerator<CalendarReadings> {
    const readings = await readNights(question, { from, nights }, true);
    if (readings !== 'stumbled') return yield readings;
    if (nights > 1) {
      const half = Math.ceil(nights / 2);
      yield* readParts(question, { from, nights: half });
      yield* readParts(question, { from: from + half, nights: nights - half });
      return;
    }
    const alone = await readNights(question, { from, nights }, false);
    if (alone === 'stumbled') {
      throw new BookingSystemFailure('server_error', 'QloApps answers with warnings of PHP only');
    }
    yield alone;
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
    const parts = new Map<string, CalendarReading[]>(asked.map((reference) => [reference, []]));
    const atOnce = Math.max(1, Math.min(MAX_NIGHTS_AT_ONCE, Math.floor(MAX_PRICED_NIGHTS / asked.length)));
    for (let done = 0; done < horizon.nights; done += atOnce) {
      const part = { from: horizon.from + done, nights: Math.min(atOnce, horizon.nights - done) };
      for await (const readings of readParts({ hotel, asked, currency, pass }, part)) {
        for (const [reference, reading] of readings) parts.get(reference)?.push(reading);
      }
    }
    return new Map(
      Array.from(roomTypes, ([reference, roomType]) => [
        reference,
        joined(parts.get(reference) ?? [], horizon, lastDayOf(roomType)),
      ]),
    );
  }

  const lastDayOf = (roomType: QloappsRoomType): Day => roomType.bookableUntil ?? bookableUntil ?? Infinity;

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
    const prices = await readPrices(first.hotel, [...open.keys()], stay, signal);
    const references = prices.filter(({ kind }) => kind === 'refused').map(({ reference }) => reference);
    const refused = new Map([...open].filter(([reference]) => references.includes(reference)));
    const reasons = await reasonsInCalendars(refused, stay, (horizon) =>
      readCalendars(refused, horizon, { signal, live: stay }),
    );
    return [...outcomes, ...prices.map((price) => outcomeOf(price, reasons))];
  }

  async function readPrices(
    hotel: string,
    asked: readonly string[],
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QloappsPriceReading[]> {
    const { checkIn, checkOut, guests, currency } = stay;
    const roomType = asked.length === 1 ? asked[0] : undefined;
    const { items } = await calls.ari(
      { hotel, roomType, from: checkIn, to: checkOut, adults: guests },
      { task: 'qloapps_prices', parameters: { asked, guests, currency }, signal, live: stay },
    );
    return items;
  }

  return createVendorSystem({
    vendor: {
      ...account,
      async readCatalogue(pass) {
        const { reading, roomTypes } = await readCatalogue(pass);
        await known.keep(roomTypes);
        return reading;
      },
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

function outcomeOf(
  price: QloappsPriceReading,
  reasons: ReadonlyMap<string, UnavailableReason>,
): QuoteOutcome {
  const { reference } = price;
  switch (price.kind) {
    case 'priced':
      return { kind: 'quoted', reference, quote: price.quote };
    case 'refused':
      return unavailableStay(reference, reasons.get(reference) ?? 'not_offered');
    case 'too_small':
      return unavailableStay(reference, 'too_many_guests');
    case 'garbled':
    case 'wrong_currency':
      return failedStay(reference, price.kind);
  }
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
