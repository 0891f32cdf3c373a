import type { BookingSystem } from '../../quotes/booking-system.ts';
import type { ConnectTools } from '../connector.ts';
import { pauseOf, type VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { createStoredEntries } from '../shared/listings/known-listings.ts';
import { openVendorAccount } from '../shared/vendors/vendor-calls.ts';
import { createVendorSystem, oneByOne } from '../shared/vendors/vendor-system.ts';
import { lodgifyCalendar } from './build-calendar.ts';
import { type KnownHome, type KnownHomes, loadKnownHomes, saveKnownHomes } from './known-homes.ts';
import { createLodgifyApi } from './lodgify-api.ts';
import { createLodgifyCatalogueReader, type LodgifyTerms } from './read-catalogue.ts';

/** The base address is that of the server; `/v1` and `/v2` are appended. */
export type LodgifyConnection = AccountSettings & {
  readonly apiKey: string;
  readonly language: string;
  readonly terms: LodgifyTerms;
};

/** Homes read at a time; quotes have the other connections. */
const PARALLEL = 2;

/** Lodgify prices one property in a call, by its room type. */
export function createLodgifyBookingSystem(
  connection: LodgifyConnection,
  tools: ConnectTools,
): BookingSystem {
  const { baseUrl, account, apiKey, language, terms, limits } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const conventions: VendorConventions = {
    authorization: (key) => ({ 'x-apikey': key }),
    tokenRefusals: [],
    readBudget: (header) => pauseOf(header, clock.now()),
  };

  // The vendor limits version 1 apart, to 600 requests a minute. Only calls in the background use it, and what they may have of the
  // 750 of version 2 is less than that.
  const opened = (version: 'v1' | 'v2', connections: number) =>
    openVendorAccount(connection, tools, {
      vendor: 'lodgify',
      client: openClient({ baseUrl: `${baseUrl}/${version}`, connections }),
      conventions,
      secret: apiKey,
      headers: { 'accept-language': language },
    });
  const v1 = opened('v1', PARALLEL);
  const v2 = opened('v2', limits.concurrency + PARALLEL);
  const api = createLodgifyApi({ v1: v1.calls, v2: v2.calls, account });
  const readCatalogue = createLodgifyCatalogueReader({
    api,
    intake,
    context,
    budget,
    clock,
    terms,
    parallel: PARALLEL,
  });
  const entries = createStoredEntries(stored('homes'));
  let known: KnownHomes | undefined;
  let loading: Promise<KnownHomes | undefined> | undefined;

  /** Stays are priced by their room, which a service that has just started knows from before. */
  async function knownHomes(): Promise<KnownHomes | undefined> {
    if (known) return known;
    loading ??= loadKnownHomes(entries);
    const loaded = await loading;
    known ??= loaded;
    return known;
  }

  return createVendorSystem({
    clock,
    known: { all: async () => (await knownHomes())?.homes },
    vendor: {
      ...v2,
      async readCatalogue(signal, stillReading) {
        const { reading, homes, policies } = await readCatalogue(await knownHomes(), {
          signal,
          stillReading,
        });
        known = { homes, policies };
        await saveKnownHomes(entries, known);
        return reading;
      },
      ...oneByOne<KnownHome>({
        async readCalendar(reference, { room, currency }, horizon, signal) {
          const availability = await api.availability(reference, room, horizon, { signal });
          const rates = await api.rates(reference, room, horizon, { signal });
          return lodgifyCalendar(availability, rates, horizon, currency);
        },
        async quoteStay(asked, signal) {
          const { reference, listing, checkIn, checkOut, guests, currency } = asked;
          const stay = { property: reference, room: listing.room, checkIn, checkOut, guests, currency };
          const { outcome } = await api.quote(stay, { signal, live: asked });
          return outcome;
        },
      }),
      async close() {
        await Promise.all([v1.close(), v2.close()]);
      },
    },
  });
}
