import type { Calendar } from '../../catalogue/calendar.ts';
import { HORIZON_NIGHTS } from '../../catalogue/calendar.ts';
import type { Place, Property } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { createJsonClient, type JsonClient, type OpenClient } from '../../outbound/http-client.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { formatDay, MS_PER_DAY } from '../../stay/day.ts';
import { readCalendars } from '../open/calendar.ts';
import {
  followPages,
  isMissingCall,
  MAX_BOOKINGS_PAGES,
  MAX_PAGES,
  parseBookingsPage,
  parseCataloguePage,
  readBookingEntry,
} from '../open/catalogue.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import { looseList, memberOf } from '../shared/vendors/loose-values.ts';
import { checkQuotes } from './check-quotes.ts';
import {
  type CheckedServer,
  createCheckReport,
  foundText,
  type LastCall,
  type ProtocolCheck,
  type ProtocolReport,
  type ReportFault,
  Skipped,
  UNKNOWN_PROPERTY,
} from './verdict.ts';

type Path = '/catalogue' | '/calendars' | '/quotes' | '/bookings';

type Limits = { readonly timeoutMs: number; readonly maxBytes: number };
const LIMITS: Readonly<Record<Path, Limits>> = {
  '/catalogue': { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  '/calendars': { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  '/quotes': { timeoutMs: 4000, maxBytes: 256 * 1024 },
  '/bookings': { timeoutMs: 30_000, maxBytes: 1024 * 1024 },
};
/** In two days it is tomorrow or later in every time zone, so that rules about today do not interfere. */
const DAYS_AHEAD = 2;
const CALENDAR_BATCH = 100;
/** Enough to find systematic faults without loading everything from a large operator. */
const MAX_HOMES = 300;
const BOOKINGS_REACH_MS = 30 * MS_PER_DAY;

/**
 * Checks a server of the open protocol part by part, with the connector's readers. Stores nothing. Rejects only when the signal aborts.
 */
export async function checkProtocol({
  baseUrl,
  token,
  openClient,
  clock,
  signal,
  onCheck,
}: {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly openClient: OpenClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a part begins. */
  readonly onCheck: (check: ProtocolCheck) => void;
}): Promise<ProtocolReport> {
  const client = createJsonClient({ openClient, baseUrl, token, connections: 1 });
  let last: LastCall = { place: '', milliseconds: 0 };

  async function timed<Answer>(path: string, call: (limits: Limits) => Promise<Answer>): Promise<Answer> {
    const startedAt = clock.elapsed();
    const [name = ''] = path.split('?');
    try {
      return await call(LIMITS[name as Path]);
    } finally {
      const milliseconds = Math.round(clock.elapsed() - startedAt);
      last = { place: shownText(`${methodOf(name)} ${path}`), milliseconds };
    }
  }

  const server: CheckedServer = {
    get: (path, etag = null) => timed(path, (limits) => client.get(path, { ...limits, signal, etag })),
    post: (path, body) => timed(path, (limits) => client.post(path, body, { ...limits, signal })),
  };
  const report = createCheckReport({ lastCall: () => last, signal, onCheck });
  const today = Math.floor(clock.now() / MS_PER_DAY);
  const homes = new Map<string, Property>();
  const calendars = new Map<string, Calendar>();
  let hasBookings = false;
  try {
    await report.run('catalogue', (fault) => checkCatalogue(server, homes, fault));
    await report.run('catalogue_etag', (fault) => checkEtag(server, fault));
    if (homes.size > 0) {
      await report.run('calendars', (fault) => checkCalendars(server, homes, calendars, today, fault));
      await checkQuotes(report, server, { homes, calendars, clock, earliest: today + DAYS_AHEAD });
      await report.run('bookings', async (fault) => {
        const checked = await checkBookings(server, clock.now(), fault);
        hasBookings = true;
        return checked;
      });
    }
    await report.run('authorisation', async (fault) => {
      if (token === null) throw new Skipped('no token was given');
      const asStranger = (stranger: string | null) =>
        createJsonClient({ openClient, baseUrl, token: stranger, connections: 1 });
      return checkStrangers(asStranger, { token, today, hasBookings, signal }, fault);
    });
    return report.report();
  } finally {
    await client.close();
  }
}

function methodOf(path: string): 'GET' | 'POST' {
  return path === '/catalogue' || path === '/bookings' ? 'GET' : 'POST';
}

function documentOf(answer: Awaited<ReturnType<JsonClient['get']>>): OwnedBytes {
  if (answer.kind === 'document') return answer.bytes;
  throw new BookingSystemFailure('garbled', 'the status 304 for a request without If-None-Match');
}

/** Fills `homes` with those that can be offered. */
async function checkCatalogue(
  server: CheckedServer,
  homes: Map<string, Property>,
  fault: ReportFault,
): Promise<string> {
  const listings: unknown[] = [];
  await followPages({ of: 'the catalogue', first: '/catalogue', max: MAX_PAGES }, async (path) => {
    const page = parseCataloguePage(documentOf(await server.get(path)));
    listings.push(...page.properties);
    return page.next_page;
  });
  if (listings.length === 0) fault({ path: 'properties', found: 'no listing', expected: 'at least one' });
  const context = networkOf(listings);
  for (const [index, listing] of listings.entries()) {
    const { property, rejections } = readListing(listing, context);
    const isRepeated = property !== null && homes.has(property.reference);
    if (property && !isRepeated) homes.set(property.reference, property);
    const place = `properties/${index}${property ? ` (${property.reference})` : ''}`;
    for (const { field, rule, reason, value, repaired } of isRepeated
      ? [listedBefore(property.reference)]
      : rejections) {
      // A repeated listing hides another home; a repair costs only a part of one.
      const isWarning = repaired === true && !isRepeated;
      fault({ path: `${place} ${field}`, rule, found: foundText(reason, value), isWarning });
    }
  }
  return `${homes.size} ${homes.size === 1 ? 'listing' : 'listings'}, on ${context.hosts.map(shownText).join(', ')}`;
}

/** A network of the places and hosts of the listings: the server need not belong to one yet. */
function networkOf(listings: readonly unknown[]): ListingContext {
  const hosts = new Set<string>();
  const places = new Map<string, Place>();
  for (const listing of listings) {
    const addresses = [listing, ...looseList(memberOf(listing, 'images'))].map((one) => memberOf(one, 'url'));
    for (const address of addresses) hosts.add(URL.parse(String(address))?.host ?? '');
    const [id, currency] = [memberOf(listing, 'place'), memberOf(listing, 'currency')];
    if (typeof id !== 'string' || typeof currency !== 'string') continue;
    if (id === '' || places.has(id) || !/^[A-Z]{3}$/.test(currency)) continue;
    places.set(id, { id, name: id, aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency });
  }
  hosts.delete('');
  return { brand: 'check', hosts: [...hosts], placeAliases: new Map(), places };
}

async function checkEtag(server: CheckedServer, fault: ReportFault): Promise<string> {
  const page = await server.get('/catalogue');
  if (page.kind === 'unchanged') throw new Skipped('the server answers 304 without being asked');
  const expected = 'an ETag in quotes, so that a catalogue that has not changed need not be sent again';
  if (page.etag === null) {
    fault({ found: 'no valid ETag', expected, isWarning: true });
    return '';
  }
  const again = await server.get('/catalogue', page.etag);
  if (again.kind === 'document' && again.digest === page.digest) {
    fault({ found: 'the same page once more', expected: '304 for the current ETag in If-None-Match' });
  }
  return page.etag;
}

/** Reads the calendars of the first homes. Fills `calendars` with the readable ones, from which sample stays are taken. */
async function checkCalendars(
  server: CheckedServer,
  homes: ReadonlyMap<string, Property>,
  calendars: Map<string, Calendar>,
  today: number,
  fault: ReportFault,
): Promise<string> {
  const horizon = { from: today, nights: HORIZON_NIGHTS };
  const first = [...homes.values()].slice(0, MAX_HOMES);
  for (let at = 0; at < first.length; at += CALENDAR_BATCH) {
    const batch = first.slice(at, at + CALENDAR_BATCH);
    const currencies = new Map(batch.map(({ reference, currency }) => [reference, currency]));
    const asked = [...currencies.keys()];
    const body = { properties: asked, from: formatDay(today), nights: horizon.nights };
    const { bytes } = await server.post('/calendars', body);
    for (const [reference, reading] of readCalendars(bytes, { asked, horizon, currencies })) {
      if (reading.kind === 'valid') {
        calendars.set(reference, reading.value);
        if (!reading.value.available.includes(1)) {
          const expected = 'free nights: a home without any is never offered';
          fault({ path: reference, found: 'no night that is available', expected, isWarning: true });
        }
        continue;
      }
      for (const { field = '', rule, reason, value } of reading.faults) {
        fault({ path: `${reference} ${field}`, rule, found: foundText(reason, value) });
      }
    }
  }
  return `${calendars.size} calendars`;
}

/** Reads the bookings of the last month; skipped when the server does not offer them. */
async function checkBookings(server: CheckedServer, now: number, fault: ReportFault): Promise<string> {
  const first = `/bookings?since=${encodeURIComponent(new Date(now - BOOKINGS_REACH_MS).toISOString())}`;
  let bookings = 0;
  await followPages({ of: 'bookings', first, max: MAX_BOOKINGS_PAGES }, async (path) => {
    const answer = await server.get(path).catch((failure: unknown) => {
      if (path === first && isMissingCall(failure)) throw new Skipped('the server does not report bookings');
      throw failure;
    });
    const page = parseBookingsPage(documentOf(answer));
    for (const [index, entry] of page.bookings.entries()) {
      const reading = readBookingEntry(entry, { brand: 'check', now });
      if (reading.kind === 'valid') {
        bookings += 1;
        continue;
      }
      for (const one of reading.faults) {
        const member = 'member' in one ? one.member : one.path;
        const expected = 'remedy' in one ? one.remedy : 'a booking that follows the schema';
        fault({ path: `bookings/${index}/${member}`, found: one.reason, expected });
      }
    }
    return page.next_page;
  });
  return `${bookings} bookings`;
}

/** Makes each call without the token, and with a wrong one: the server must refuse it. */
async function checkStrangers(
  openAs: (token: string | null) => JsonClient,
  {
    token,
    today,
    hasBookings,
    signal,
  }: {
    readonly token: string;
    readonly today: number;
    readonly hasBookings: boolean;
    readonly signal: AbortSignal;
  },
  fault: ReportFault,
): Promise<string> {
  const [from, to] = [formatDay(today + 30), formatDay(today + 32)];
  const properties = [UNKNOWN_PROPERTY];
  const calls: readonly (readonly [Path, body: unknown])[] = [
    ['/catalogue', undefined],
    ['/calendars', { properties, from, nights: 2 }],
    ['/quotes', { properties, check_in: from, check_out: to, guests: 1, currency: 'EUR' }],
    ...(hasBookings ? [['/bookings', undefined] as const] : []),
  ];
  // As long as the server's token, to detect a server that compares only the length.
  const strangers = { 'without the token': null, 'with another token': 'x'.repeat(token.length) };
  let answers = 0;
  for (const [whose, stranger] of Object.entries(strangers)) {
    const client = openAs(stranger);
    for (const [path, body] of calls) {
      const options = { ...LIMITS[path], signal };
      const answer = body === undefined ? client.get(path, options) : client.post(path, body, options);
      const status = await answer.then(() => 200).catch(statusOf);
      if (status === undefined) continue;
      answers += 1;
      if (status === 401) continue;
      const call = { place: `${methodOf(path)} ${path} ${whose}`, milliseconds: null };
      fault({ call, found: `the status ${status}`, expected: 'the status 401', isWarning: status >= 400 });
    }
    await client.close();
  }
  if (answers === 0) throw new Skipped('the server did not answer');
  return 'refused';
}

function statusOf(failure: unknown): number | undefined {
  if (failure instanceof BookingSystemFailure) return failure.status;
  throw failure;
}
