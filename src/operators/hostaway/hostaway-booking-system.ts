import {
  type BookingSystem,
  BookingSystemFailure,
  CALENDAR_MISSING,
  type CalendarReading,
  type CatalogueReading,
  type Horizon,
  type QuoteOutcome,
  type StillReading,
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
import { failureOf } from '../http/read-answer.ts';
import type { IntakeParameters } from '../intake/intake.ts';
import { createGatherListings, type GatherListings } from '../listings/gather-listings.ts';
import {
  createKnownListings,
  type KnownListing,
  knownFrom,
  type ListingStayLimits,
} from '../listings/known-listings.ts';
import {
  createOneByOneSystem,
  failedStay,
  MAX_QUIET_MS,
  type StayOfListing,
  unavailableStay,
} from '../vendors/one-by-one-system.ts';
import { hostawayManners } from './hostaway-manners.ts';
import type { HostawayListingsParameters } from './read-hostaway-listings.ts';
import type { HostawayPolicy } from './read-hostaway-policies.ts';
import type { HostawayPriceReading } from './read-hostaway-price.ts';

export type HostawayConnection = AccountSettings & {
  readonly account: string;
  readonly accountId: string;
  readonly apiKey: string;
  /** Only listings that are active on the operator's Hostaway website. */
  readonly websiteListingsOnly: boolean;
  readonly directPolicy: string | null;
  readonly cancellationText: string | null;
};

const PAGE_LISTINGS = 100;
const MAX_PAGES = 1000;
const REFRESH_TIMEOUT_MS = 30_000;
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
  {
    account: name,
    baseUrl,
    windows,
    limits,
    accountId,
    apiKey,
    websiteListingsOnly,
    directPolicy,
    cancellationText,
  }: HostawayConnection,
  { context, clock, openClient, openAccount, intake, budget, stored }: ConnectTools,
): BookingSystem {
  const { brand } = context;
  // A stay takes two calls at a time.
  const client = openClient({ baseUrl, connections: 2 * limits.concurrency });
  const manners = hostawayManners(clock);
  const account = openAccount({
    vendor: 'hostaway',
    name,
    baseUrl,
    clientId: accountId,
    windows,
    readBudget: manners.readBudget,
    secret: apiKey,
    tokenUsableAfterMs: TOKEN_USABLE_AFTER_MS,
    issue: issueByClientCredentials({
      client,
      intake,
      brand,
      path: '/accessTokens',
      form: { client_id: accountId, client_secret: apiKey, scope: 'general' },
      refusal: `Hostaway does not accept the account_id and api_key of the account ${name}`,
    }),
  });
  const calls = createAccountClient({ client, ...account, manners });
  const known = createKnownListings(stored('listings'));

  async function get(
    path: string,
    maxBytes: number,
    urgency: CallUrgency,
    signal: AbortSignal,
    askedBy?: Line,
  ) {
    const timeoutMs = urgency === 'live' ? limits.timeoutMs : REFRESH_TIMEOUT_MS;
    const options = { urgency, timeoutMs, maxBytes, signal, askedBy };
    return calls.send({ method: 'GET', path, statuses: [404] }, options);
  }

  async function getWhole(path: string, maxBytes: number, signal: AbortSignal) {
    const answer = await get(path, maxBytes, 'background', signal);
    if (answer.status !== 200) throw failureOf(answer.status);
    return answer.bytes;
  }

  async function readCatalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    // The tables wait for their turn too.
    stillReading?.(MAX_QUIET_MS);
    const gather = createGatherListings({ intake, context, budget });
    const stayLimits = new Map<string, ListingStayLimits>();
    const parameters = {
      ...gather.parameters,
      amenityNames: await readAmenityNames(signal),
      policies: await readPolicies(signal),
      directPolicy,
      cancellationText,
    } satisfies HostawayListingsParameters;
    const firstIds = new Set<string>();
    for (let offset = 0, pages = 0; ; pages += 1) {
      stillReading?.(MAX_QUIET_MS);
      if (pages >= MAX_PAGES)
        throw new BookingSystemFailure('too_large', `there are more than ${MAX_PAGES} pages`);
      const { onPage, count, firstId } = await readPage(offset, parameters, gather, stayLimits, signal);
      if (firstId !== null && firstIds.has(firstId)) {
        throw new BookingSystemFailure('garbled', 'the pages of the listings form a loop');
      }
      if (firstId !== null) firstIds.add(firstId);
      offset += onPage;
      // A vendor may give fewer on a page than it was asked for, so only an empty page or its own count is the end.
      if (onPage === 0 || (count === null ? onPage < PAGE_LISTINGS : offset >= count)) break;
    }
    stillReading?.();
    const reading = gather.reading();
    await known.keep(knownFrom(reading.properties, stayLimits));
    return reading;
  }

  async function readPage(
    offset: number,
    parameters: IntakeParameters<'hostaway_listings'>,
    gather: GatherListings,
    stayLimits: Map<string, ListingStayLimits>,
    signal: AbortSignal,
  ) {
    const query = new URLSearchParams({
      limit: String(PAGE_LISTINGS),
      offset: String(offset),
      includeResources: '1',
      'attachObjects[]': 'bookingEngineUrls',
      ...(websiteListingsOnly ? { isBookingEngineActive: '1' } : {}),
    });
    const bytes = await getWhole(`/listings?${query}`, LISTINGS_BYTES, signal);
    gather.sent(bytes.byteLength);
    const { summary } = await intake.run({
      task: 'hostaway_listings',
      lane: 'background',
      brand,
      document: bytes,
      parameters,
      signal,
      take(some, weight) {
        gather.take(
          some.map(({ property }) => property),
          weight,
        );
        for (const { property, limits: ofListing } of some) {
          if (property) stayLimits.set(property.reference, ofListing);
        }
      },
    });
    gather.ended(summary);
    return summary;
  }

  async function readAmenityNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    await intake.run({
      task: 'hostaway_amenities',
      lane: 'background',
      brand,
      document: await getWhole('/amenities', TABLE_BYTES, signal),
      parameters: null,
      signal,
      take(some) {
        for (const [id, word] of some) names.set(id, word);
      },
    });
    return names;
  }

  async function readPolicies(signal: AbortSignal): Promise<ReadonlyMap<string, HostawayPolicy>> {
    const policies = new Map<string, HostawayPolicy>();
    await intake.run({
      task: 'hostaway_policies',
      lane: 'background',
      brand,
      document: await getWhole('/cancellationPolicies', TABLE_BYTES, signal),
      parameters: null,
      signal,
      take(some) {
        for (const [id, policy] of some) policies.set(id, policy);
      },
    });
    return policies;
  }

  async function readCalendar(
    reference: string,
    listing: KnownListing,
    horizon: Horizon,
    signal: AbortSignal,
    urgency: CallUrgency = 'background',
    askedBy?: Line,
  ): Promise<CalendarReading> {
    // Without `includeResources` no reservation comes, and no guest.
    const query = new URLSearchParams({
      startDate: formatDay(horizon.from),
      endDate: formatDay(horizon.from + horizon.nights - 1),
    });
    const path = `/listings/${encodeURIComponent(reference)}/calendar?${query}`;
    const { bytes, status } = await get(path, CALENDAR_BYTES, urgency, signal, askedBy);
    if (status === 404) return invalid(CALENDAR_MISSING);
    let reading: CalendarReading = invalid(CALENDAR_MISSING);
    await intake.run({
      task: 'hostaway_calendar',
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

  async function readPrice(stay: StayOfListing, signal: AbortSignal): Promise<HostawayPriceReading> {
    const { reference, checkIn, checkOut, guests, currency, askedBy } = stay;
    const { bytes, status } = await calls.send(
      {
        method: 'POST',
        path: `/listings/${encodeURIComponent(reference)}/calendar/priceDetails`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          startingDate: formatDay(checkIn),
          endingDate: formatDay(checkOut),
          numberOfGuests: guests,
          version: 2,
        }),
        statuses: REFUSALS,
      },
      { urgency: 'live', timeoutMs: limits.timeoutMs, maxBytes: PRICE_BYTES, signal, askedBy },
    );
    let reading: HostawayPriceReading = { kind: 'failed', failure: 'garbled' };
    await intake.run({
      task: 'hostaway_price',
      lane: 'live',
      brand,
      document: bytes,
      parameters: { status, currency },
      signal,
      take: ([price]) => {
        if (price) reading = price;
      },
    });
    return reading;
  }

  async function quoteStay(stay: StayOfListing, signal: AbortSignal): Promise<QuoteOutcome> {
    const { reference, listing, checkIn, checkOut } = stay;
    // The day of departure has a rule too.
    const horizon = { from: checkIn, nights: checkOut - checkIn + 1 };
    const price = readPrice(stay, signal);
    // Awaited after the calendar, so until then a failure of it has no other handler.
    price.catch(() => undefined);
    const calendar = await readCalendar(reference, listing, horizon, signal, 'live', stay.askedBy);
    if (calendar.kind === 'invalid') return failedStay(reference, 'garbled');
    const obstacle = obstacleOfStay(calendar.value, stay);
    if (obstacle) return unavailableStay(reference, obstacle);
    const reading = await price;
    if (reading.kind === 'refused') return unavailableStay(reference, reading.reason);
    if (reading.kind === 'failed') return failedStay(reference, reading.failure);
    return { kind: 'quoted', reference, quote: reading.quote };
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
