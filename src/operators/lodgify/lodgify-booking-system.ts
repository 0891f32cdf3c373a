import type { Calendar } from '../../inventory/calendar.ts';
import type { BookingSystem, CallLimits, QuoteOutcome, QuoteRequest } from '../../quotes/booking-system.ts';
import { invalid, type Reading } from '../../reading/reading.ts';
import { createAccountClient, retryAfterMs, type VendorManners } from '../account/account-client.ts';
import type { RateWindow } from '../account/request-budget.ts';
import { callFailure } from '../call-failure.ts';
import type { ConnectTools } from '../connector.ts';
import { createVendorCalls } from '../vendor-calls.ts';
import { lodgifyCalendar } from './build-calendar.ts';
import { type KnownHomes, loadKnownHomes, saveKnownHomes } from './known-homes.ts';
import { createLodgifyApi } from './lodgify-api.ts';
import { createLodgifyCatalogueReader, type LodgifyTerms } from './read-catalogue.ts';

export type LodgifyConnection = {
  /** Of the vendor's server; `/v1` and `/v2` are appended. */
  readonly baseUrl: string;
  readonly account: string;
  readonly apiKey: string;
  readonly language: string;
  readonly terms: LodgifyTerms;
  readonly windows: readonly RateWindow[];
  readonly limits: CallLimits;
};

/** What the vendor states for version 1, of which one call is used. */
const V1_WINDOWS: readonly RateWindow[] = [{ requests: 600, perMs: 60_000 }];
/** Homes read at a time; quotes have the other connections. */
const PARALLEL = 2;

export function createLodgifyBookingSystem(
  { baseUrl, account, apiKey, language, terms, windows, limits }: LodgifyConnection,
  { context, clock, openClient, openAccount, intake, budget, stored }: ConnectTools,
): BookingSystem {
  const { brand } = context;
  const manners: VendorManners = {
    authorization: (key) => ({ 'x-apikey': key }),
    tokenRefusals: [],
    readBudget(header, status) {
      const pauseMs = status === 429 ? retryAfterMs(header, clock.now()) : undefined;
      return pauseMs === undefined ? {} : { pauseMs };
    },
  };

  /** The versions of the API are limited apart from each other. */
  function callsTo(version: 'v1' | 'v2', allowed: readonly RateWindow[], connections: number) {
    const shared = openAccount({
      vendor: version === 'v1' ? 'lodgify-v1' : 'lodgify',
      name: account,
      windows: allowed,
      secret: apiKey,
    });
    const client = openClient({ baseUrl: `${baseUrl}/${version}`, connections });
    return createVendorCalls({
      client: createAccountClient({ client, ...shared, manners }),
      intake,
      brand,
      headers: { 'accept-language': language },
    });
  }

  const v1 = callsTo('v1', V1_WINDOWS, PARALLEL);
  const v2 = callsTo('v2', windows, limits.concurrency + PARALLEL);
  const api = createLodgifyApi({ v1, v2 });
  const readCatalogue = createLodgifyCatalogueReader({
    api,
    intake,
    context,
    budget,
    clock,
    terms,
    parallel: PARALLEL,
  });
  const document = stored('homes');
  let known: KnownHomes | undefined;
  let loading: Promise<KnownHomes | undefined> | undefined;

  /** Stays are priced by their room, which a service that has just started knows from before. */
  async function knownHomes(): Promise<KnownHomes | undefined> {
    if (known) return known;
    loading ??= loadKnownHomes(document);
    const loaded = await loading;
    known ??= loaded;
    return known;
  }

  async function catalogue(
    ...[signal, stillReading]: Parameters<BookingSystem['catalogue']>
  ): ReturnType<BookingSystem['catalogue']> {
    try {
      const { reading, homes, policies } = await readCatalogue(await knownHomes(), { signal, stillReading });
      known = { homes, policies };
      await saveKnownHomes(document, known);
      return reading;
    } catch (error) {
      throw callFailure(error, signal);
    }
  }

  async function priceOf(
    reference: string,
    { checkIn, checkOut, guests, currency }: QuoteRequest,
    signal: AbortSignal,
  ): Promise<QuoteOutcome> {
    try {
      const home = (await knownHomes())?.homes.get(reference);
      if (!home) return { kind: 'unavailable', reference, reason: 'unknown_property' };
      if (guests > home.maxGuests) return { kind: 'unavailable', reference, reason: 'too_many_guests' };
      const stay = { property: reference, room: home.room, checkIn, checkOut, guests, currency };
      const { outcome } = await api.quote(stay, { signal, liveTimeoutMs: limits.timeoutMs });
      return outcome;
    } catch (error) {
      return { kind: 'failed', reference, failure: callFailure(error, signal).kind };
    }
  }

  return {
    brand,
    limits,
    catalogue,
    async calendars(references, horizon, signal, stillReading) {
      try {
        if (!(await knownHomes())) await catalogue(signal, stillReading);
        const readings = new Map<string, Reading<Calendar>>();
        // One home after the other: refreshing leaves the connections to the quotes.
        for (const reference of references) {
          const home = known?.homes.get(reference);
          if (!home) {
            readings.set(reference, invalid('it is not in the catalogue'));
            continue;
          }
          const pass = { signal, stillReading };
          const availability = await api.availability(reference, home.room, horizon, pass);
          const rates = await api.rates(reference, home.room, horizon, pass);
          readings.set(reference, lodgifyCalendar(availability, rates, horizon, home.currency));
        }
        return readings;
      } catch (error) {
        throw callFailure(error, signal);
      }
    },
    quote: (request, signal) =>
      Promise.all([...new Set(request.references)].map((reference) => priceOf(reference, request, signal))),
    async close() {
      await Promise.all([v1.close(), v2.close()]);
    },
  };
}
