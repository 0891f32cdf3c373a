import { Type } from 'typebox';
import type { BrandBudget } from '../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { inTurns } from '../../limits/event-loop.ts';
import { failureOf } from '../../outbound/read-answer.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { valid } from '../../parsing/reading.ts';
import type { BookingSystem } from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ConnectTools } from '../connector.ts';
import { pauseOf } from '../shared/account/account-budget.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import type { AccountSettings } from '../shared/account/account-entry.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';
import type { Intake } from '../shared/intake/intake.ts';
import { createGatherListings, type GatherListings } from '../shared/listings/gather-listings.ts';
import { createKnownListings, type KnownListing, knownFrom } from '../shared/listings/known-listings.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import {
  type CallPass,
  openVendorAccount,
  readPages,
  type VendorAnswer,
  type VendorCall,
} from '../shared/vendors/vendor-calls.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createVendorSystem, oneByOne } from '../shared/vendors/vendor-system.ts';
import { lodgifyCalendar } from './calendar.ts';
import {
  isOfOneHome,
  type LodgifyAnswerEnd,
  type LodgifyDetails,
  type LodgifyHome,
  type LodgifyProperty,
  type LodgifyReadHome,
  LodgifyRefusal,
  type LodgifyRoom,
  type LodgifySettings,
  type LodgifyTerms,
  lodgifyListing,
  notOneHome,
  notRead,
} from './catalogue.ts';
import type { lodgifyTasks } from './quote.ts';

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
      'The operator’s policy, word for word, for prices that state none.',
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
const PAGE_SIZE = 50;
const MAX_PAGES = 400;
/** On all pages, active or not, because an answer may ignore the requested page size. */
const MAX_LISTED = MAX_PAGES * PAGE_SIZE;
const PAGE_BYTES = 8 * 1024 * 1024;
const ROOM_BYTES = 2 * 1024 * 1024;
const CALENDAR_BYTES = 4 * 1024 * 1024;
const QUOTE_BYTES = 256 * 1024;
/** The vendor documents status 500 for every failed call; other statuses were seen with the same envelope. */
const STATUSES_WITH_A_CODE = [400, 401, 403, 404, 409, 422, 500];

/** Prices need the room of a home. */
type LodgifyKnown = KnownListing & { readonly room?: string };

/** The tasks whose summary has the vendor's error code. */
type LodgifyTask = Exclude<keyof typeof lodgifyTasks, 'lodgify_quote'>;

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
  const known = createKnownListings<LodgifyKnown>(stored('homes'));
  const readCatalogue = createLodgifyCatalogueReader({
    calls: { properties, room, settings },
    intake,
    context,
    budget,
    clock,
    terms,
    parallel: PARALLEL,
  });

  async function read<Name extends LodgifyTask>(
    { calls }: Pick<typeof v2, 'calls'>,
    call: VendorCall<Name>,
  ): Promise<VendorAnswer<Name>> {
    const answer = await calls.read({ ...call, statuses: STATUSES_WITH_A_CODE });
    const { status } = answer;
    // Each of these tasks returns this summary.
    const { errorCode } = answer.summary as LodgifyAnswerEnd;
    if (errorCode !== null || isAboutKey(status)) throw lodgifyRefusal(errorCode, status, account);
    if (status !== 200) throw failureOf(status);
    return answer;
  }

  async function properties(pass: CallPass, sent: SentBytes): Promise<readonly LodgifyProperty[]> {
    const found: LodgifyProperty[] = [];
    let listed = 0;
    await readPages({ of: 'properties', max: MAX_PAGES }, async (page) => {
      const { items, summary } = await read(v2, {
        path: `/properties?page=${page + 1}&size=${PAGE_SIZE}&includeCount=true&includeInOut=false`,
        task: 'lodgify_properties',
        parameters: null,
        maxBytes: PAGE_BYTES,
        ...pass,
        sent,
      });
      listed += summary.listed;
      if (listed > MAX_LISTED) {
        throw new BookingSystemFailure('too_large', `the catalogue has more than ${MAX_LISTED} properties`);
      }
      for (const item of items) found.push(item);
      const isLast = summary.count === null ? summary.listed < PAGE_SIZE : listed >= summary.count;
      return { isLast: isLast || summary.listed === 0 };
    });
    return found;
  }

  async function room(property: string, id: string, pass: CallPass, sent: SentBytes) {
    const path = `/properties/${property}/rooms/${id}`;
    const call = { path, task: 'lodgify_room', parameters: null, maxBytes: ROOM_BYTES } as const;
    return (await read(v1, { ...call, ...pass, sent })).items[0];
  }

  async function settings(property: string, pass: CallPass, sent: SentBytes) {
    const path = `/rates/settings?houseId=${property}`;
    const call = { path, task: 'lodgify_settings', parameters: null, maxBytes: ROOM_BYTES } as const;
    return (await read(v2, { ...call, ...pass, sent })).items[0];
  }

  return createVendorSystem({
    clock,
    known,
    vendor: {
      ...v2,
      async readCatalogue(pass) {
        const { reading, rooms } = await readCatalogue(pass);
        const limits = new Map(
          [...rooms].map(([home, ofHome]) => [home, { room: ofHome, minimumStay: null, maximumStay: null }]),
        );
        await known.keep(await knownFrom(reading.properties, limits));
        return reading;
      },
      ...oneByOne<LodgifyKnown>({
        async readCalendar(reference, { room: ofHome = '', currency }, horizon, pass) {
          const [first, last] = [horizon.from, horizon.from + horizon.nights - 1].map(formatDay);
          const availability = await read(v2, {
            path: `/availability/${reference}/${ofHome}?start=${first}&end=${last}&includeDetails=false`,
            task: 'lodgify_availability',
            parameters: { room: ofHome },
            maxBytes: CALENDAR_BYTES,
            ...pass,
          });
          const rates = await read(v2, {
            path: `/rates/calendar?RoomTypeId=${ofHome}&HouseId=${reference}&StartDate=${first}&EndDate=${last}`,
            task: 'lodgify_rates',
            parameters: { horizon },
            maxBytes: CALENDAR_BYTES,
            ...pass,
          });
          return lodgifyCalendar(availability.items[0], rates.items[0], horizon, currency);
        },
        async quoteStay(live, signal) {
          const { reference, listing, checkIn, checkOut, guests, currency } = live;
          const days = `arrival=${formatDay(checkIn)}&departure=${formatDay(checkOut)}`;
          // `People` is deprecated, and the breakdown is newer than the answers that were seen, so send both.
          const party = `roomTypes[0].People=${guests}&roomTypes[0].guest_breakdown.adults=${guests}`;
          const { items, status } = await v2.calls.read({
            path: `/quote/${reference}?${days}&roomTypes[0].Id=${listing.room ?? ''}&${party}`,
            task: 'lodgify_quote',
            parameters: {
              property: reference,
              checkIn,
              checkOut,
              currency,
              cancellationText: terms.cancellationText,
            },
            maxBytes: QUOTE_BYTES,
            statuses: STATUSES_WITH_A_CODE,
            signal,
            live,
          });
          if (isAboutKey(status)) throw lodgifyRefusal(null, status, account);
          if (items[0]) return items[0];
          if (status !== 200) throw failureOf(status);
          throw new BookingSystemFailure('garbled', 'the answer is not a quote');
        },
      }),
      async close() {
        await Promise.all([v1.close(), v2.close()]);
      },
    },
  });
}

const NOT_AUTHORIZED = 999;

function isAboutKey(status: number): boolean {
  return status === 401 || status === 403;
}

function lodgifyRefusal(code: number | null, status: number, account: string): BookingSystemFailure {
  return code === NOT_AUTHORIZED || isAboutKey(status)
    ? new CredentialsRefused(`Lodgify does not accept the api_key of the account ${account}`)
    : new LodgifyRefusal(code);
}

/** The calls that a reading of the catalogue makes. `sent` counts bytes, and throws when the brand's budget is exceeded. */
export type LodgifyCatalogueCalls = {
  /** Active properties, read page by page. */
  properties(pass: CallPass, sent: SentBytes): Promise<readonly LodgifyProperty[]>;
  room(property: string, room: string, pass: CallPass, sent: SentBytes): Promise<LodgifyRoom | undefined>;
  settings(property: string, pass: CallPass, sent: SentBytes): Promise<LodgifySettings | undefined>;
};
export type SentBytes = (bytes: number) => void;

/** Details of an unchanged home are read again after this time. */
const MAX_DETAILS_AGE_MS = 6 * 3_600_000;
/** After this many homes in a row failed without a refusal from the vendor, the vendor counts as failing. */
const MAX_FAILURES_IN_A_ROW = 10;
/** Reporting this many takes the event loop less than a millisecond. */
const PROPERTIES_PER_TURN = 200;

/** Reads the list of properties, then the room and the settings of each. Returns the room of each accepted home too. */
export function createLodgifyCatalogueReader({
  calls,
  intake,
  context,
  budget,
  clock,
  terms,
  parallel,
}: {
  readonly calls: LodgifyCatalogueCalls;
  readonly intake: Intake;
  readonly context: ListingContext;
  readonly budget: BrandBudget;
  readonly clock: Clock;
  readonly terms: LodgifyTerms;
  /** How many properties are read at a time. */
  readonly parallel: number;
}): (pass: CallPass) => Promise<{ reading: CatalogueReading; rooms: ReadonlyMap<string, string> }> {
  let lastDetails: ReadonlyMap<string, LodgifyDetails> = new Map();

  return async (pass) => {
    const gathered = createGatherListings({ intake, context, budget });
    const homes = await homesIn(await calls.properties(pass, gathered.sent), gathered);
    const rooms = new Map<string, string>();
    const details = new Map<string, LodgifyDetails>();
    let cachedBytes = 0;
    /** Size of the answers that are not counted yet. */
    let bytes = 0;
    let lastFailure: BookingSystemFailure | undefined;
    let failuresInARow = 0;
    let isAnyRead = false;

    async function read(home: LodgifyHome): Promise<LodgifyReadHome | undefined> {
      const last = lastDetails.get(home.id);
      const now = clock.elapsed();
      const isFresh = last?.updatedAt === home.updatedAt && now - last.readAt < MAX_DETAILS_AGE_MS;
      try {
        if (last && isFresh) {
          isAnyRead = true;
          return { home, details: last };
        }
        const sent = (more: number) => {
          bytes += more;
        };
        const room = await calls.room(home.id, home.room, pass, sent);
        const settings = await calls.settings(home.id, pass, sent);
        failuresInARow = 0;
        isAnyRead = true;
        return { home, details: { room, settings, updatedAt: home.updatedAt, readAt: now } };
      } catch (failure) {
        if (!isOfOneHome(failure)) throw failure;
        lastFailure = failure;
        failuresInARow = failure instanceof LodgifyRefusal ? 0 : failuresInARow + 1;
        if (failuresInARow >= MAX_FAILURES_IN_A_ROW) throw failure;
        gathered.rejections([notRead(home, failure, last !== undefined)]);
        // A failed call does not mean that the home is gone.
        return last && { home, details: last };
      }
    }

    for (let from = 0; from < homes.length; from += parallel) {
      const some = (await Promise.all(homes.slice(from, from + parallel).map(read))).filter(
        (home) => home !== undefined,
      );
      // Count here and not per answer: exceeding the budget is not a fault of the home that was read last.
      gathered.sent(bytes);
      bytes = 0;
      const listings = some.map((home) => {
        const { listing, unmapped } = lodgifyListing(home, terms, context);
        gathered.unmapped.add(home.home.id, unmapped);
        return listing;
      });
      await gathered.add(listings, pass.signal);
      for (const { home, details: ofHome } of some) {
        // The first of several homes with the same number counts, and a rejected one may have any size.
        if (!gathered.has(home.id) || rooms.has(home.id)) continue;
        rooms.set(home.id, home.room);
        cachedBytes += weightOf(ofHome);
        if (cachedBytes <= budget.bytes) details.set(home.id, ofHome);
      }
    }
    // A failure for every home is a failure of the vendor.
    if (lastFailure && !isAnyRead) throw lastFailure;
    lastDetails = details;
    return { reading: gathered.reading(), rooms };
  };
}

/** Rejects properties that do not have exactly one room type. */
async function homesIn(
  properties: readonly LodgifyProperty[],
  gathered: Pick<GatherListings, 'rejections'>,
): Promise<readonly LodgifyHome[]> {
  const homes: LodgifyHome[] = [];
  await inTurns(properties, PROPERTIES_PER_TURN, (property) => {
    const { room, roomTypes } = property;
    if (room === null || roomTypes > 1) gathered.rejections([notOneHome(property)]);
    else homes.push({ ...property, room });
  });
  return homes;
}
