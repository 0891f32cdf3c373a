import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarReading,
  type Horizon,
  type QuoteOutcome,
  type QuoteRequest,
  type StayEstimates,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import type { ConnectTools } from '../connector.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { issueByClientCredentials } from '../shared/account/issue-token.ts';
import { createGatherListings, type GatherListings } from '../shared/listings/gather-listings.ts';
import {
  createKnownListings,
  type KnownListing,
  knownFrom,
  type ListingStayLimits,
} from '../shared/listings/known-listings.ts';
import { type RawListing, Reference } from '../shared/listings/listing.ts';
import {
  type CallPass,
  openVendorAccount,
  readPages,
  type VendorAnswer,
} from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  createVendorSystem,
  failedStay,
  oneByOne,
  type StayOfListing,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import { guestyConventions } from './auth.ts';
import {
  GUESTY_LISTING_FIELDS,
  GUESTY_RATE_FIELDS,
  type GuestyListingsParameters,
  type GuestyTerms,
} from './catalogue.ts';
import type { GuestyQuoteReading } from './quote.ts';

/** The Booking Engine API of Guesty. */
export const guestyConnector = createVendorConnector({
  kind: 'guesty',
  // The limits of the Booking Engine API, as Guesty publishes them.
  defaults: {
    url: 'https://booking.guesty.com',
    windows: [
      { requests: 5, perMs: 1000 },
      { requests: 275, perMs: 60_000 },
      { requests: 16_500, perMs: 3_600_000 },
    ],
    limits: { batchSize: 1, concurrency: 4, timeoutMs: 5000 },
  },
  members: {
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: 'request',
        description:
          'How a stay is booked, as the Booking Engine API instance is set up in Guesty: its answers do not say.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for listings without one in Guesty.',
    ),
  },
  documentation: {
    title: 'Guesty Booking Engine',
    text: 'For an account with a [Guesty Booking Engine API](connectors/guesty.md) instance.',
  },
  credentials: {
    client_id: {
      title: 'Client ID of the Booking Engine API instance',
      found:
        'in Guesty under Growth, Distribution, Booking Engine API; not the one of an Open API application',
    },
    client_secret: {
      title: 'Client secret of the same instance',
      found: 'shown by Guesty beside the client ID, when the instance is created',
    },
  },
  // Guesty documents no total. Ours is the sum of the invoice, which need not include every tax and fee.
  canStateAllInTotals: false,
  read: (entry, secrets) =>
    valid({
      clientId: secrets.client_id,
      clientSecret: secrets.client_secret,
      bookingMode: entry.booking_mode ?? 'request',
      cancellationText: entry.cancellation_text ?? null,
    }),
  connect: createGuestyBookingSystem,
});

type GuestyConnection = AccountSettings & {
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
/** Prices wait for the estimates, and draw on the same account limits. */
const MAX_ESTIMATE_PAGES = 3;
const MAX_ESTIMATE_MS = 1000;
const MAX_PAGES = 1000;
const LISTINGS_BYTES = 16 * 1024 * 1024;
const CALENDAR_BYTES = 4 * 1024 * 1024;
const QUOTE_BYTES = 1024 * 1024;
/** The share of the brand's memory that cached terms may take: most are one word. */
const TERMS_SHARE = 0.25;
/** Terms that the list omits cost a call for each listing, and change rarely. */
const MAX_TERMS_AGE_MS = 86_400_000;
/** Guesty issues an application no more tokens than this. */
const TOKENS_A_DAY = { requests: 3, perMs: 86_400_000 } as const;
/** A listing with an invalid reference is rejected anyway, so its terms are not requested. */
const referenceSchema = Compile(Reference);
/** Statuses whose body explains the refusal. */
const REFUSALS = [400, 403, 404, 409, 422] as const;

/** The Booking Engine API of Guesty. It quotes one listing per call, and holds the price until `expiresAt`. */
function createGuestyBookingSystem(connection: GuestyConnection, tools: ConnectTools): BookingSystem {
  const { baseUrl, limits, clientId, clientSecret, bookingMode, cancellationText } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const client = openClient({ baseUrl, connections: limits.concurrency });
  const { calls, ...account } = openVendorAccount(connection, tools, {
    vendor: 'guesty',
    client,
    conventions: guestyConventions(clock),
    clientId,
    secret: clientSecret,
    tokenLimit: TOKENS_A_DAY,
    issue: issueByClientCredentials({
      client,
      intake,
      brand: context.brand,
      path: '/oauth2/token',
      form: { scope: 'booking_engine:api', client_id: clientId, client_secret: clientSecret },
      refusal: `Guesty does not accept the client_id and client_secret of the account ${connection.account}`,
    }),
  });
  const known = createKnownListings(stored('listings'));
  const terms = new LRUCache<string, GuestyTerms>({
    maxSize: Math.floor(budget.bytes * TERMS_SHARE),
    sizeCalculation: weightOf,
    ttl: MAX_TERMS_AGE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.elapsed() },
  });
  const parameters: GuestyListingsParameters = {
    pagePattern: context.pagePattern ?? null,
    stayUrl: context.stayUrl ?? null,
    bookingMode,
    cancellationText,
  };

  async function readCatalogue(pass: CallPass): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const stayLimits = new Map<string, ListingStayLimits>();
    let cursor: string | null = null;
    await readPages({ of: 'listings', max: MAX_PAGES }, async () => {
      const { unfinished, nextCursor } = await readPage(cursor, gather, stayLimits, pass);
      const whole: RawListing[] = [];
      const found = new Map<string, ListingStayLimits>();
      for (const one of unfinished) {
        const { listing, limits: ofListing } = await withTerms(one, { ...pass, sent: gather.sent });
        whole.push(listing);
        found.set(one.reference, ofListing);
      }
      await gather.add(whole, pass.signal);
      for (const [reference, ofListing] of found) {
        if (gather.has(reference)) stayLimits.set(reference, ofListing);
      }
      cursor = nextCursor;
      return { isLast: nextCursor === null, mark: nextCursor };
    });
    const reading = gather.reading();
    await known.keep(await knownFrom(reading.properties, stayLimits));
    return reading;
  }

  async function readPage(
    cursor: string | null,
    gather: GatherListings,
    stayLimits: Map<string, ListingStayLimits>,
    pass: CallPass,
  ) {
    const unfinished: ListingWithoutTerms[] = [];
    const { summary } = await calls.read({
      path: listingsPath(GUESTY_LISTING_FIELDS, cursor),
      task: 'guesty_listings',
      parameters: { ...gather.parameters, bookingMode, cancellationText },
      maxBytes: LISTINGS_BYTES,
      ...pass,
      sent: gather.sent,
      take(some, weight) {
        gather.take(some, weight);
        for (const { reference, property, unfinished: listing, limits: ofListing } of some) {
          if (listing) unfinished.push({ reference, listing, limits: ofListing });
          else if (property) stayLimits.set(reference, ofListing);
        }
      },
    });
    gather.ended(summary);
    return { unfinished, nextCursor: summary.nextCursor };
  }

  /** A search with a stay lists the free homes with their nightly rates. */
  async function estimates(
    stay: Omit<QuoteRequest, 'references'>,
    signal: AbortSignal,
  ): Promise<StayEstimates> {
    const { checkIn, checkOut, guests, currency } = stay;
    const totals = new Map<string, MinorUnits | null>();
    const startedAt = clock.elapsed();
    let cursor: string | null = null;
    for (let page = 0; page < MAX_ESTIMATE_PAGES; page += 1) {
      const { items, summary }: VendorAnswer<'guesty_rates'> = await calls.read({
        path: listingsPath(GUESTY_RATE_FIELDS, cursor, {
          checkIn: formatDay(checkIn),
          checkOut: formatDay(checkOut),
          minOccupancy: String(guests),
        }),
        task: 'guesty_rates',
        parameters: { checkIn, checkOut, currency },
        maxBytes: LISTINGS_BYTES,
        signal,
        live: stay,
      });
      for (const { reference, total } of items) totals.set(reference, total);
      cursor = summary.nextCursor;
      if (cursor === null || clock.elapsed() - startedAt > MAX_ESTIMATE_MS) break;
    }
    return { totals, isWhole: cursor === null };
  }

  async function withTerms(
    one: ListingWithoutTerms,
    pass: CallPass & { readonly sent: (bytes: number) => void },
  ): Promise<ListingWithoutTerms> {
    const { reference } = one;
    if (!referenceSchema.Check(reference)) return one;
    const last = terms.get(reference);
    if (last) return merged(one, last);
    const answer = await calls.readUnless([404], {
      path: `/api/listings/${encodeURIComponent(reference)}`,
      task: 'guesty_listing',
      parameters,
      maxBytes: LISTINGS_BYTES,
      ...pass,
    });
    const read = answer?.items[0];
    if (!read) return one;
    terms.set(reference, read);
    return merged(one, read);
  }

  async function readCalendar(
    reference: string,
    listing: KnownListing,
    horizon: Horizon,
    pass: CallPass,
  ): Promise<CalendarReading> {
    const query = new URLSearchParams({
      from: formatDay(horizon.from),
      to: formatDay(horizon.from + horizon.nights - 1),
    });
    const answer = await calls.readUnless([404], {
      path: `/api/listings/${encodeURIComponent(reference)}/calendar?${query}`,
      task: 'guesty_calendar',
      parameters: { horizon, listing },
      maxBytes: CALENDAR_BYTES,
      ...pass,
    });
    return answer?.items[0] ?? invalid(CALENDAR_MISSING);
  }

  async function quoteStay(stay: StayOfListing, signal: AbortSignal): Promise<QuoteOutcome> {
    const { reference, checkIn, checkOut, guests, currency } = stay;
    const { items } = await calls.read({
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
      task: 'guesty_quote',
      parameters: (status) => ({ status, currency }),
      maxBytes: QUOTE_BYTES,
      signal,
      live: stay,
    });
    const [reading] = items;
    return reading ? outcomeOf(reading, reference) : failedStay(reference, 'garbled');
  }

  return createVendorSystem({
    vendor: {
      ...account,
      readCatalogue,
      ...oneByOne({ readCalendar, quoteStay }),
      estimates,
    },
    known,
    clock,
  });
}

function outcomeOf(reading: GuestyQuoteReading, reference: string): QuoteOutcome {
  switch (reading.kind) {
    case 'quoted':
      return { kind: 'quoted', reference, quote: reading.quote };
    case 'refused':
      return unavailableStay(reference, reading.reason);
    case 'not_understood':
      return failedStay(reference, 'stay_rejected');
    case 'failed':
      return failedStay(reference, reading.failure);
  }
}

function listingsPath(
  fields: readonly string[],
  cursor: string | null,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    limit: String(PAGE_LISTINGS),
    fields: fields.join(' '),
    ...more,
    ...(cursor === null ? {} : { cursor }),
  });
  // A plus means a blank only in forms.
  return `/api/listings?${query.toString().replaceAll('+', '%20')}`;
}

/** Completes a listing of the list with the terms that the list omits. */
function merged(one: ListingWithoutTerms, { listing, limits }: GuestyTerms): ListingWithoutTerms {
  return { ...one, listing: { ...one.listing, ...listing }, limits };
}
