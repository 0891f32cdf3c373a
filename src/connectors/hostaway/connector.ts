import { Type } from 'typebox';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import { type ReadHeader, retryAfterMs } from '../../outbound/read-answer.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarReading,
  type Horizon,
  type QuoteOutcome,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { issueByClientCredentials } from '../shared/account/issue-token.ts';
import { daysOf, obstacleOfStay } from '../shared/calendars/unavailable-reasons.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import { createKnownListings, type KnownListing, knownFrom } from '../shared/listings/known-listings.ts';
import { type CallPass, openVendorAccount, readPages } from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  createVendorSystem,
  failedStay,
  oneByOne,
  type StayOfListing,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import type { HostawayListingsParameters, HostawayStayTerms } from './catalogue.ts';
import type { HostawayPriceReading } from './quote.ts';

/** The public API of Hostaway. */
export const hostawayConnector = createVendorConnector({
  kind: 'hostaway',
  // The limits as Hostaway's documentation states them: for an address, and for an account.
  defaults: {
    url: 'https://api.hostaway.com/v1',
    windows: [
      { requests: 15, perMs: 10_000 },
      { requests: 20, perMs: 10_000 },
    ],
    limits: { batchSize: 1, concurrency: 3, timeoutMs: 5000 },
  },
  members: {
    website_listings_only: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only listings that are active on the operator’s Hostaway website.',
      }),
    ),
    direct_policy_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The cancellation policy of direct bookings. Left out: cancellation_text, or else the words of the policy that each listing names, which Hostaway calls the policy of other channels.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for direct bookings whose policy is not named by direct_policy_id.',
    ),
  },
  documentation: {
    title: 'Hostaway',
    text: 'For an account at [Hostaway](connectors/hostaway.md), through its public API.',
  },
  credentials: {
    account_id: {
      title: 'Hostaway account ID',
      found: 'in the Hostaway dashboard under Settings, Hostaway API',
    },
    api_key: {
      title: 'API key',
      found: 'created in the Hostaway dashboard under Settings, Hostaway API, and shown there once',
    },
  },
  // The vendor does not say that a total holds every tax and fee.
  canStateAllInTotals: false,
  read: (entry, secrets) =>
    valid({
      accountId: secrets.account_id,
      apiKey: secrets.api_key,
      websiteListingsOnly: entry.website_listings_only ?? false,
      directPolicy: entry.direct_policy_id === undefined ? null : String(entry.direct_policy_id),
      cancellationText: entry.cancellation_text ?? null,
    }),
  connect: createHostawayBookingSystem,
});

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

/** The header holds an instant in epoch seconds, not a duration. */
function pauseUntil(header: ReadHeader, now: number): number | undefined {
  const text = header('x-ratelimit-retry-after')?.trim() ?? '';
  return /^\d{10}$/.test(text) ? Math.max(0, Number(text) * 1000 - now) : undefined;
}

type HostawayConnection = AccountSettings & {
  readonly accountId: string;
  readonly apiKey: string;
  /** Only listings that are active on the operator's Hostaway website. */
  readonly websiteListingsOnly: boolean;
  readonly directPolicy: string | null;
  readonly cancellationText: string | null;
};

/** Listings that an earlier release stored have no markup. */
type HostawayKnown = KnownListing & Partial<HostawayStayTerms>;

const PAGE_LISTINGS = 100;
const MAX_PAGES = 1000;
const LISTINGS_BYTES = 16 * 1024 * 1024;
const TABLE_BYTES = 4 * 1024 * 1024;
const CALENDAR_BYTES = 4 * 1024 * 1024;
const PRICE_BYTES = 1024 * 1024;
/** Hostaway accepts a token one second after its issue; its clock may be a little behind ours. */
const TOKEN_USABLE_AFTER_MS = 1100;
/** Statuses whose body explains the refusal. 403 is not one of them: it means that the token has expired. */
const REFUSALS = [400, 404, 409, 422] as const;

/** The public API of Hostaway. Its price calculation ignores availability, so each price also reads the calendar. */
function createHostawayBookingSystem(connection: HostawayConnection, tools: ConnectTools): BookingSystem {
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

  async function readCatalogue(pass: CallPass): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const stayTerms = new Map<string, HostawayStayTerms>();
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
          gather.take(some, weight);
          for (const { property, limits: ofListing } of some) {
            if (property) stayTerms.set(property.reference, ofListing);
          }
        },
      });
      gather.ended(summary);
      const { onPage, count, firstId } = summary;
      offset += onPage;
      // Pages can be shorter than requested, so only an empty page or the vendor's own count marks the end.
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
    pass: CallPass,
  ): Promise<CalendarReading> {
    // Without `includeResources` the answer holds neither reservations nor guests.
    const query = new URLSearchParams({
      startDate: formatDay(horizon.from),
      endDate: formatDay(horizon.from + horizon.nights - 1),
    });
    const answer = await calls.readUnless([404], {
      path: `/listings/${encodeURIComponent(reference)}/calendar?${query}`,
      task: 'hostaway_calendar',
      parameters: { horizon, listing },
      maxBytes: CALENDAR_BYTES,
      ...pass,
    });
    return answer?.items[0] ?? invalid(CALENDAR_MISSING);
  }

  async function readPrice(
    stay: StayOfListing<HostawayKnown>,
    signal: AbortSignal,
  ): Promise<HostawayPriceReading> {
    const { reference, checkIn, checkOut, guests, currency } = stay;
    const { markup = 1 } = stay.listing;
    // Hostaway does not apply the website's markup itself, and accepts only a markup above 1.
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
    // Awaited only after the calendar; until then this handles a rejection.
    price.catch(() => undefined);
    const calendar = await readCalendar(reference, listing, daysOf(stay), { signal, live: stay });
    const obstacle = calendar.kind === 'valid' ? obstacleOfStay(calendar.value, stay) : undefined;
    if (obstacle) return unavailableStay(reference, obstacle);
    const reading = await price;
    if (reading.kind === 'refused') return unavailableStay(reference, reading.reason);
    if (reading.kind === 'failed') return failedStay(reference, reading.failure);
    // Without a valid calendar it is unknown whether the stay is free.
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
