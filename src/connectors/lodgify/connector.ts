import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import type { BookingSystem } from '../../quotes/booking-system.ts';
import type { ConnectTools } from '../connector.ts';
import { pauseOf, type VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { createStoredEntries } from '../shared/listings/known-listings.ts';
import { openVendorAccount } from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createVendorSystem, oneByOne } from '../shared/vendors/vendor-system.ts';
import { createLodgifyApi } from './api.ts';
import { lodgifyCalendar } from './calendar.ts';
import { createLodgifyCatalogueReader, type LodgifyTerms } from './catalogue.ts';
import { type KnownHome, type KnownHomes, loadKnownHomes, saveKnownHomes } from './known-homes.ts';

const DEFAULT_LANGUAGE = 'en';
const DEFAULT_BOOKING_MODE = 'request';

/** Vacation rental software with its own checkout page. */
export const lodgifyConnector = createVendorConnector({
  kind: 'lodgify',
  defaults: {
    url: 'https://api.lodgify.com',
    // For version 2, as the vendor states it.
    windows: [{ requests: 750, perMs: 60_000 }],
    // The vendor prices one property per call.
    limits: { batchSize: 1, concurrency: 8, timeoutMs: 6000 },
  },
  members: {
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}$',
        default: DEFAULT_LANGUAGE,
        description: 'The language in which the vendor answers.',
      }),
    ),
    booking_mode: Type.Optional(
      Type.Enum(['instant', 'request'], {
        default: DEFAULT_BOOKING_MODE,
        description:
          'Whether a booking on the operator’s website is confirmed at once or on request; the vendor does not say.',
      }),
    ),
    cancellation_text: cancellationTextMember(
      'The operator’s policy, word for word, for homes of which no quote has shown it. Left out: such homes say that no policy is stated, or, where no stay could be priced, that it could not be read.',
    ),
  },
  // The vendor does not document what its total includes.
  canStateAllInTotals: false,
  documentation: {
    title: 'Lodgify, API version 2',
    text: 'For operators on Lodgify: see [its page](connectors/lodgify.md).',
  },
  credentials: {
    api_key: { title: 'API key of the operator’s account', found: 'Lodgify, Settings, Public API' },
  },
  read: (entry, secrets) =>
    valid({
      apiKey: secrets.api_key,
      language: entry.language ?? DEFAULT_LANGUAGE,
      terms: {
        bookingMode: entry.booking_mode ?? DEFAULT_BOOKING_MODE,
        cancellationText: entry.cancellation_text ?? null,
      },
    }),
  connect: createLodgifyBookingSystem,
});

/** The base address is the server's; `/v1` and `/v2` are appended. */
type LodgifyConnection = AccountSettings & {
  readonly apiKey: string;
  readonly language: string;
  readonly terms: LodgifyTerms;
};

/** Homes read in parallel; quotes use the other connections. */
const PARALLEL = 2;

/** Lodgify prices one property per call, by its room type. */
function createLodgifyBookingSystem(connection: LodgifyConnection, tools: ConnectTools): BookingSystem {
  const { baseUrl, account, apiKey, language, terms, limits } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const conventions: VendorConventions = {
    authorization: (key) => ({ 'x-apikey': key }),
    tokenRefusals: [],
    readBudget: (header) => pauseOf(header, clock.now()),
  };

  // The vendor limits version 1 separately, to 600 requests a minute. Only background calls use it, and their share of the 750 of
  // version 2 is below that limit.
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

  /** Prices need the room of a home, which is stored for use after a restart. */
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
      async readCatalogue(pass) {
        const { reading, homes, policies } = await readCatalogue(await knownHomes(), pass);
        known = { homes, policies };
        await saveKnownHomes(entries, known);
        return reading;
      },
      ...oneByOne<KnownHome>({
        async readCalendar(reference, { room, currency }, horizon, pass) {
          const availability = await api.availability(reference, room, horizon, pass);
          const rates = await api.rates(reference, room, horizon, pass);
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
