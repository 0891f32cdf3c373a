import { Type } from 'typebox';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import { valid } from '../../parsing/reading.ts';
import type { BookingSystem, CalendarReadings, Horizon, QuoteOutcome } from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import type { MappedAmenities } from '../shared/listings/amenities.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import { createKnownListings } from '../shared/listings/known-listings.ts';
import {
  type CallPass,
  openVendorAccount,
  readPages,
  type VendorAnswer,
  type VendorCall,
  type VendorCalls,
} from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import {
  type AskedStayTerms,
  createVendorSystem,
  listingBatches,
  unavailableStay,
} from '../shared/vendors/vendor-system.ts';
import { type BookingsyncCredentials, bookingsyncConventions, issueBookingsyncToken } from './auth.ts';
import {
  type BookingsyncCalendarPart,
  type BookingsyncCalendarResource,
  bookingsyncCalendar,
} from './calendar.ts';
import type { KnownRental } from './catalogue.ts';

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
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for rentals whose own policy has neither a text nor a preset. Left out: such rentals publish none.',
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
      cancellationText: entry.cancellation_text ?? null,
    });
  },
  connect: createBookingsyncBookingSystem,
});

type BookingsyncConnection = AccountSettings & {
  readonly credentials: BookingsyncCredentials;
  readonly accountId: string | null;
  readonly language: string;
  readonly cancellationText: string | null;
};

/** The largest page in the vendor's samples; the vendor sends fewer records where its limit is lower. */
const PER_PAGE = 100;
/** So many numbers fit into an address. */
const RENTALS_AT_ONCE = 50;
const MAX_PAGES = 1000;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Many times the number of amenities that the vendor has published. */
const MAX_AMENITIES = 2000;
/** More than a thousand rates take. */
const CALENDAR_BYTES_PER_RENTAL = 768 * 1024;
/** A rental in a search lists its prices, fees and taxes, named in every language: a few kilobytes. */
const SEARCH_BYTES_PER_RENTAL = 16 * 1024;
const SEARCH_BYTES = 64 * 1024;

/** BookingSync, now Smily, through version 3 of its API. */
function createBookingsyncBookingSystem(
  connection: BookingsyncConnection,
  tools: ConnectTools,
): BookingSystem {
  const { baseUrl, accountId, language, cancellationText, limits } = connection;
  const { context, clock, openClient, intake, budget, stored } = tools;
  const { clientId, clientSecret, authorization } = connection.credentials;
  const { calls, ...shared } = openVendorAccount(connection, tools, {
    vendor: 'bookingsync',
    client: openClient({ baseUrl, connections: limits.concurrency }),
    conventions: bookingsyncConventions(clock),
    clientId,
    // Includes the refresh token, so that a new authorization does not reuse the token of an old one.
    secret: [clientId, clientSecret, authorization?.refreshToken ?? ''].join('\n'),
    issue: issueBookingsyncToken(connection, tools),
  });
  const readList = createReadList(calls);
  const known = createKnownListings<KnownRental>(stored('rentals'));

  async function readCatalogue(pass: CallPass): Promise<CatalogueReading> {
    const gather = createGatherListings({ intake, context, budget });
    const amenities = new Map<string, MappedAmenities>();
    const parameters = null;
    await readList({ path: '/amenities', task: 'bookingsync_amenities', parameters, ...pass }, (answer) => {
      gather.sent(answer.bytes);
      const before = amenities.size;
      for (const [id, mapped] of answer.items) amenities.set(id, mapped);
      // Stop at a page without a new amenity.
      return amenities.size > before && amenities.size < MAX_AMENITIES;
    });
    const rentals = new Map<string, KnownRental>();
    await readList(
      {
        path: '/rentals?include=photos,rentals_amenities,rental_cancelation_policy',
        task: 'bookingsync_rentals',
        parameters: { ...gather.parameters, language, accountId, amenities, cancellationText },
        ...pass,
        sent: gather.sent,
        take(some, weight) {
          gather.take(some, weight);
          for (const { property, known: rental } of some) {
            if (property && rental && !rentals.has(property.reference))
              rentals.set(property.reference, rental);
          }
        },
      },
      ({ summary }) => {
        gather.ended(summary);
        return true;
      },
    );
    await known.keep(rentals);
    return gather.reading();
  }

  /** Makes three calls for a batch: availability, arrival and departure days, and rates, which may have several pages. */
  async function readCalendars(
    rentals: ReadonlyMap<string, KnownRental>,
    horizon: Horizon,
    pass: CallPass,
  ): Promise<CalendarReadings> {
    const all = [...rentals.values()];
    const parts = new Map<string, BookingsyncCalendarPart[]>(Array.from(rentals.keys(), (id) => [id, []]));
    const currencies = new Map(Array.from(rentals, ([reference, { currency }]) => [reference, currency]));
    const read = (resource: BookingsyncCalendarResource, path: string) =>
      readList(
        {
          path: `/${resource}${path}`,
          task: 'bookingsync_calendars',
          parameters: { resource, horizon, currencies },
          ...pass,
          maxBytes: CALENDAR_BYTES_PER_RENTAL * rentals.size,
        },
        ({ items }) => {
          for (const part of items) parts.get(part.rental)?.push(part);
          return true;
        },
      );
    const maps = all.flatMap(({ availability }) => availability ?? []);
    const changes = all.flatMap(({ changeOver }) => changeOver ?? []);
    const query = `?from=${compactDay(horizon.from)}&priced_only=true`;
    if (maps.length > 0) await read('availabilities', `/${maps.join()}${query}`);
    if (changes.length > 0) await read('change_overs', `/${changes.join()}`);
    await read('rates', `?rental_id=${[...rentals.keys()].join()}`);
    return new Map(
      Array.from(rentals, ([reference, rental]) => [
        reference,
        bookingsyncCalendar(parts.get(reference) ?? [], horizon, rental),
      ]),
    );
  }

  async function quoteStays(
    rentals: ReadonlyMap<string, KnownRental>,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]> {
    const { checkIn, checkOut, guests, currency } = stay;
    const asked = [...rentals.keys()];
    const query = new URLSearchParams({
      start_at: compactDay(checkIn),
      end_at: compactDay(checkOut),
      adults: String(guests),
      guests: String(guests),
      rental_id: asked.join(),
    });
    const answered = new Map<string, QuoteOutcome>();
    await readList(
      {
        path: `/rentals/search?${query}`,
        task: 'bookingsync_search',
        parameters: { asked, currency, language },
        signal,
        live: stay,
        maxBytes: SEARCH_BYTES + SEARCH_BYTES_PER_RENTAL * asked.length,
      },
      ({ items }) => {
        for (const outcome of items) answered.set(outcome.reference, outcome);
        return answered.size < asked.length;
      },
    );
    // The vendor lists only bookable rentals, and gives no reason for the others.
    return asked.map((reference) => answered.get(reference) ?? unavailableStay(reference, 'not_offered'));
  }

  return createVendorSystem({
    vendor: {
      ...shared,
      readCatalogue,
      calendarBatches: (rentals) => listingBatches(rentals, RENTALS_AT_ONCE),
      readCalendars,
      quoteBatches: (rentals) => listingBatches(rentals, limits.batchSize),
      quoteStays,
    },
    known,
    clock,
  });
}

/** The tasks that read a page of a list. */
type ListTask =
  | 'bookingsync_amenities'
  | 'bookingsync_rentals'
  | 'bookingsync_calendars'
  | 'bookingsync_search';

/** A path without the page number. */
type List<Name extends ListTask> = Omit<VendorCall<Name>, 'maxBytes'> & {
  /** For all pages together. */
  readonly maxBytes?: number;
};

/** Reads the pages of a list one after the other, by page number: addresses in the vendor's headers are never followed. */
function createReadList(calls: Pick<VendorCalls, 'read'>) {
  return async <Name extends ListTask>(
    { path, maxBytes = Number.POSITIVE_INFINITY, ...call }: List<Name>,
    /** Returns whether to read the next page. */
    onPage: (answer: VendorAnswer<Name>) => boolean,
  ): Promise<void> => {
    let bytesLeft = maxBytes;
    await readPages({ of: 'a list', max: MAX_PAGES }, async (index) => {
      const query = `${path.includes('?') ? '&' : '?'}page=${index + 1}&per_page=${PER_PAGE}`;
      const limit = Math.min(MAX_PAGE_BYTES, bytesLeft);
      const answer = await calls.read<Name>({ ...call, path: path + query, maxBytes: limit });
      bytesLeft -= answer.bytes;
      const isMoreWanted = onPage(answer);
      const isLast =
        index + 1 >= Number(answer.header('x-total-pages') ?? 0) &&
        !/;\s*rel="?next"?/.test(answer.header('link') ?? '');
      return { isLast: isLast || !isMoreWanted };
    });
  };
}

/** The format of the vendor's examples: 20270324. */
function compactDay(day: number): string {
  return formatDay(day).replaceAll('-', '');
}
