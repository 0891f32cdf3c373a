import { Type } from 'typebox';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import { valid } from '../../parsing/reading.ts';
import type {
  BookingSystem,
  CalendarReading,
  CalendarReadings,
  Horizon,
  QuoteOutcome,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { issueByRequest } from '../shared/account/issue-token.ts';
import { reasonsInCalendars } from '../shared/calendars/unavailable-reasons.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import { createKnownListings } from '../shared/listings/known-listings.ts';
import { UNSTATED_POLICY } from '../shared/prices/quote-parts.ts';
import { type CallPass, openVendorAccount, readPages } from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  type AskedStayTerms,
  createVendorSystem,
  failedStay,
  listingBatches,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import { beds24Conventions } from './auth.ts';
import type { Beds24Room } from './catalogue.ts';
import type { Beds24OfferReading } from './quote.ts';

/** Beds24, through version 2 of its API. */
export const beds24Connector = createVendorConnector({
  kind: 'beds24',
  // Beds24 counts credits, not requests: most calls cost one, expensive ones several.
  defaults: {
    url: 'https://api.beds24.com/v2',
    windows: [{ requests: 100, perMs: 300_000 }],
    limits: { batchSize: 50, concurrency: 1, timeoutMs: 8000 },
  },
  members: {
    property_ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, description: 'A property ID of Beds24.' }), {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'The properties of this brand. Left out: all that the refresh token can read.',
      }),
    ),
    offer_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16,
        description:
          'The offer that is priced. Left out: the one with the lowest price, and where a room has several for a stay, no cancellation policy is shown for it.',
      }),
    ),
    organization: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,100}$',
        description: 'The name of the organization; for integration partners of Beds24 only.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}$',
        default: 'en',
        description:
          'Of the names and policies, as Beds24 names its languages. A text that is missing in it is taken in English, or else in the first language that has it.',
      }),
    ),
    picture_url: Type.String({
      pattern: '^https?://[^\\s{}]+(\\{reference\\}[^\\s{}]*)?$',
      maxLength: 500,
      description:
        'Address of the picture of a room type, with {reference} for the room ID: the API of Beds24 describes none. Its host must be one of the brand’s.',
    }),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for properties without one in Beds24.',
    ),
  },
  documentation: {
    title: 'Beds24',
    text: 'For an account at [Beds24](connectors/beds24.md), through version 2 of its API. Each room type is a property to compare.',
  },
  credentials: {
    refresh_token: {
      title: 'Refresh token with the scopes read:inventory and read:properties',
      found:
        'made once from an invite code, which beds24.com/control3.php?pagetype=apiv2 creates; the page of the connector says how',
    },
  },
  // Beds24 does not say whether obligatory extras and taxes are in the price of an offer.
  canStateAllInTotals: false,
  read: (entry, secrets) =>
    valid({
      refreshToken: secrets.refresh_token,
      propertyIds: entry.property_ids ?? null,
      offerId: entry.offer_id === undefined ? null : String(entry.offer_id),
      organization: entry.organization ?? null,
      language: entry.language ?? 'en',
      cancellationText: entry.cancellation_text ?? null,
      pictureUrl: entry.picture_url,
    }),
  connect: createBeds24BookingSystem,
});

type Beds24Connection = AccountSettings & {
  readonly refreshToken: string;
  /** Only these properties; null when all of the account belong to the brand. */
  readonly propertyIds: readonly number[] | null;
  /** The only offer that is priced; null when the lowest price counts. */
  readonly offerId: string | null;
  readonly organization: string | null;
  readonly language: string;
  readonly cancellationText: string | null;
  readonly pictureUrl: string;
};

type Rooms = ReadonlyMap<string, Beds24Room>;

const MAX_PAGES = 500;
/** Enough for a hundred rooms in any number of offers. */
const MAX_ROOM_PAGES = 20;
const ROOMS_PER_CALENDAR_CALL = 20;
const PROPERTIES_BYTES = 16 * 1024 * 1024;
const CALENDARS_BYTES = 16 * 1024 * 1024;
const OFFERS_BYTES = 2 * 1024 * 1024;

/** The API of Beds24, version 2. Calls cost credits, and run one after the other because Beds24 demands it. */
function createBeds24BookingSystem(connection: Beds24Connection, tools: ConnectTools): BookingSystem {
  const { limits, refreshToken, propertyIds, offerId, organization } = connection;
  const { language, cancellationText, pictureUrl } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const client = openClient({ baseUrl: connection.baseUrl, connections: limits.concurrency });
  const { calls, ...account } = openVendorAccount(connection, tools, {
    vendor: 'beds24',
    client,
    conventions: beds24Conventions(organization, clock),
    maxInFlight: 1,
    secret: refreshToken,
    issue: issueByRequest({
      client,
      intake,
      brand: context.brand,
      refusal: `Beds24 does not accept the refresh_token of the account ${connection.account}`,
      request: {
        method: 'GET',
        path: '/authentication/token',
        headers: { refreshToken, ...(organization === null ? {} : { organization }) },
      },
      task: 'beds24_token',
    }),
  });
  const known = createKnownListings<Beds24Room>(stored('rooms'));

  async function readCatalogue(pass: CallPass): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const rooms = new Map<string, Beds24Room>();
    const query = new URLSearchParams({
      includeTexts: 'all',
      // A text that is missing in the entry's language is taken from another one.
      includeLanguages: 'all',
      includeAllRooms: 'true',
    });
    for (const id of propertyIds ?? []) query.append('id', String(id));
    await readPages({ of: 'properties', max: MAX_PAGES }, async (page) => {
      const { summary } = await calls.read({
        path: `/properties?${ofPage(query, page)}`,
        task: 'beds24_properties',
        parameters: { ...gather.parameters, language, cancellationText, pictureUrl },
        maxBytes: PROPERTIES_BYTES,
        ...pass,
        sent: gather.sent,
        take(some, weight) {
          gather.take(some, weight);
          for (const { property, known: room } of some) {
            if (property && room && !rooms.has(property.reference)) rooms.set(property.reference, room);
          }
        },
      });
      gather.ended(summary);
      return { isLast: !summary.hasNextPage, mark: summary.firstId };
    });
    await known.keep(rooms);
    return gather.reading();
  }

  async function readCalendars(rooms: Rooms, horizon: Horizon, pass: CallPass): Promise<CalendarReadings> {
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
    await readPages({ of: 'calendars', max: MAX_ROOM_PAGES }, async (page) => {
      const { items, summary } = await calls.read({
        path: `/inventory/rooms/calendar?${ofPage(query, page)}`,
        task: 'beds24_calendars',
        parameters: { horizon, rooms },
        maxBytes: CALENDARS_BYTES,
        ...pass,
      });
      for (const [reference, reading] of items) {
        if (!readings.has(reference)) readings.set(reference, reading);
      }
      return { isLast: !summary.hasNextPage };
    });
    return readings;
  }

  async function readOffers(
    rooms: Rooms,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Beds24OfferReading>> {
    const query = new URLSearchParams({
      arrival: formatDay(stay.checkIn),
      departure: formatDay(stay.checkOut),
      numAdults: String(stay.guests),
      numChildren: '0',
    });
    const asked = [...rooms.keys()];
    for (const reference of asked) query.append('roomId', reference);
    if (offerId !== null) query.set('offerId', offerId);
    const readings = new Map<string, Beds24OfferReading>();
    await readPages({ of: 'offers', max: MAX_ROOM_PAGES }, async (page) => {
      const { items, summary } = await calls.read({
        path: `/inventory/rooms/offers?${ofPage(query, page)}`,
        task: 'beds24_offers',
        parameters: { asked, currency: stay.currency, offerId },
        maxBytes: OFFERS_BYTES,
        signal,
        live: stay,
      });
      for (const reading of items) {
        if (!readings.has(reading.reference)) readings.set(reading.reference, reading);
      }
      return { isLast: !summary.hasNextPage };
    });
    return readings;
  }

  async function quoteStays(
    rooms: Rooms,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]> {
    const offers = await readOffers(rooms, stay, signal);
    // An unavailable room has no offers, or is missing from the answer.
    const refused = new Map(
      [...rooms].filter(([reference]) => (offers.get(reference)?.kind ?? 'refused') === 'refused'),
    );
    const reasons = await reasonsInCalendars(refused, stay, (horizon) =>
      readCalendars(refused, horizon, { signal, live: stay }),
    );
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
          // Offers state no policy, and the property's policy need not apply to each of them.
          ...(offer.isOneOfSeveral ? { cancellation: UNSTATED_POLICY } : {}),
        },
      };
    });
  }

  return createVendorSystem({
    vendor: {
      ...account,
      readCatalogue,
      calendarBatches: (rooms) => listingBatches(rooms, ROOMS_PER_CALENDAR_CALL),
      readCalendars,
      quoteBatches: (rooms) => listingBatches(rooms, limits.batchSize),
      quoteStays,
    },
    known,
    clock,
  });
}

/** The first page has no number. */
function ofPage(query: URLSearchParams, page: number): URLSearchParams {
  const numbered = new URLSearchParams(query);
  if (page > 0) numbered.set('page', String(page + 1));
  return numbered;
}
