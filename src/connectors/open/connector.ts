import { type Static, Type } from 'typebox';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { RateWindow } from '../../limits/window-count.ts';
import { createJsonClient, type OpenClient } from '../../outbound/http-client.ts';
import { invalid, type PointedFault, type Reading, valid } from '../../parsing/reading.ts';
import { serverAddress } from '../../parsing/web-address.ts';
import type { BookingReports, ReportedBooking } from '../../quotes/booking.ts';
import type {
  BookingSystem,
  CalendarReading,
  CalendarReadings,
  CallLimits,
  Horizon,
  QuoteOutcome,
  QuoteRequest,
  StillReading,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import { createConnector, type Surroundings } from '../connector.ts';
import { withinBudget } from '../shared/account/account-client.ts';
import { rateLimits, windowsOf } from '../shared/account/account-entry.ts';
import type { Account } from '../shared/account/accounts.ts';
import type { Intake } from '../shared/intake/intake.ts';
import { Listing, type ListingContext } from '../shared/listings/listing.ts';
import { CalendarsAnswer, CalendarsRequest } from './calendar.ts';
import {
  BookingsPage,
  CataloguePage,
  createCatalogueReader,
  followPages,
  isMissingCall,
  MAX_BOOKINGS_PAGES,
  PROTOCOL_VERSION,
} from './catalogue.ts';
import { QuotesAnswer, QuotesRequest } from './quote.ts';

const DEFAULT_LIMITS: CallLimits = { batchSize: 20, concurrency: 8, timeoutMs: 4000 };

const OpenEntry = Type.Object(
  {
    kind: Type.Literal('open'),
    url: Type.String({
      description:
        'Base address of the operator’s server. `/catalogue`, `/calendars`, `/quotes` and `/bookings` are appended. https; http only to this machine.',
    }),
    token_variable: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]*$',
        description:
          'The environment variable that holds the bearer token. The token itself is never in the file.',
      }),
    ),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 30_000,
        default: DEFAULT_LIMITS.timeoutMs,
        description: 'For one quote call.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        default: DEFAULT_LIMITS.concurrency,
        description: 'Calls in flight at most. With 1, a call lasts at most 45 % of a search.',
      }),
    ),
    quote_batch: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: DEFAULT_LIMITS.batchSize,
        description: 'Properties in one quote call at most.',
      }),
    ),
    rate_limits: rateLimits({
      description:
        'The server’s request limits for all callers together. Each assistant then has a share of them.',
    }),
  },
  { additionalProperties: false },
);

/** Connects operators whose server implements the open operator protocol. */
export const openConnector = createConnector({
  entry: OpenEntry,
  inventorySource: 'live_booking_system',
  documentation: {
    title: `Open operator protocol, version ${PROTOCOL_VERSION}`,
    text: 'For a server of the [open operator protocol](operator-protocol.md).',
    schemas: {
      Listing,
      CataloguePage,
      createCatalogueReader,
      CalendarsRequest,
      CalendarsAnswer,
      QuotesRequest,
      QuotesAnswer,
      BookingsPage,
    },
  },
  read: readOpenEntry,
  connect(connection, { openAccount, ...tools }) {
    const { windows, baseUrl } = connection;
    const terms = { vendor: 'open', name: tools.context.brand, baseUrl, secret: '', readBudget: () => ({}) };
    const account = windows && openAccount({ ...terms, windows });
    return createOpenBookingSystem({ connection, account, ...tools });
  },
});

export function readOpenEntry(
  entry: Static<typeof OpenEntry>,
  { env }: Pick<Surroundings, 'env'>,
): Reading<OpenConnection, PointedFault> {
  const address = serverAddress(entry.url);
  const isOurs = /^STAYWIRE_(?:CREDENTIALS|SECRET_)/.test(entry.token_variable ?? '');
  if (isOurs) {
    const message = 'names a secret that is not this server’s token; use a name such as STAYWIRE_TOKEN_CASAS';
    return invalid({ pointer: '/token_variable', message });
  }
  const token = entry.token_variable === undefined ? null : (env[entry.token_variable] ?? '');
  const tokenIsUsable = token === null || /^[\x21-\x7e]+$/.test(token);
  if (address.kind === 'invalid' || !tokenIsUsable) {
    const faults: PointedFault[] = [];
    if (address.kind === 'invalid') faults.push({ pointer: '/url', message: address.faults.join('; ') });
    if (!tokenIsUsable) {
      const message = `${entry.token_variable} is not set, or holds no bearer token`;
      faults.push({ pointer: '/token_variable', message, isSecret: true });
    }
    return invalid(...faults);
  }
  return valid({
    baseUrl: address.value,
    token,
    windows: windowsOf(entry.rate_limits),
    limits: {
      batchSize: entry.quote_batch ?? DEFAULT_LIMITS.batchSize,
      concurrency: entry.concurrency ?? DEFAULT_LIMITS.concurrency,
      timeoutMs: entry.timeout_ms ?? DEFAULT_LIMITS.timeoutMs,
    },
  });
}

type OpenConnection = {
  /** Base address of the operator's server; the calls are appended to it. */
  readonly baseUrl: string;
  readonly token: string | null;
  readonly limits: CallLimits;
  /** The server's request limits, if the entry states them. */
  readonly windows?: readonly RateWindow[] | undefined;
};

/** For one page of the catalogue or of bookings, or one batch of calendars. */
const REFRESH_TIMEOUT_MS = 30_000;
const CALENDAR_BATCH = 100;
/** With a page, which is taken in the same turn, these are two thousand. */
const LISTINGS_A_TURN = 1000;
const CATALOGUE_PAGE_BYTES = 16 * 1024 * 1024;
const CALENDARS_BYTES = 16 * 1024 * 1024;
/** A kilobyte for each of the thousand bookings of a page. */
const BOOKINGS_BYTES = 1024 * 1024;
/** Five kilobytes for each of the at most fifty quotes of one call. */
const QUOTES_BYTES = 256 * 1024;

/** A booking system that speaks the open operator protocol. */
export function createOpenBookingSystem({
  connection: { baseUrl, token, limits },
  context,
  openClient,
  account,
  intake,
  clock,
  budget = DEFAULT_BRAND_BUDGET,
}: {
  readonly connection: OpenConnection;
  readonly context: ListingContext;
  readonly openClient: OpenClient;
  /** For a server with request limits. */
  readonly account?: Account | undefined;
  readonly intake: Intake;
  readonly clock: Pick<Clock, 'now'>;
  readonly budget?: BrandBudget;
}): BookingSystem {
  const { brand } = context;
  const isLive = ({ path }: { readonly path: string }) => path === '/quotes';
  const client = createJsonClient({
    openClient: account ? withinBudget(openClient, account, isLive, clock) : openClient,
    baseUrl,
    token,
    connections: limits.concurrency,
  });
  const { places: _, ...parameters } = context;
  const readCatalogue = createCatalogueReader({
    client,
    async parse(document, signal, take) {
      const order = { task: 'catalogue_page', lane: 'background', brand, document, parameters } as const;
      return (await intake.run({ ...order, signal, take })).summary;
    },
    budget,
  });
  // Calendar prices are in the property's currency, which only the catalogue names.
  let currencies: ReadonlyMap<string, string> | undefined;

  async function catalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    const options = { timeoutMs: REFRESH_TIMEOUT_MS, maxBytes: CATALOGUE_PAGE_BYTES, signal };
    const reading = await readCatalogue(options, stillReading);
    const known = new Map<string, string>();
    await inTurns(reading.properties, LISTINGS_A_TURN, ({ reference, currency }) =>
      known.set(reference, currency),
    );
    currencies = known;
    return reading;
  }

  async function calendarBatch(
    asked: readonly string[],
    horizon: Horizon,
    signal: AbortSignal,
  ): Promise<CalendarReadings> {
    const request: CalendarsRequest = {
      properties: [...asked],
      from: formatDay(horizon.from),
      nights: horizon.nights,
    };
    const options = { timeoutMs: REFRESH_TIMEOUT_MS, maxBytes: CALENDARS_BYTES, signal };
    const { bytes } = await client.post('/calendars', request, options);
    const readings = new Map<string, CalendarReading>();
    const known = asked.flatMap((reference) => {
      const currency = currencies?.get(reference);
      return currency === undefined ? [] : [[reference, currency] as const];
    });
    await intake.run({
      task: 'calendars',
      lane: 'background',
      brand,
      document: bytes,
      parameters: { asked, horizon, currencies: new Map(known) },
      signal,
      take(items) {
        for (const [reference, reading] of items) readings.set(reference, reading);
      },
    });
    return readings;
  }

  async function quoteBatch(
    references: string[],
    request: QuoteRequest,
    signal: AbortSignal,
  ): Promise<QuoteOutcome[]> {
    const { currency, guests, askedBy } = request;
    const body: QuotesRequest = {
      properties: references,
      check_in: formatDay(request.checkIn),
      check_out: formatDay(request.checkOut),
      guests,
      currency,
    };
    const outcomes: QuoteOutcome[] = [];
    try {
      const options = { timeoutMs: limits.timeoutMs, maxBytes: QUOTES_BYTES, signal, askedBy };
      const { bytes } = await client.post('/quotes', body, options);
      await intake.run({
        task: 'quotes',
        lane: 'live',
        brand,
        document: bytes,
        parameters: { asked: references, currency },
        signal,
        take: (items) => outcomes.push(...items),
      });
      return outcomes;
    } catch (error) {
      const failure = error instanceof BookingSystemFailure ? error.quoteFailure : 'garbled';
      return references.map((reference) => ({ kind: 'failed', reference, failure }));
    }
  }

  /** Null when the server does not have the call. */
  async function bookings(since: number, signal: AbortSignal): Promise<BookingReports | null> {
    const first = `/bookings?since=${encodeURIComponent(new Date(since).toISOString())}`;
    const options = { timeoutMs: REFRESH_TIMEOUT_MS, maxBytes: BOOKINGS_BYTES, signal };
    const read: ReportedBooking[] = [];
    let leftOut = 0;
    let isOffered = true;
    await followPages({ of: 'bookings', first, max: MAX_BOOKINGS_PAGES }, async (path) => {
      const answer = await client.get(path, options).catch((failure: unknown) => {
        // A later page must exist, because the server named it.
        if (path !== first || !isMissingCall(failure)) throw failure;
        return null;
      });
      if (answer?.kind !== 'document') {
        isOffered = false;
        return null;
      }
      const { summary } = await intake.run({
        task: 'bookings_page',
        lane: 'background',
        brand,
        document: answer.bytes,
        parameters: { brand, now: clock.now() },
        signal,
        take: (items) => read.push(...items),
      });
      leftOut += summary.leftOut;
      return summary.nextPage;
    });
    return isOffered ? { bookings: read, leftOut } : null;
  }

  return {
    brand,
    limits: account ? { ...limits, keepsBudget: true } : limits,
    ...(account && { restsForMs: account.restsForMs, budgetUse: account.budgetUse }),
    catalogue,
    async calendars(references, horizon, signal, stillReading) {
      if (!currencies) await catalogue(signal, stillReading);
      const readings = new Map<string, CalendarReading>();
      // One batch at a time, to leave the operator's connections to the quotes.
      for (const batch of batches(references, CALENDAR_BATCH)) {
        const batchReadings = await calendarBatch(batch, horizon, signal);
        for (const [reference, reading] of batchReadings) readings.set(reference, reading);
        stillReading?.();
      }
      return readings;
    },
    async quote(request, signal) {
      const asked = batches(request.references, limits.batchSize);
      const outcomes = await Promise.all(asked.map((batch) => quoteBatch(batch, request, signal)));
      return outcomes.flat();
    },
    bookings,
    close: () => client.close(),
  };
}

function batches(references: readonly string[], size: number): string[][] {
  const unique = [...new Set(references)];
  return Array.from({ length: Math.ceil(unique.length / size) }, (_, index) =>
    unique.slice(index * size, (index + 1) * size),
  );
}
