import { emptyCalendar } from '../../inventory/calendar.ts';
import {
  type BookingSystem,
  BookingSystemFailure,
  type CalendarFault,
  type CalendarReading,
  type CalendarReadings,
  type Horizon,
  type QuoteOutcome,
  type UnavailableReason,
} from '../../quotes/booking-system.ts';
import type { Line } from '../../quotes/fair-queue.ts';
import { invalid, valid } from '../../reading/reading.ts';
import type { Day } from '../../stay/day.ts';
import { type AccountCallOptions, createAccountClient } from '../account/account-client.ts';
import type { AccountSettings } from '../account/account-entry.ts';
import type { CallUrgency } from '../account/request-budget.ts';
import { obstacleOfStay } from '../calendars/stay-obstacle.ts';
import type { ConnectTools } from '../connector.ts';
import type { OperatorRequest } from '../http/operator-client.ts';
import { createKnownListings } from '../listings/known-listings.ts';
import { type AskedStayTerms, createBatchSystem, listingBatches } from '../vendors/batch-system.ts';
import { failedStay, unavailableStay } from '../vendors/one-by-one-system.ts';
import { type AriQuestion, ariRequest } from './ari-request.ts';
import { createQloappsCatalogue, type QloappsCatalogueTerms } from './qloapps-catalogue.ts';
import { qloappsManners } from './qloapps-manners.ts';
import type { QloappsPriceReading } from './read-qloapps-prices.ts';
import type { QloappsRoomType } from './read-qloapps-room-types.ts';

export type QloappsConnection = AccountSettings &
  QloappsCatalogueTerms & {
    readonly account: string;
    readonly apiKey: string;
    /** For hotels that follow the setting of the whole website. */
    readonly bookableUntil: Day | null;
  };

type RoomTypes = ReadonlyMap<string, QloappsRoomType>;
type NightsQuestion = {
  readonly hotel: string;
  readonly asked: readonly string[];
  readonly currency: string;
  readonly urgency: CallUrgency;
  readonly askedBy: Line | undefined;
};

const REFRESH_TIMEOUT_MS = 30_000;
const LIST_BYTES = 16 * 1024 * 1024;
const NIGHTS_BYTES = 16 * 1024 * 1024;
const PRICES_BYTES = 4 * 1024 * 1024;
/** QloApps prices each night of each room type anew: this many take a small server a few seconds. */
const MAX_PRICED_NIGHTS = 124;
const MAX_NIGHTS_AT_ONCE = 31;

/** The web service of QloApps. One call prices all room types of a hotel. */
export function createQloappsBookingSystem(
  { account: name, baseUrl, windows, limits, apiKey, bookableUntil, ...terms }: QloappsConnection,
  tools: ConnectTools,
): BookingSystem {
  const { context, clock, openClient, openAccount, intake, stored } = tools;
  const { brand } = context;
  const client = openClient({ baseUrl, connections: limits.concurrency });
  const manners = qloappsManners(clock);
  const { readBudget } = manners;
  const account = openAccount({ vendor: 'qloapps', name, baseUrl, windows, secret: apiKey, readBudget });
  const calls = createAccountClient({ client, ...account, manners });
  const known = createKnownListings<QloappsRoomType>(stored('room_types'));

  const refusal = (resource: string) =>
    new BookingSystemFailure(
      'rejected',
      `QloApps does not accept the api_key of the account ${name}, or the key may not use ${resource}`,
    );

  /** The status is 401 when the key is not accepted, or has no permission. */
  const send = (request: OperatorRequest, { urgency, ...rest }: Omit<AccountCallOptions, 'timeoutMs'>) => {
    const timeoutMs = urgency === 'live' ? limits.timeoutMs : REFRESH_TIMEOUT_MS;
    const statuses = [...(request.statuses ?? []), 401];
    return calls.send({ ...request, statuses }, { ...rest, urgency, timeoutMs });
  };

  async function ask(
    question: AriQuestion,
    urgency: CallUrgency,
    signal: AbortSignal,
    {
      maxBytes = PRICES_BYTES,
      statuses = [],
      askedBy,
    }: { maxBytes?: number; statuses?: readonly number[]; askedBy?: Line | undefined } = {},
  ) {
    const answer = await send(
      {
        method: 'POST',
        path: '/api/hotel_ari?output_format=JSON',
        headers: { 'content-type': 'text/xml' },
        body: ariRequest(question),
        statuses,
      },
      { urgency, maxBytes, signal, askedBy },
    );
    if (answer.status === 401) throw refusal('hotel_ari');
    return answer;
  }

  const readCatalogue = createQloappsCatalogue({
    calls: {
      async list(resource, query, signal) {
        const parameters = new URLSearchParams({ output_format: 'JSON', display: 'full', ...query });
        const { status, bytes } = await send(
          { method: 'GET', path: `/api/${resource}?${parameters}` },
          { urgency: 'background', maxBytes: LIST_BYTES, signal },
        );
        return status === 401 ? null : bytes;
      },
      ari: async (question, signal) => (await ask(question, 'background', signal)).bytes,
    },
    terms,
    refusal,
    tools,
  });

  async function readNights(
    { hotel, asked, currency, urgency, askedBy }: NightsQuestion,
    { from, nights }: Horizon,
    byNight: boolean,
    signal: AbortSignal,
  ): Promise<CalendarReadings | 'stumbled'> {
    const { status, bytes } = await ask(
      { hotel, roomType: asked.length === 1 ? asked[0] : undefined, from, to: from + nights, byNight },
      urgency,
      signal,
      { maxBytes: NIGHTS_BYTES, statuses: [500], askedBy },
    );
    const readings = new Map<string, CalendarReading>();
    const { summary } = await intake.run({
      task: 'qloapps_nights',
      lane: urgency,
      brand,
      document: bytes,
      parameters: { status, asked, horizon: { from, nights }, currency },
      signal,
      take(some) {
        for (const [reference, reading] of some) readings.set(reference, reading);
      },
    });
    return summary.stumbled ? 'stumbled' : readings;
  }

  /** Around a night over which QloApps stumbles, smaller parts are asked for; that night itself as a stay of its own. */
  async function* readParts(
    question: NightsQuestion,
    { from, nights }: Horizon,
    signal: AbortSignal,
  ): AsyncGenerator<CalendarReadings> {
    const readings = await readNights(question, { from, nights }, true, signal);
    if (readings !== 'stumbled') return yield readings;
    if (nights > 1) {
      const half = Math.ceil(nights / 2);
      yield* readParts(question, { from, nights: half }, signal);
      yield* readParts(question, { from: from + half, nights: nights - half }, signal);
      return;
    }
    const alone = await readNights(question, { from, nights }, false, signal);
    if (alone === 'stumbled') {
      throw new BookingSystemFailure('server_error', 'QloApps answers with warnings of PHP only');
    }
    yield alone;
  }

  async function readCalendars(
    roomTypes: RoomTypes,
    horizon: Horizon,
    signal: AbortSignal,
    urgency: CallUrgency = 'background',
    askedBy?: Line,
  ): Promise<CalendarReadings> {
    const [first] = roomTypes.values();
    if (!first) return new Map();
    const { hotel, currency } = first;
    const asked = [...roomTypes.keys()];
    const parts = new Map<string, CalendarReading[]>(asked.map((reference) => [reference, []]));
    const atOnce = Math.max(1, Math.min(MAX_NIGHTS_AT_ONCE, Math.floor(MAX_PRICED_NIGHTS / asked.length)));
    for (let done = 0; done < horizon.nights; done += atOnce) {
      const part = { from: horizon.from + done, nights: Math.min(atOnce, horizon.nights - done) };
      const question = { hotel, asked, currency, urgency, askedBy };
      for await (const readings of readParts(question, part, signal)) {
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
    const refused = prices.filter(({ kind }) => kind === 'refused').map(({ reference }) => reference);
    const reasons = await reasonsInCalendars(
      new Map([...open].filter(([reference]) => refused.includes(reference))),
      stay,
      signal,
    );
    return [...outcomes, ...prices.map((price) => outcomeOf(price, reasons))];
  }

  async function readPrices(
    hotel: string,
    asked: readonly string[],
    { checkIn, checkOut, guests, currency, askedBy }: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QloappsPriceReading[]> {
    const roomType = asked.length === 1 ? asked[0] : undefined;
    const { bytes } = await ask(
      { hotel, roomType, from: checkIn, to: checkOut, adults: guests },
      'live',
      signal,
      { askedBy },
    );
    const prices: QloappsPriceReading[] = [];
    await intake.run({
      task: 'qloapps_prices',
      lane: 'live',
      brand,
      document: bytes,
      parameters: { asked, guests, currency },
      signal,
      take: (some) => prices.push(...some),
    });
    return prices;
  }

  /** QloApps has refused already and gives no reason, so nights that cannot be read only cost the reasons. */
  async function reasonsInCalendars(
    roomTypes: RoomTypes,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, UnavailableReason>> {
    const reasons = new Map<string, UnavailableReason>();
    const horizon = { from: stay.checkIn, nights: stay.checkOut - stay.checkIn };
    try {
      for (const [reference, calendar] of await readCalendars(
        roomTypes,
        horizon,
        signal,
        'live',
        stay.askedBy,
      )) {
        const obstacle = calendar.kind === 'valid' ? obstacleOfStay(calendar.value, stay) : undefined;
        if (obstacle) reasons.set(reference, obstacle);
      }
    } catch {
      return reasons;
    }
    return reasons;
  }

  return createBatchSystem({
    vendor: {
      brand,
      limits,
      async readCatalogue(signal) {
        const { reading, roomTypes } = await readCatalogue(signal);
        await known.keep(roomTypes);
        return reading;
      },
      calendarBatches: byHotel,
      readCalendars,
      quoteBatches: (roomTypes) =>
        byHotel(roomTypes).flatMap((ofHotel) => listingBatches(ofHotel, limits.batchSize)),
      quoteStays,
      restsForMs: account.budget.restsForMs,
      close: () => calls.close(),
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
