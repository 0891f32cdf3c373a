import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { retryAfterMs } from '../../outbound/read-answer.ts';
import { invalid } from '../../parsing/reading.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarReading,
  type Horizon,
  type QuoteOutcome,
  type StillReading,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { issueByClientCredentials } from '../shared/account/issue-token.ts';
import { daysOf, obstacleOfStay } from '../shared/calendars/unavailable-reasons.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import { createKnownListings, type KnownListing, knownFrom } from '../shared/listings/known-listings.ts';
import { type LiveCall, openVendorAccount, readPages } from '../shared/vendors/vendor-calls.ts';
import {
  createVendorSystem,
  failedStay,
  oneByOne,
  type StayOfListing,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import type { HostawayListingsParameters, HostawayStayTerms } from './read-hostaway-listings.ts';
import type { HostawayPriceReading } from './read-hostaway-price.ts';

/** The longest window that Hostaway publishes. */
const WINDOW_MS = 10_000;

export function hostawayConventions(clock: Clock): VendorConventions {
  return {
    authorization: (token) => ({ authorization: `Bearer ${token}` }),
    tokenRefusals: [401, 403],
    readBudget: (header, status) => {
      if (status === 429) {
        const pauseMs = pauseUntil(header, clock.now()) ?? retryAfterMs(header, clock.now()) ?? WINDOW_MS;
        return { pauseMs };
      }
      const left = header('x-ratelimit-remaining')?.trim() ?? '';
      return /^\d{1,9}$/.test(left) ? { left: Number(left), leftEndsInMs: WINDOW_MS } : {};
    },
  };
}

/** A moment in seconds since 1970, and not how long to wait. */
function pauseUntil(header: ReadHeader, now: number): number | undefined {
  const text = header('x-ratelimit-retry-after')?.trim() ?? '';
  return /^\d{10}$/.test(text) ? Math.max(0, Number(text) * 1000 - now) : undefined;
}

export type HostawayConnection = AccountSettings & {
  readonly accountId: string;
  readonly apiKey: string;
  /** Only listings that are active on the operator's Hostaway website. */
  readonly websiteListingsOnly: boolean;
  readonly directPolicy: string | null;
  readonly cancellationText: string | null;
};

/** What was stored by an earlier release has no markup. */
type HostawayKnown = KnownListing & Partial<HostawayStayTerms>;

const PAGE_LISTINGS = 100;
const MAX_PAGES = 1000;
const LISTINGS_BYTES = 16 * 1024 * 1024;
const TABLE_BYTES = 4 * 1024 * 1024;
const CALENDAR_BYTES = 4 * 1024 * 1024;
const PRICE_BYTES = 1024 * 1024;
/** Hostaway accepts a token one second after its issue; its clock may be a little behind ours. */
const TOKEN_USABLE_AFTER_MS = 1100;
/** Statuses that bring a refusal to read. 403 is not one of them: it means that the token has ended. */
const REFUSALS = [400, 404, 409, 422] as const;

/** The public API of Hostaway. Its price calculation does not say whether a stay is free, so the calendar is read with each price. */
export function createHostawayBookingSystem(
  connection: HostawayConnection,
  tools: ConnectTools,
): BookingSystem {
  const { baseUrl, limits, accountId, apiKey, websiteListingsOnly, directPolicy, cancellationText } =
    connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  // A stay takes two calls at a time.
  const client = openClient({ baseUrl, connections: 2 * limits.concurrency });
  const { calls, ...account } = openVendorAccount(connection, tools, {
    vendor: 'hostaway',
    client,
    conventions: hostawayConventions(clock),
    clientId: accountId,
    secret: apiKey,
    tokenUsableAfterMs: TOKEN_USABLE_AFTER_MS,
    issue: issueByClientCredentials({
      client,
      intake,
      brand: context.brand,
      path: '/accessTokens',
      form: { client_id: accountId, client_secret: apiKey, scope: 'general' },
      refusal: `Hostaway does not accept the account_id and api_key of the account ${connection.account}`,
    }),
  });
  const known = createKnownListings<HostawayKnown>(stored('listings'));

  async function readCatalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const stayTerms = new Map<string, HostawayStayTerms>();
    const pass = { signal, stillReading };
    const table = { ...pass, parameters: null, maxBytes: TABLE_BYTES };
    const amenities = await calls.read({ path: '/amenities', task: 'hostaway_amenities', ...table });
    const policies = await calls.read({
      path: '/cancellationPolicies',
      task: 'hostaway_policies',
      ...table,
    });
    const parameters = {
      ...gather.parameters,
      amenityNames: new Map(amenities.items),
      policies: new Map(policies.items),
      directPolicy,
      cancellationText,
    } satisfies HostawayListingsParameters;
    let offset = 0;
    await readPages({ of: 'listings', max: MAX_PAGES }, async () => {
      const query = new URLSearchParams({
        limit: String(PAGE_LISTINGS),
        offset: String(offset),
        includeResources: '1',
        'attachObjects[]': 'bookingEngineUrls',
        ...(websiteListingsOnly ? { isBookingEngineActive: '1' } : {}),
      });
      const { summary } = await calls.read({
        path: `/listings?${query}`,
        task: 'hostaway_listings',
        parameters,
        maxBytes: LISTINGS_BYTES,
        ...pass,
        sent: gather.sent,
        take(some, weight) {
          gather.take(
            some.map(({ property }) => property),
            weight,
          );
          for (const { property, limits: ofListing } of some) {
            if (property) stayTerms.set(property.reference, ofListing);
          }
        },
      });
      gather.ended(summary);
      const { onPage, count, firstId } = summary;
      offset += onPage;
      // A vendor may give fewer on a page than it was asked for, so only an empty page or its own count is the end.
      const isLast = onPage === 0 || (count === null ? onPage < PAGE_LISTINGS : offset >= count);
      return { isLast, mark: firstId };
    });
    const reading = gather.reading();
    await known.keep(await knownFrom(reading.properties, stayTerms));
    return reading;
  }

  async function readCalendar(
    reference: string,
    listing: KnownListing,
    horizon: Horizon,
    signal: AbortSignal,
    live?: LiveCall,
  ): Promise<CalendarReading> {
    // Without `includeResources` no reservation comes, and no guest.
    const query = new URLSearchParams({
      startDate: formatDay(horizon.from),
      endDate: formatDay(horizon.from + horizon.nights - 1),
    });
    const answer = await calls.readUnless([404], {
      path: `/listings/${encodeURIComponent(reference)}/calendar?${query}`,
      task: 'hostaway_calendar',
      parameters: { horizon, listing },
      maxBytes: CALENDAR_BYTES,
      signal,
      live,
    });
    return answer?.items[0] ?? invalid(CALENDAR_MISSING);
  }

  async function readPrice(
    stay: StayOfListing<HostawayKnown>,
    signal: AbortSignal,
  ): Promise<HostawayPriceReading> {
    const { reference, checkIn, checkOut, guests, currency } = stay;
    const { markup = 1 } = stay.listing;
    // Hostaway does not apply the website's markup by itself, and takes only one that is more than 1.
    if (markup === null) return { kind: 'failed', failure: 'garbled' };
    const { items } = await calls.read({
      method: 'POST',
      path: `/listings/${encodeURIComponent(reference)}/calendar/priceDetails`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        startingDate: formatDay(checkIn),
        endingDate: formatDay(checkOut),
        numberOfGuests: guests,
        ...(markup > 1 ? { markup } : {}),
        version: 2,
      }),
      statuses: REFUSALS,
      task: 'hostaway_price',
      parameters: (status) => ({ status, currency }),
      maxBytes: PRICE_BYTES,
      signal,
      live: stay,
    });
    return items[0] ?? { kind: 'failed', failure: 'garbled' };
  }

  async function quoteStay(stay: StayOfListing<HostawayKnown>, signal: AbortSignal): Promise<QuoteOutcome> {
    const { reference, listing } = stay;
    const price = readPrice(stay, signal);
    // Awaited after the calendar, so until then a failure of it has no other handler.
    price.catch(() => undefined);
    const calendar = await readCalendar(reference, listing, daysOf(stay), signal, stay);
    const obstacle = calendar.kind === 'valid' ? obstacleOfStay(calendar.value, stay) : undefined;
    if (obstacle) return unavailableStay(reference, obstacle);
    const reading = await price;
    if (reading.kind === 'refused') return unavailableStay(reference, reading.reason);
    if (reading.kind === 'failed') return failedStay(reference, reading.failure);
    // Nobody knows whether it is free.
    if (calendar.kind === 'invalid') return failedStay(reference, 'garbled');
    return { kind: 'quoted', reference, quote: reading.quote };
  }

  return createVendorSystem({
    vendor: {
      ...account,
      readCatalogue,
      ...oneByOne({ readCalendar, quoteStay }),
    },
    known,
    clock,
  });
}
