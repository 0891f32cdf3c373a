import {
  type BookingSystem,
  BookingSystemFailure,
  type CalendarReading,
  type CalendarReadings,
  type CatalogueReading,
  type Horizon,
  type QuoteOutcome,
  type UnavailableReason,
} from '../../quotes/booking-system.ts';
import type { Line } from '../../quotes/fair-queue.ts';
import { formatDay } from '../../stay/day.ts';
import { createAccountClient } from '../account/account-client.ts';
import type { AccountSettings } from '../account/account-entry.ts';
import { issueByRequest } from '../account/issue-token.ts';
import type { CallUrgency } from '../account/request-budget.ts';
import { obstacleOfStay } from '../calendars/stay-obstacle.ts';
import type { ConnectTools } from '../connector.ts';
import { createGatherListings, type GatherListings } from '../listings/gather-listings.ts';
import { createKnownListings } from '../listings/known-listings.ts';
import { UNSTATED_POLICY } from '../prices/quoted-policy.ts';
import { type AskedStayTerms, createBatchSystem, listingBatches } from '../vendors/batch-system.ts';
import { failedStay, unavailableStay } from '../vendors/one-by-one-system.ts';
import { beds24Manners } from './beds24-manners.ts';
import type { Beds24OfferReading } from './read-beds24-offers.ts';
import type { Beds24Room } from './read-beds24-properties.ts';

export type Beds24Connection = AccountSettings & {
  readonly account: string;
  readonly refreshToken: string;
  /** Only these properties; null when all of the account are the brand's. */
  readonly propertyIds: readonly number[] | null;
  /** The only offer that is priced; null when the lowest price counts. */
  readonly offerId: string | null;
  readonly organization: string | null;
  readonly language: string;
  readonly cancellationText: string | null;
  readonly pictureUrl: string | null;
};

type Rooms = ReadonlyMap<string, Beds24Room>;

const MAX_PAGES = 500;
/** Enough for a hundred rooms in any number of offers. */
const MAX_ROOM_PAGES = 20;
const ROOMS_PER_CALENDAR_CALL = 20;
const REFRESH_TIMEOUT_MS = 30_000;
const PROPERTIES_BYTES = 16 * 1024 * 1024;
const CALENDARS_BYTES = 16 * 1024 * 1024;
const OFFERS_BYTES = 2 * 1024 * 1024;

/** The API of Beds24, version 2. Calls cost credits, and go one after the other, as Beds24 wants them. */
export function createBeds24BookingSystem(
  {
    account: name,
    baseUrl,
    windows,
    limits,
    refreshToken,
    propertyIds,
    offerId,
    organization,
    language,
    cancellationText,
    pictureUrl,
  }: Beds24Connection,
  { context, clock, openClient, openAccount, intake, budget, stored }: ConnectTools,
): BookingSystem {
  const { brand } = context;
  const client = openClient({ baseUrl, connections: limits.concurrency });
  const manners = beds24Manners(organization, clock);
  const account = openAccount({
    vendor: 'beds24',
    name,
    baseUrl,
    windows,
    maxInFlight: 1,
    readBudget: manners.readBudget,
    secret: refreshToken,
    issue: issueByRequest({
      client,
      intake,
      brand,
      refusal: `Beds24 does not accept the refresh_token of the account ${name}`,
      request: {
        method: 'GET',
        path: '/authentication/token',
        headers: { refreshToken, ...(organization === null ? {} : { organization }) },
      },
      task: 'beds24_token',
    }),
  });
  const calls = createAccountClient({ client, ...account, manners });
  const known = createKnownListings<Beds24Room>(stored('rooms'));

  async function get(
    path: string,
    query: URLSearchParams,
    maxBytes: number,
    urgency: CallUrgency,
    signal: AbortSignal,
    askedBy?: Line,
  ) {
    const timeoutMs = urgency === 'live' ? limits.timeoutMs : REFRESH_TIMEOUT_MS;
    const answer = await calls.send(
      { method: 'GET', path: `${path}?${query}` },
      { urgency, timeoutMs, maxBytes, signal, askedBy },
    );
    return answer.bytes;
  }

  async function readCatalogue(signal: AbortSignal): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const rooms = new Map<string, Beds24Room>();
    const firstIds = new Set<string>();
    for (let page = 1; ; page += 1) {
      if (page > MAX_PAGES) throw tooManyPages(MAX_PAGES);
      const { hasNextPage, firstId } = await readProperties(page, gather, rooms, signal);
      if (firstId !== null && firstIds.has(firstId)) throw pagesInALoop();
      if (firstId !== null) firstIds.add(firstId);
      if (!hasNextPage) break;
    }
    await known.keep(rooms);
    return gather.reading();
  }

  /** What the page says of rooms that are on offer is added to `rooms`. */
  async function readProperties(
    page: number,
    gather: GatherListings,
    rooms: Map<string, Beds24Room>,
    signal: AbortSignal,
  ) {
    const query = new URLSearchParams({
      includeTexts: 'all',
      // A text that is missing in the language of the entry is taken from another one.
      includeLanguages: 'all',
      includePictures: 'true',
      includeAllRooms: 'true',
    });
    for (const id of propertyIds ?? []) query.append('id', String(id));
    if (page > 1) query.set('page', String(page));
    const bytes = await get('/properties', query, PROPERTIES_BYTES, 'background', signal);
    gather.sent(bytes.byteLength);
    const { summary } = await intake.run({
      task: 'beds24_properties',
      lane: 'background',
      brand,
      document: bytes,
      parameters: { ...gather.parameters, language, cancellationText, pictureUrl },
      signal,
      take(some, weight) {
        gather.take(
          some.map(({ property }) => property),
          weight,
        );
        for (const { property, known: room } of some) {
          if (property && room && !rooms.has(property.reference)) rooms.set(property.reference, room);
        }
      },
    });
    gather.ended(summary);
    return summary;
  }

  async function readCalendars(
    rooms: Rooms,
    horizon: Horizon,
    signal: AbortSignal,
    urgency: CallUrgency = 'background',
    askedBy?: Line,
  ): Promise<CalendarReadings> {
    const query = new URLSearchParams({
      startDate: formatDay(horizon.from),
      endDate: formatDay(horizon.from + horizon.nights - 1),
      includeNumAvail: 'true',
      includeMinStay: 'true',
      includeMaxStay: 'true',
      includeOverride: 'true',
      includePrices: 'true',
    });
    for (const reference of rooms.keys()) query.append('roomId', reference);
    const readings = new Map<string, CalendarReading>();
    for (let page = 1; ; page += 1) {
      if (page > MAX_ROOM_PAGES) throw tooManyPages(MAX_ROOM_PAGES);
      if (page > 1) query.set('page', String(page));
      const { summary } = await intake.run({
        task: 'beds24_calendars',
        lane: urgency,
        brand,
        document: await get('/inventory/rooms/calendar', query, CALENDARS_BYTES, urgency, signal, askedBy),
        parameters: { horizon, rooms },
        signal,
        take(some) {
          for (const [reference, reading] of some) {
            if (!readings.has(reference)) readings.set(reference, reading);
          }
        },
      });
      if (!summary.hasNextPage) return readings;
    }
  }

  async function readOffers(
    rooms: Rooms,
    { checkIn, checkOut, guests, currency, askedBy }: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Beds24OfferReading>> {
    const query = new URLSearchParams({
      arrival: formatDay(checkIn),
      departure: formatDay(checkOut),
      numAdults: String(guests),
      numChildren: '0',
    });
    const asked = [...rooms.keys()];
    for (const reference of asked) query.append('roomId', reference);
    if (offerId !== null) query.set('offerId', offerId);
    const readings = new Map<string, Beds24OfferReading>();
    for (let page = 1; ; page += 1) {
      if (page > MAX_ROOM_PAGES) throw tooManyPages(MAX_ROOM_PAGES);
      if (page > 1) query.set('page', String(page));
      const { summary } = await intake.run({
        task: 'beds24_offers',
        lane: 'live',
        brand,
        document: await get('/inventory/rooms/offers', query, OFFERS_BYTES, 'live', signal, askedBy),
        parameters: { asked, currency, offerId },
        signal,
        take(some) {
          for (const reading of some) {
            if (!readings.has(reading.reference)) readings.set(reading.reference, reading);
          }
        },
      });
      if (!summary.hasNextPage) return readings;
    }
  }

  async function quoteStays(
    rooms: Rooms,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]> {
    const offers = await readOffers(rooms, stay, signal);
    // A room that cannot be booked has no offers, or is not in the answer.
    const refused = new Map(
      [...rooms].filter(([reference]) => (offers.get(reference)?.kind ?? 'refused') === 'refused'),
    );
    const reasons = await reasonsInCalendars(refused, stay, signal);
    return Array.from(rooms, ([reference, { currency, deposit }]) => {
      const offer = offers.get(reference);
      if (offer?.kind === 'garbled') return failedStay(reference, 'garbled');
      if (offer?.kind !== 'priced')
        return unavailableStay(reference, reasons.get(reference) ?? 'not_offered');
      return {
        kind: 'quoted',
        reference,
        quote: {
          currency,
          total: offer.total,
          lines: [],
          heldUntil: null,
          deposit: deposit === null ? null : { amount: deposit, refundable: true },
          // Offers state no policy, and the property's cannot be that of all of them.
          ...(offer.isOneOfSeveral ? { cancellation: UNSTATED_POLICY } : {}),
        },
      };
    });
  }

  /** Beds24 has refused already and gives no reason, so calendars that cannot be read only cost the reasons. */
  async function reasonsInCalendars(
    rooms: Rooms,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, UnavailableReason>> {
    const reasons = new Map<string, UnavailableReason>();
    if (rooms.size === 0) return reasons;
    const horizon = { from: stay.checkIn, nights: stay.checkOut - stay.checkIn + 1 };
    try {
      for (const [reference, calendar] of await readCalendars(rooms, horizon, signal, 'live', stay.askedBy)) {
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
      readCatalogue,
      calendarBatches: (rooms) => listingBatches(rooms, ROOMS_PER_CALENDAR_CALL),
      readCalendars,
      quoteBatches: (rooms) => listingBatches(rooms, limits.batchSize),
      quoteStays,
      restsForMs: account.budget.restsForMs,
      close: () => calls.close(),
    },
    known,
    clock,
  });
}

function tooManyPages(max: number): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `there are more than ${max} pages`);
}

function pagesInALoop(): BookingSystemFailure {
  return new BookingSystemFailure('garbled', 'the pages of the properties form a loop');
}
