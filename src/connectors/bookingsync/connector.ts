import { Type } from 'typebox';
import type { BrandId } from '../../catalogue/catalogue.ts';
import type { OpenClient } from '../../outbound/operator-client.ts';
import { valid } from '../../parsing/reading.ts';
import type { BookingSystem, QuoteOutcome } from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import type { IssueToken } from '../shared/account/access-token.ts';
import { pauseOf, type VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { requestToken } from '../shared/account/issue-token.ts';
import { createStaysRefusedByCalendar } from '../shared/calendars/unavailable-reasons.ts';
import type { Intake } from '../shared/intake/intake.ts';
import { createKnownListings } from '../shared/listings/known-listings.ts';
import { openVendorAccount } from '../shared/vendors/vendor-calls.ts';
import { createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  type AskedStayTerms,
  createVendorSystem,
  listingBatches,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import { createBookingsyncCalendarReader } from './calendar.ts';
import { createBookingsyncCatalogueReader, type KnownRental } from './catalogue.ts';
import { createBookingsyncListReader } from './pages.ts';

const DEFAULT_LANGUAGE = 'en';

/** Vacation rental software that prices many rentals in one call. */
export const bookingsyncConnector = createVendorConnector({
  kind: 'bookingsync',
  defaults: {
    url: 'https://www.bookingsync.com/api/v3',
    // The vendor's stated limits, per application.
    windows: [{ requests: 1000, perMs: 3_600_000 }],
    limits: { batchSize: 50, concurrency: 4, timeoutMs: 8000 },
  },
  members: {
    account_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Only the rentals of this BookingSync account, for an application that several accounts have authorised. Left out: all that the application may read.',
      }),
    ),
    redirect_uri: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The redirect URI with which the account was authorised. The vendor wants it beside a refresh token; without one it is not used.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}(-[A-Z]{2})?$',
        default: DEFAULT_LANGUAGE,
        description: 'The locale of names, pictures’ descriptions and policies; English where it has none.',
      }),
    ),
  },
  documentation: {
    title: 'BookingSync (Smily), API version 3',
    text: 'For operators on BookingSync, now Smily: see [its page](connectors/bookingsync.md).',
  },
  credentials: {
    client_id: {
      title: 'Client ID of the application',
      found: 'BookingSync partner panel, Applications, your application',
    },
    client_secret: {
      title: 'Client secret of the application',
      found: 'BookingSync partner panel, Applications, your application',
    },
    refresh_token: {
      title: 'Refresh token of the operator’s account',
      found: 'The answer to the authorization code, when one account alone has let your application in',
      isOptional: true,
    },
  },
  // The vendor defines its final price as the stay, the required fees and the taxes that are not included.
  canStateAllInTotals: true,
  read(entry, { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken }) {
    return valid({
      credentials: {
        clientId,
        clientSecret,
        authorization: refreshToken === '' ? null : { refreshToken, redirectUri: entry.redirect_uri ?? null },
      },
      accountId: entry.account_id === undefined ? null : String(entry.account_id),
      language: entry.language ?? DEFAULT_LANGUAGE,
    });
  },
  connect: createBookingsyncBookingSystem,
});

type BookingsyncConnection = AccountSettings & {
  readonly credentials: BookingsyncCredentials;
  readonly accountId: string | null;
  readonly language: string;
};

type BookingsyncCredentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The operator's authorization of the application; null for all that the application may read. */
  readonly authorization: { readonly refreshToken: string; readonly redirectUri: string | null } | null;
};

const MS_PER_SECOND = 1000;
/** A rental in a search lists its prices, fees and taxes, named in every language: a few kilobytes. */
const SEARCH_BYTES_PER_RENTAL = 16 * 1024;
const SEARCH_BYTES = 64 * 1024;

/** BookingSync, now Smily, through version 3 of its API. */
function createBookingsyncBookingSystem(
  connection: BookingsyncConnection,
  tools: ConnectTools,
): BookingSystem {
  const { baseUrl, account, credentials, accountId, language, limits } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const { brand } = context;
  const { clientId, clientSecret, authorization } = credentials;
  const conventions: VendorConventions = {
    authorization: (token) => ({ authorization: `Bearer ${token}` }),
    tokenRefusals: [401],
    readBudget(header, status) {
      const now = clock.now();
      const reset = Number(header('x-ratelimit-reset') ?? Number.NaN) * MS_PER_SECOND - now;
      const endsInMs = reset > 0 ? reset : undefined;
      if (status === 429) {
        return { ...(endsInMs === undefined ? {} : { pauseMs: endsInMs }), ...pauseOf(header, now) };
      }
      const left = Number(header('x-ratelimit-remaining') ?? Number.NaN);
      return Number.isNaN(left) || endsInMs === undefined ? {} : { left, leftEndsInMs: endsInMs };
    },
  };
  const { calls, ...shared } = openVendorAccount(connection, tools, {
    vendor: 'bookingsync',
    client: openClient({ baseUrl, connections: limits.concurrency }),
    conventions,
    clientId,
    // Includes the refresh token, so that a new authorization does not reuse the token of an old one.
    secret: [clientId, clientSecret, authorization?.refreshToken ?? ''].join('\n'),
    issue: createBookingsyncTokens({ baseUrl, account, credentials, openClient, intake, brand }),
  });
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
    // An application token reads only public data; rate maps are not public.
    rateSources: authorization ? ['nightly_rate_maps', 'rates'] : ['rates', 'nightly_rate_maps'],
  });
  const refusals = createStaysRefusedByCalendar();
  const known = createKnownListings<KnownRental>(stored('rentals'));

  async function quoteStays(
    rentals: ReadonlyMap<string, KnownRental>,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]> {
    const { checkIn, checkOut, guests, currency } = stay;
    const references = [...rentals.keys()];
    const query = new URLSearchParams({
      start_at: compactDay(checkIn),
      end_at: compactDay(checkOut),
      adults: String(guests),
      guests: String(guests),
      rental_id: references.join(),
    });
    const answered = new Map<string, QuoteOutcome>();
    await readList({
      path: `/rentals/search?${query}`,
      task: 'bookingsync_search',
      parameters: { asked: references, currency, language },
      signal,
      live: stay,
      maxBytes: SEARCH_BYTES + SEARCH_BYTES_PER_RENTAL * references.length,
      // Each page holds at least one of the rentals.
      maxPages: references.length,
      onPage(outcomes) {
        for (const outcome of outcomes) answered.set(outcome.reference, outcome);
        return answered.size < references.length;
      },
    });
    // The vendor lists only bookable rentals, and gives no reason for the others.
    return references.map(
      (reference) =>
        answered.get(reference) ??
        unavailableStay(reference, refusals.reasonAgainst(reference, checkIn, checkOut) ?? 'not_offered'),
    );
  }

  return createVendorSystem({
    vendor: {
      ...shared,
      async readCatalogue(pass) {
        const { reading, rentals } = await readCatalogue(pass);
        await known.keep(rentals);
        return reading;
      },
      // The reader makes its own batches, and counts the bytes of all of them.
      calendarBatches: (rentals) => [rentals],
      async readCalendars(rentals, horizon, pass) {
        const readings = await calendarReader.read(rentals, horizon, pass);
        for (const [reference, reading] of readings) {
          if (reading.kind === 'valid') refusals.keep(reference, reading.value);
        }
        return readings;
      },
      changedSince: (instant, signal) => calendarReader.changedSince(instant, signal),
      quoteBatches: (rentals) => listingBatches(rentals, limits.batchSize),
      quoteStays,
    },
    known,
    clock,
  });
}

/** The format of the vendor's examples: 20270324. */
function compactDay(day: number): string {
  return formatDay(day).replaceAll('-', '');
}

/** Requests a token by one of the two grants that need no browser. */
function createBookingsyncTokens({
  baseUrl,
  account,
  credentials: { clientId, clientSecret, authorization },
  openClient,
  intake,
  brand,
}: {
  /** Of the API; tokens are issued on the same server. */
  readonly baseUrl: string;
  readonly account: string;
  readonly credentials: BookingsyncCredentials;
  readonly openClient: OpenClient;
  readonly intake: Intake;
  readonly brand: BrandId;
}): IssueToken {
  function formFor(latestRefreshToken: string | undefined): URLSearchParams {
    const application = { client_id: clientId, client_secret: clientSecret };
    if (!authorization) return new URLSearchParams({ ...application, grant_type: 'client_credentials' });
    return new URLSearchParams({
      ...application,
      grant_type: 'refresh_token',
      // The vendor issues a new refresh token with each token.
      refresh_token: latestRefreshToken ?? authorization.refreshToken,
      ...(authorization.redirectUri === null ? {} : { redirect_uri: authorization.redirectUri }),
    });
  }

  const presented = authorization
    ? 'client_id, client_secret and refresh_token'
    : 'client_id and client_secret';
  const refusal = `BookingSync does not accept the ${presented} of the account ${account}`;

  return async (tokenRequest) => {
    // Opened for one call: all brands of the account share the token, which outlives each of them.
    const client = openClient({ baseUrl: new URL(baseUrl).origin, connections: 1 });
    try {
      return await requestToken(
        {
          method: 'POST',
          path: '/oauth/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: formFor(tokenRequest.refreshToken).toString(),
        },
        'issued_token',
        { client, intake, brand, refusal },
        tokenRequest,
      );
    } finally {
      await client.close();
    }
  };
}
