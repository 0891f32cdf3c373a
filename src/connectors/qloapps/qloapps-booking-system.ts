import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import type {
  BookingSystem,
  CalendarFault,
  CalendarReading,
  CalendarReadings,
  Horizon,
  QuoteOutcome,
  UnavailableReason,
} from '../../quotes/booking-system.ts';
import type { Day } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import { pauseOf, type VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { reasonsInCalendars } from '../shared/calendars/unavailable-reasons.ts';
import { createKnownListings } from '../shared/listings/known-listings.ts';
import { type CallPass, openVendorAccount } from '../shared/vendors/vendor-calls.ts';
import {
  type AskedStayTerms,
  createVendorSystem,
  failedStay,
  listingBatches,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import { createQloappsCalls } from './qloapps-calls.ts';
import { createQloappsCatalogue, type QloappsCatalogueTerms } from './qloapps-catalogue.ts';
import type { QloappsPriceReading } from './read-qloapps-prices.ts';
import type { QloappsRoomType } from './read-qloapps-room-types.ts';

/** The key is the user name of HTTP Basic, without a password. */
function qloappsManners(clock: Clock): VendorConventions {
  return {
    authorization: (key) => ({
      authorization: `Basic ${Buffer.from(`${key}:`, 'latin1').toString('base64')}`,
    }),
    tokenRefusals: [],
    // QloApps counts nothing; the server in front of it may.
    readBudget: (header) => pauseOf(header, clock.now()),
  };
}

export type QloappsConnection = AccountSettings &
  QloappsCatalogueTerms & {
    readonly apiKey: string;
    /** For hotels that follow the setting of the whole website. */
    readonly bookableUntil: Day | null;
  };

type RoomTypes = ReadonlyMap<string, QloappsRoomType>;
type NightsQuestion = {
  readonly hotel: string;
  readonly asked: readonly string[];
  readonly currency: string;
  readonly pass: CallPass;
};

/** QloApps prices each night of each room type anew: this many take a small server a few seconds. */
const MAX_PRICED_NIGHTS = 124;
const MAX_NIGHTS_AT_ONCE = 31;

/** The web service of QloApps. One call prices all room types of a hotel. */
export function createQloappsBookingSystem(
  connection: QloappsConnection,
  tools: ConnectTools,
): BookingSystem {
  const { baseUrl, limits, apiKey, bookableUntil } = connection;
  const { clock, openClient, stored } = tools;
  const { calls: vendorCalls, ...account } = openVendorAccount(connection, tools, {
    vendor: 'qloapps',
    client: openClient({ baseUrl, connections: limits.concurrency }),
    conventions: qloappsManners(clock),
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

  /** Around a night over which QloApps stumbles, smaller parts are asked for; that night itself as a stay of its own. */
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
      async readCatalogue(signal, stillReading) {
        const { reading, roomTypes } = await readCatalogue(signal, stillReading);
        await known.keep(roomTypes);
        return reading;
      },
      calendarBatches: byHotel,
      readCalendars: (roomTypes, horizon, signal, stillReading) =>
        readCalendars(roomTypes, horizon, { signal, stillReading }),
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

/** One calendar out of parts that follow each other. Nobody stays beyond the last day of departure. */
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

const MAX_FAULTS = 20;
