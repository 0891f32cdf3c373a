import {
  type BookingSystem,
  type CalendarReading,
  type CalendarReadings,
  NOT_IN_CATALOGUE,
  type QuoteOutcome,
  type QuoteRequest,
} from '../../quotes/booking-system.ts';
import { invalid } from '../../reading/reading.ts';
import { formatDay } from '../../stay/day.ts';
import { createAccountClient, retryAfterMs, type VendorManners } from '../account/account-client.ts';
import type { AccountSettings } from '../account/account-entry.ts';
import { vendorFailureOf } from '../account/vendor-failure.ts';
import { createStaysRefusedByCalendar } from '../calendars/stays-refused-by-calendar.ts';
import type { ConnectTools } from '../connector.ts';
import { createVendorCalls } from '../vendors/vendor-calls.ts';
import { createBookingsyncListReader } from './bookingsync-pages.ts';
import { type BookingsyncCredentials, createBookingsyncTokens } from './issue-token.ts';
import { createBookingsyncCalendarReader } from './read-calendars.ts';
import { createBookingsyncCatalogueReader, type KnownRental } from './read-catalogue.ts';

export type BookingsyncConnection = AccountSettings & {
  readonly account: string;
  readonly credentials: BookingsyncCredentials;
  readonly accountId: string | null;
  readonly language: string;
};

const MS_PER_SECOND = 1000;
/** A rental in a search has its prices, fees and taxes, with their names in every language: a few kilobytes. */
const SEARCH_BYTES_PER_RENTAL = 16 * 1024;
const SEARCH_BYTES = 64 * 1024;

/** BookingSync, now Smily, by version 3 of its API. */
export function createBookingsyncBookingSystem(
  { baseUrl, account, credentials, accountId, language, windows, limits }: BookingsyncConnection,
  { context, clock, openClient, openAccount, intake, budget }: ConnectTools,
): BookingSystem {
  const { brand } = context;
  const { clientId, clientSecret, authorization } = credentials;
  const manners: VendorManners = {
    authorization: (token) => ({ authorization: `Bearer ${token}` }),
    tokenRefusals: [401],
    readBudget(header, status) {
      const now = clock.now();
      const reset = Number(header('x-ratelimit-reset') ?? Number.NaN) * MS_PER_SECOND - now;
      const endsInMs = reset > 0 ? reset : undefined;
      if (status === 429) {
        const pauseMs = retryAfterMs(header, now) ?? endsInMs;
        return pauseMs === undefined ? {} : { pauseMs };
      }
      const left = Number(header('x-ratelimit-remaining') ?? Number.NaN);
      return Number.isNaN(left) || endsInMs === undefined ? {} : { left, leftEndsInMs: endsInMs };
    },
  };
  const shared = openAccount({
    vendor: 'bookingsync',
    name: account,
    baseUrl,
    clientId,
    windows,
    readBudget: manners.readBudget,
    // With all of them, so that a new authorization is not answered out of an old one's token.
    secret: [clientId, clientSecret, authorization?.refreshToken ?? ''].join('\n'),
    issue: createBookingsyncTokens({ baseUrl, account, credentials, openClient, intake, brand }),
  });
  const client = createAccountClient({
    client: openClient({ baseUrl, connections: limits.concurrency }),
    ...shared,
    manners,
  });
  const calls = createVendorCalls({ client, intake, brand });
  const readList = createBookingsyncListReader(calls);
  const readCatalogue = createBookingsyncCatalogueReader({
    readList,
    intake,
    context,
    budget,
    language,
    accountId,
  });
  const calendarReader = createBookingsyncCalendarReader({
    readList,
    budget,
    // A token of the application alone reads what is public, and rate maps are not.
    rateSources: authorization ? ['nightly_rate_maps', 'rates'] : ['rates', 'nightly_rate_maps'],
  });
  const refusals = createStaysRefusedByCalendar();
  let known: ReadonlyMap<string, KnownRental> | undefined;

  async function catalogue(
    ...[signal, stillReading]: Parameters<BookingSystem['catalogue']>
  ): ReturnType<BookingSystem['catalogue']> {
    try {
      const { reading, rentals } = await readCatalogue(signal, stillReading);
      known = rentals;
      return reading;
    } catch (error) {
      throw vendorFailureOf(error, signal);
    }
  }

  /** What the catalogue already tells; undefined when the vendor has to be asked. */
  function refusedUnasked(reference: string, guests: number): QuoteOutcome | undefined {
    if (!known) return undefined;
    const rental = known.get(reference);
    if (!rental) return { kind: 'unavailable', reference, reason: 'unknown_property' };
    if (guests > rental.maxGuests) return { kind: 'unavailable', reference, reason: 'too_many_guests' };
    return undefined;
  }

  async function askFor(
    references: readonly string[],
    { checkIn, checkOut, guests, currency, askedBy }: QuoteRequest,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]> {
    const query = new URLSearchParams({
      start_at: compactDay(checkIn),
      end_at: compactDay(checkOut),
      adults: String(guests),
      guests: String(guests),
      rental_id: references.join(),
    });
    const answered = new Map<string, QuoteOutcome>();
    try {
      await readList({
        path: `/rentals/search?${query}`,
        task: 'bookingsync_search',
        parameters: { asked: references, currency, language },
        signal,
        liveTimeoutMs: limits.timeoutMs,
        askedBy,
        maxBytes: SEARCH_BYTES + SEARCH_BYTES_PER_RENTAL * references.length,
        // A page has one of them at least.
        maxPages: references.length,
        onPage(outcomes) {
          for (const outcome of outcomes) answered.set(outcome.reference, outcome);
          return answered.size < references.length;
        },
      });
    } catch (error) {
      const failure = vendorFailureOf(error, signal).kind;
      return references.map((reference) => ({ kind: 'failed', reference, failure }));
    }
    return references.map(
      (reference) =>
        answered.get(reference) ?? {
          kind: 'unavailable',
          reference,
          reason: refusals.reasonAgainst(reference, checkIn, checkOut) ?? 'not_offered',
        },
    );
  }

  return {
    brand,
    limits,
    catalogue,
    async calendars(references, horizon, signal, stillReading): Promise<CalendarReadings> {
      if (!known) await catalogue(signal, stillReading);
      const rentals = new Map(
        references.flatMap((reference) => {
          const rental = known?.get(reference);
          return rental ? [[reference, rental] as const] : [];
        }),
      );
      try {
        const read = await calendarReader.read(rentals, horizon, signal, stillReading);
        return new Map(
          references.map((reference): [string, CalendarReading] => {
            const reading = read.get(reference) ?? invalid(NOT_IN_CATALOGUE);
            if (reading.kind === 'valid') refusals.keep(reference, reading.value);
            return [reference, reading];
          }),
        );
      } catch (error) {
        throw vendorFailureOf(error, signal);
      }
    },
    changedSince: (instant, signal) => calendarReader.changedSince(instant, signal),
    async quote(request, signal) {
      const outcomes: QuoteOutcome[] = [];
      const asked: string[] = [];
      for (const reference of new Set(request.references)) {
        const refused = refusedUnasked(reference, request.guests);
        if (refused) outcomes.push(refused);
        else asked.push(reference);
      }
      const batches = Array.from({ length: Math.ceil(asked.length / limits.batchSize) }, (_, index) =>
        asked.slice(index * limits.batchSize, (index + 1) * limits.batchSize),
      );
      const answers = await Promise.all(batches.map((batch) => askFor(batch, request, signal)));
      return [...outcomes, ...answers.flat()];
    },
    restsForMs: shared.budget.restsForMs,
    close: () => calls.close(),
  };
}

/** As in the vendor's examples: 20270324. */
function compactDay(day: number): string {
  return formatDay(day).replaceAll('-', '');
}
