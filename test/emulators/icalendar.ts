import { createHash } from 'node:crypto';
import { type Emulator, type EmulatorOptions, type FaultPlace, startEmulator } from './emulator.ts';
import type { EmulatedAnswer, EmulatedRequest } from './exchange.ts';
import type { FaultKind } from './faults.ts';
import { type FeedDates, type FeedDialect, type FeedEvent, writeFeed } from './icalendar/feed.ts';
import { createWorld } from './world.ts';

export type IcalendarOptions = EmulatorOptions & {
  /** Who writes the feed of a home; Airbnb unless told. */
  readonly dialectOf?: (id: number) => FeedDialect;
  readonly dates?: FeedDates;
};

/** Feeds tell which nights are taken and nothing else: `priceOf` is what a rate card of the same home has to come to. */
export type IcalendarEmulator = Emulator & {
  /** The secret address that the owner copies from the calendar's settings. */
  feedUrl(id: number): string;
  /** Nights that the owner keeps closed. */
  block(id: number, from: string, to: string): void;
  /** An event that was cancelled, and is still in the feed: its nights are free. */
  addCancelled(id: number, from: string, to: string): void;
};

const SECRET = 'emulated-feed-secret';
const PATHS: Readonly<Record<FeedDialect, (id: number) => string>> = {
  airbnb: (id) => `/calendar/ical/${id}.ics?s=${SECRET}`,
  vrbo: (id) => `/icalendar/${id}.ics?nonTentative=&s=${SECRET}`,
  booking: (id) => `/v1/export?t=${id}-${SECRET}`,
};

export async function startIcalendar(options: IcalendarOptions): Promise<IcalendarEmulator> {
  const world = createWorld(options.homes, options.now);
  const dialectOf = options.dialectOf ?? (() => 'airbnb' as const);
  const events = new Map(world.homes.map(({ id }) => [id, [] as FeedEvent[]]));
  const changedAt = new Map(world.homes.map(({ id }) => [id, options.now()]));
  const byAddress = new Map(world.homes.map((home) => [addressOf(PATHS[dialectOf(home.id)](home.id)), home]));
  let garbled = false;

  function add(id: number, event: FeedEvent): void {
    if (event.kind !== 'cancelled') world.book(id, event.from, event.to);
    events.get(id)?.push(event);
    changedAt.set(id, options.now());
  }

  function route(request: EmulatedRequest): EmulatedAnswer {
    const home = byAddress.get(addressOf(request));
    if (!home || request.method !== 'GET') return notFound();
    const body = writeFeed(home, events.get(home.id) ?? [], {
      dialect: dialectOf(home.id),
      dates: options.dates ?? 'days',
      changedAt: changedAt.get(home.id) ?? 0,
      garbled,
    });
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
    return { status: 200, headers: { 'content-type': 'text/calendar; charset=utf-8', etag }, body };
  }

  const emulator = await startEmulator({
    options,
    world,
    name: 'iCalendar',
    basePath: '',
    credentials: {},
    documentedLimits: [],
    kindOf: () => 'calendar',
    route,
    tooManyRequests: ({ resetsInMs }) => ({
      status: 429,
      headers: { 'content-type': 'text/plain', 'retry-after': String(Math.ceil(resetsInMs / 1000)) },
      body: 'Too many requests',
    }),
    // An address that was reset in the settings is simply gone.
    expiredToken: notFound,
    tokensIssued: () => 0,
    expireTokens: () => undefined,
    referenceOf: (id) => {
      if (!world.home(id)) throw new RangeError(`there is no home ${id}`);
      return String(id);
    },
  });
  const { setFault } = emulator;
  return Object.assign(emulator, {
    feedUrl: (id: number) => `${emulator.url}${PATHS[dialectOf(id)](id)}`,
    book: (id: number, from: string, to: string) => add(id, { from, to, kind: 'reservation' }),
    block: (id: number, from: string, to: string) => add(id, { from, to, kind: 'block' }),
    addCancelled: (id: number, from: string, to: string) => add(id, { from, to, kind: 'cancelled' }),
    setFault(fault: FaultKind | null, where: FaultPlace = 'all') {
      // A feed has no types of JSON to swap; its dates become words.
      garbled = fault === 'wrong_types' && (where === 'all' || where === 'calendar');
      setFault(fault === 'wrong_types' ? null : fault, where);
    },
  });
}

/** The path and its secret, whatever the order of the query. */
function addressOf(request: EmulatedRequest | string): string {
  const { path, query } =
    typeof request === 'string'
      ? { path: request.split('?')[0], query: new URLSearchParams(request.split('?')[1]) }
      : request;
  return `${path} ${query.get('s') ?? query.get('t')}`;
}

function notFound(): EmulatedAnswer {
  return { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<h1>Not found</h1>' };
}
