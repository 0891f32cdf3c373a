import { Compile } from 'typebox/compile';
import {
  type BookingSystem,
  BookingSystemFailure,
  CALENDAR_MISSING,
  type CalendarReading,
  type CatalogueReading,
  type Horizon,
  type QuoteOutcome,
  type StillReading,
  type UnavailableReason,
} from '../../quotes/booking-system.ts';
import type { Line } from '../../quotes/fair-queue.ts';
import { invalid } from '../../reading/reading.ts';
import { formatDay } from '../../stay/day.ts';
import { createAccountClient } from '../account/account-client.ts';
import type { AccountSettings } from '../account/account-entry.ts';
import { issueByClientCredentials } from '../account/client-credentials.ts';
import type { CallUrgency } from '../account/request-budget.ts';
import { obstacleOfStay } from '../calendars/stay-obstacle.ts';
import type { ConnectTools } from '../connector.ts';
import type { OperatorAnswer } from '../http/read-answer.ts';
import { createGatherListings, type GatherListings, type RawListing } from '../listings/gather-listings.ts';
import {
  createKnownListings,
  type KnownListing,
  knownFrom,
  type ListingStayLimits,
} from '../listings/known-listings.ts';
import { Reference } from '../listings/listing.ts';
import {
  createOneByOneSystem,
  failedStay,
  MAX_QUIET_MS,
  type StayOfListing,
  unavailableStay,
} from '../vendors/one-by-one-system.ts';
import { guestyManners } from './guesty-manners.ts';
import { createKnownTerms } from './known-terms.ts';
import {
  GUESTY_LISTING_FIELDS,
  type GuestyListingsParameters,
  type GuestyTerms,
} from './read-guesty-listings.ts';
import type { GuestyQuoteReading } from './read-guesty-quote.ts';

export type GuestyConnection = AccountSettings & {
  readonly account: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly bookingMode: 'instant' | 'request';
  readonly cancellationText: string | null;
};

type ListingWithoutTerms = {
  readonly reference: string;
  readonly listing: RawListing;
  readonly limits: ListingStayLimits;
};

const PAGE_LISTINGS = 100;
const MAX_PAGES = 1000;
const REFRESH_TIMEOUT_MS = 30_000;
const LISTINGS_BYTES = 16 * 1024 * 1024;
const CALENDAR_BYTES = 4 * 1024 * 1024;
const QUOTE_BYTES = 1024 * 1024;
/** What terms may take beside the listings that they are part of: most are a word. */
const TERMS_SHARE = 0.25;
/** As often as tokens are issued to an application at most. */
const TOKENS_A_DAY = { requests: 3, perMs: 86_400_000 } as const;
/** As for listings in general: any other is refused, so nothing more is asked of it. */
const referenceSchema = Compile(Reference);
/** Statuses that bring a refusal to read. */
const REFUSALS = [400, 403, 404, 409, 422] as const;

/** The Booking Engine API of Guesty: a quote for each listing, which Guesty keeps until its `expiresAt`. */
export function createGuestyBookingSystem(
  {
    account: name,
    baseUrl,
    windows,
    limits,
    clientId,
    clientSecret,
    bookingMode,
    cancellationText,
  }: GuestyConnection,
  { context, clock, openClient, openAccount, intake, budget, stored }: ConnectTools,
): BookingSystem {
  const { brand } = context;
  const client = openClient({ baseUrl, connections: limits.concurrency });
  const manners = guestyManners(clock);
  const account = openAccount({
    vendor: 'guesty',
    name,
    baseUrl,
    clientId,
    windows,
    readBudget: manners.readBudget,
    secret: clientSecret,
    tokenLimit: TOKENS_A_DAY,
    issue: issueByClientCredentials({
      client,
      intake,
      brand,
      path: '/oauth2/token',
      form: { scope: 'booking_engine:api', client_id: clientId, client_secret: clientSecret },
      refusal: `Guesty does not accept the client_id and client_secret of the account ${name}`,
    }),
  });
  const calls = createAccountClient({ client, ...account, manners });
  const known = createKnownListings(stored('listings'));
  const terms = createKnownTerms({ clock, maxBytes: budget.bytes * TERMS_SHARE });
  const parameters: GuestyListingsParameters = {
    pagePattern: context.pagePattern ?? null,
    stayUrl: context.stayUrl ?? null,
    bookingMode,
    cancellationText,
  };

  function get(path: string, maxBytes: number, urgency: CallUrgency, signal: AbortSignal, askedBy?: Line) {
    const timeoutMs = urgency === 'live' ? limits.timeoutMs : REFRESH_TIMEOUT_MS;
    const options = { urgency, timeoutMs, maxBytes, signal, askedBy };
    return calls.send({ method: 'GET', path, statuses: [404] }, options);
  }

  async function readCatalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    let isWhole = false;
    try {
      const reading = await readListings(signal, stillReading);
      isWhole = true;
      return reading;
    } finally {
      terms.readingEnded(isWhole);
    }
  }

  async function readListings(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const stayLimits = new Map<string, ListingStayLimits>();
    const seen = new Set<string>();
    let cursor: string | null = null;
    for (let pages = 0; ; pages += 1) {
      stillReading?.(MAX_QUIET_MS);
      if (pages >= MAX_PAGES)
        throw new BookingSystemFailure('too_large', `there are more than ${MAX_PAGES} pages`);
      const { unfinished, nextCursor } = await readPage(cursor, gather, stayLimits, signal);
      const whole: RawListing[] = [];
      for (const one of unfinished) {
        const { listing, limits: ofListing } = await withTerms(one, gather.sent, signal);
        whole.push(listing);
        stayLimits.set(one.reference, ofListing);
        stillReading?.(MAX_QUIET_MS);
      }
      await gather.add(whole, signal);
      if (nextCursor === null) break;
      if (seen.has(nextCursor))
        throw new BookingSystemFailure('garbled', 'the pages of the listings form a loop');
      seen.add(nextCursor);
      cursor = nextCursor;
    }
    stillReading?.();
    const reading = gather.reading();
    await known.keep(knownFrom(reading.properties, stayLimits));
    return reading;
  }

  async function readPage(
    cursor: string | null,
    gather: GatherListings,
    stayLimits: Map<string, ListingStayLimits>,
    signal: AbortSignal,
  ) {
    const query = new URLSearchParams({
      limit: String(PAGE_LISTINGS),
      fields: GUESTY_LISTING_FIELDS.join(' '),
      ...(cursor === null ? {} : { cursor }),
    });
    // A plus is a blank in forms only.
    const path = `/api/listings?${query.toString().replaceAll('+', '%20')}`;
    const { bytes, status } = await get(path, LISTINGS_BYTES, 'background', signal);
    if (status !== 200) throw new BookingSystemFailure('rejected', `the operator answered with ${status}`);
    gather.sent(bytes.byteLength);
    const unfinished: ListingWithoutTerms[] = [];
    const { summary } = await intake.run({
      task: 'guesty_listings',
      lane: 'background',
      brand,
      document: bytes,
      parameters: { ...gather.parameters, bookingMode, cancellationText },
      signal,
      take(some, weight) {
        gather.take(
          some.map(({ property }) => property),
          weight,
        );
        for (const { reference, unfinished: listing, limits: ofListing } of some) {
          if (listing) unfinished.push({ reference, listing, limits: ofListing });
          else stayLimits.set(reference, ofListing);
        }
      },
    });
    gather.ended(summary);
    return { unfinished, nextCursor: summary.nextCursor };
  }

  async function withTerms(
    one: ListingWithoutTerms,
    sent: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<ListingWithoutTerms> {
    const { reference } = one;
    if (!referenceSchema.Check(reference)) return one;
    const last = terms.get(reference);
    if (last) return merged(one, last);
    const { bytes, status } = await get(
      `/api/listings/${encodeURIComponent(reference)}`,
      LISTINGS_BYTES,
      'background',
      signal,
    );
    if (status !== 200) return one;
    sent(bytes.byteLength);
    let read: GuestyTerms | undefined;
    await intake.run({
      task: 'guesty_listing',
      lane: 'background',
      brand,
      document: bytes,
      parameters,
      signal,
      take: ([first]) => {
        read = first;
      },
    });
    if (!read) return one;
    terms.keep(reference, read);
    return merged(one, read);
  }

  async function readCalendar(
    reference: string,
    listing: KnownListing,
    horizon: Horizon,
    signal: AbortSignal,
    urgency: CallUrgency = 'background',
    askedBy?: Line,
  ): Promise<CalendarReading> {
    const query = new URLSearchParams({
      from: formatDay(horizon.from),
      to: formatDay(horizon.from + horizon.nights - 1),
    });
    const { bytes, status } = await get(
      `/api/listings/${encodeURIComponent(reference)}/calendar?${query}`,
      CALENDAR_BYTES,
      urgency,
      signal,
      askedBy,
    );
    if (status === 404) return invalid(CALENDAR_MISSING);
    let reading: CalendarReading = invalid(CALENDAR_MISSING);
    await intake.run({
      task: 'guesty_calendar',
      lane: urgency,
      brand,
      document: bytes,
      parameters: { horizon, listing },
      signal,
      take: ([calendar]) => {
        if (calendar) reading = calendar;
      },
    });
    return reading;
  }

  async function quoteStay(stay: StayOfListing, signal: AbortSignal): Promise<QuoteOutcome> {
    const { reference, checkIn, checkOut, guests, currency, askedBy } = stay;
    const answer: OperatorAnswer = await calls.send(
      {
        method: 'POST',
        path: '/api/reservations/quotes',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          listingId: reference,
          checkInDateLocalized: formatDay(checkIn),
          checkOutDateLocalized: formatDay(checkOut),
          guestsCount: guests,
        }),
        statuses: REFUSALS,
      },
      { urgency: 'live', timeoutMs: limits.timeoutMs, maxBytes: QUOTE_BYTES, signal, askedBy },
    );
    let reading: GuestyQuoteReading = { kind: 'failed', failure: 'garbled' };
    await intake.run({
      task: 'guesty_quote',
      lane: 'live',
      brand,
      document: answer.bytes,
      parameters: { status: answer.status, currency },
      signal,
      take: ([read]) => {
        if (read) reading = read;
      },
    });
    return outcomeOf(reading, stay, signal);
  }

  async function outcomeOf(
    reading: GuestyQuoteReading,
    stay: StayOfListing,
    signal: AbortSignal,
  ): Promise<QuoteOutcome> {
    const { reference } = stay;
    switch (reading.kind) {
      case 'quoted':
        return { kind: 'quoted', reference, quote: reading.quote };
      case 'refused':
        return unavailableStay(reference, reading.reason);
      case 'refused_without_reason':
        return unavailableStay(reference, await reasonInCalendar(stay, signal));
      case 'not_understood':
        return failedStay(reference, 'rejected');
      case 'failed':
        return failedStay(reference, reading.failure);
    }
  }

  /** Guesty has refused already, so a calendar that cannot be read only costs the reason. */
  async function reasonInCalendar(stay: StayOfListing, signal: AbortSignal): Promise<UnavailableReason> {
    const { reference, listing, checkIn, checkOut } = stay;
    const horizon = { from: checkIn, nights: checkOut - checkIn + 1 };
    try {
      const calendar = await readCalendar(reference, listing, horizon, signal, 'live', stay.askedBy);
      return (calendar.kind === 'valid' && obstacleOfStay(calendar.value, stay)) || 'not_offered';
    } catch {
      return 'not_offered';
    }
  }

  return createOneByOneSystem({
    vendor: {
      brand,
      limits,
      readCatalogue,
      readCalendar,
      quoteStay,
      restsForMs: account.budget.restsForMs,
      close: () => calls.close(),
    },
    known,
    clock,
  });
}

/** What the list says, with what it leaves out. */
function merged(one: ListingWithoutTerms, { listing, limits }: GuestyTerms): ListingWithoutTerms {
  return { ...one, listing: { ...one.listing, ...listing }, limits };
}
