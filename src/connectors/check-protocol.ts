import { type Calendar, HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { Property } from '../catalogue/catalogue.ts';
import { shownText } from '../catalogue/rejections/rejected-value.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { OpenClient } from '../outbound/operator-client.ts';
import type { Horizon } from '../quotes/booking-system.ts';
import { formatDay, MS_PER_DAY, parseDay } from '../stay/day.ts';
import { bookingsPath, MAX_BOOKINGS_PAGES, pageParameter } from './open/bookings.ts';
import { readCalendars } from './open/calendar.ts';
import { parseBookingsPage, readBookingEntry } from './open/protocol.ts';
import {
  type CallPath,
  type CallServer,
  checkStrangers,
  createCallServer,
  methodOf,
  UNKNOWN_PROPERTY,
} from './protocol-check/call-server.ts';
import { checkCatalogue, ruleOfDocument } from './protocol-check/check-catalogue.ts';
import { checkQuotes } from './protocol-check/check-quotes.ts';
import { EXAMPLE_PERIOD, exampleAt, foundText } from './protocol-check/every-fault.ts';
import {
  type CheckFault,
  createVerdictCollector,
  type ProtocolCheck,
  type ProtocolReport,
  type ProtocolRule,
  type VerdictCollector,
} from './protocol-check/verdict.ts';
import { parseDocument } from './shared/intake/parse-document.ts';
import type { ListingContext } from './shared/listings/listing.ts';

const NEEDED_CALLS = ['/catalogue', '/calendars', '/quotes'] as const satisfies readonly CallPath[];
/** In two days it is tomorrow or later in every time zone, so that rules about today do not interfere. */
const DAYS_AHEAD = 2;
/** Half of the limit: above it, a busy hour is enough to fail. */
const MAX_EASY_MS: Readonly<Record<CallPath, number>> = {
  '/catalogue': 15_000,
  '/calendars': 15_000,
  '/quotes': 2000,
  '/bookings': 15_000,
};

/**
 * Checks a server of the open protocol against every rule, with the connector's readers, and lists every fault with its place. Stores
 * nothing. Rejects only when the signal aborts.
 */
export async function checkProtocol({
  baseUrl,
  token,
  openClient,
  clock,
  signal,
  network = null,
  onCheck = () => undefined,
}: {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly openClient: OpenClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The brand's hosts and the network's places; by default those that the listings name. */
  readonly network?: ListingContext | null;
  /** Called when a check begins. */
  readonly onCheck?: (check: ProtocolCheck) => void;
}): Promise<ProtocolReport> {
  const collector = createVerdictCollector(onCheck);
  const client = openClient({ baseUrl, connections: 1 });
  const today = Math.floor(clock.now() / MS_PER_DAY);
  try {
    const server = createCallServer({ client, token, clock, collector, signal });
    const homes = await checkCatalogue(server, collector, network);
    const calendars = await checkCalendars(server, collector, homes, { from: today, nights: HORIZON_NIGHTS });
    const samples = homes.flatMap((home) => {
      const calendar = calendars.get(home.reference);
      return calendar ? [{ home, calendar }] : [];
    });
    await checkQuotes(server, collector, samples, { clock, earliest: today + DAYS_AHEAD });
    const hasBookings = homes.length > 0 && (await checkBookings(server, collector, clock.now()));
    const paths: readonly CallPath[] = [...NEEDED_CALLS, ...(hasBookings ? (['/bookings'] as const) : [])];
    await checkStrangers(server, collector, { token, today, paths });
    checkTiming(collector, server.slowest());
    return collector.report();
  } finally {
    await client.close();
  }
}

function checkTiming(collector: VerdictCollector, slowest: ReadonlyMap<CallPath, number>): void {
  if (slowest.size > 0) collector.begin('timing');
  for (const [path, milliseconds] of slowest) {
    if (milliseconds <= MAX_EASY_MS[path]) continue;
    const place = `${methodOf(path)} ${path}`;
    const found = `${milliseconds} ms`;
    collector.fault('timing', { place, rule: 'slow', found, milliseconds, isWarning: true });
  }
  collector.passed('timing', Array.from(slowest, ([path, ms]) => `${path} ${ms} ms`).join(', '));
}

const BATCH = 100;
/** Enough to find systematic faults without loading everything from a large operator. */
const MAX_HOMES = 300;

/** Reads the calendars of the first homes. Sample stays are taken from the readable ones. */
async function checkCalendars(
  server: CallServer,
  collector: VerdictCollector,
  homes: readonly Property[],
  horizon: Horizon,
): Promise<ReadonlyMap<string, Calendar>> {
  const calendars = new Map<string, Calendar>();
  for (let at = 0; at < Math.min(homes.length, MAX_HOMES); at += BATCH) {
    collector.begin('calendars');
    const batch = homes.slice(at, at + BATCH);
    const answer = await ask(
      server,
      collector,
      batch.map(({ reference }) => reference),
      horizon,
    );
    if (answer === undefined) return calendars;
    checkBatch({ ...answer, batch, horizon, calendars }, collector);
  }
  if (homes.length > 0) {
    collector.begin('calendars_unknown_property');
    const answer = await ask(server, collector, [UNKNOWN_PROPERTY], horizon, 'calendars_unknown_property');
    for (const { property } of answer?.entries ?? []) {
      const found = `a calendar for ${shownText(String(property))}`;
      report(collector, 'not_asked_for', { check: 'calendars_unknown_property', place: 'calendars', found });
    }
  }
  collector.passed('calendars', `${calendars.size} calendars`);
  return calendars;
}

type CalendarsRead = {
  readonly bytes: Uint8Array;
  readonly entries: readonly { readonly property?: unknown; readonly periods?: unknown }[];
  readonly milliseconds: number;
};

async function ask(
  server: CallServer,
  collector: VerdictCollector,
  references: readonly string[],
  horizon: Horizon,
  check: ProtocolCheck = 'calendars',
): Promise<CalendarsRead | undefined> {
  const body = { properties: references, from: formatDay(horizon.from), nights: horizon.nights };
  const result = await server.post('/calendars', body);
  if (result.kind !== 'document') {
    collector.skip(check, 'the call failed');
    return undefined;
  }
  const { bytes, milliseconds } = result;
  try {
    // This only checks whether the connector can read the answer as a whole; `checkBatch` checks each home.
    readCalendars(bytes, { asked: [], horizon, currencies: new Map() }).next();
    const { calendars } = parseDocument(bytes) as { readonly calendars: readonly unknown[] };
    const entries = calendars.filter((entry) => typeof entry === 'object' && entry !== null);
    return { bytes, entries, milliseconds };
  } catch (error) {
    if (!(error instanceof BookingSystemFailure)) throw error;
    const rule = ruleOfDocument(error, 'answer_shape');
    report(collector, rule, { check, place: '', found: error.message, milliseconds });
    return undefined;
  }
}

function checkBatch(
  {
    bytes,
    entries,
    milliseconds,
    batch,
    horizon,
    calendars,
  }: CalendarsRead & {
    readonly batch: readonly Property[];
    readonly horizon: Horizon;
    readonly calendars: Map<string, Calendar>;
  },
  collector: VerdictCollector,
): void {
  const currencies = new Map(batch.map(({ reference, currency }) => [reference, currency]));
  for (const [reference, reading] of readCalendars(bytes, {
    asked: [...currencies.keys()],
    horizon,
    currencies,
  })) {
    if (reading.kind === 'valid') {
      calendars.set(reference, reading.value);
      checkRules(reference, reading.value, collector);
      continue;
    }
    for (const { field, rule, reason, value } of reading.faults) {
      const member = field?.split('/').at(-1) ?? '';
      const right = exampleAt(EXAMPLE_PERIOD, member) ?? (field ? EXAMPLE_PERIOD : undefined);
      collector.fault('calendars', {
        place: `POST /calendars ${reference}${field === undefined ? '' : ` ${field}`}`,
        rule,
        found: foundText(reason, value),
        ...(right === undefined ? {} : { example: JSON.stringify(right) }),
        milliseconds,
      });
    }
  }
  for (const { property, periods } of entries) {
    const reference = typeof property === 'string' ? property : '';
    if (!currencies.has(reference)) {
      const found = `a calendar for ${shownText(String(property))}`;
      report(collector, 'not_asked_for', { check: 'calendars', place: 'calendars', found, isWarning: true });
    } else checkDates(reference, periods, horizon, collector);
  }
}

function checkRules(
  reference: string,
  { firstDay, available, minimumStay, maximumStay }: Calendar,
  collector: VerdictCollector,
): void {
  const night = available.findIndex(
    (isFree, index) =>
      isFree === 1 && (maximumStay[index] ?? 0) > 0 && (minimumStay[index] ?? 1) > (maximumStay[index] ?? 0),
  );
  if (night >= 0) {
    const found = `minimum_stay ${minimumStay[night]} and maximum_stay ${maximumStay[night]} on ${formatDay(firstDay + night)}`;
    report(collector, 'minimum_above_maximum', { check: 'calendars', place: reference, found });
  }
  if (!available.includes(1)) {
    const found = 'no night that is available';
    report(collector, 'nothing_available', { check: 'calendars', place: reference, found, isWarning: true });
  }
}

function checkDates(
  reference: string,
  periods: unknown,
  horizon: Horizon,
  collector: VerdictCollector,
): void {
  for (const [index, period] of Array.isArray(periods) ? periods.entries() : []) {
    const [from, to] = ['from', 'to'].map((name) => parseDay(String(exampleAt(period, name))));
    if (from === undefined || to === undefined || from >= to) continue;
    if (to > horizon.from && from < horizon.from + horizon.nights) continue;
    const found = `${formatDay(from)} to ${formatDay(to)}`;
    report(collector, 'outside_horizon', {
      check: 'calendars',
      place: `${reference} periods/${index}`,
      found,
      isWarning: true,
    });
  }
}

function report(
  collector: VerdictCollector,
  rule: ProtocolRule,
  { check, place, ...fault }: Omit<CheckFault, 'rule'> & { readonly check: ProtocolCheck },
): void {
  collector.fault(check, { ...fault, place: `POST /calendars ${place}`.trimEnd(), rule });
}

const REACH_MS = 30 * 86_400_000;

/** Reads the bookings of the last month. Resolves with whether the server offers them. */
async function checkBookings(server: CallServer, collector: VerdictCollector, now: number): Promise<boolean> {
  const since = bookingsPath(now - REACH_MS).slice('/bookings'.length);
  const seen = new Set<string>();
  let bookings = 0;
  for (let query: string | null = since; query !== null; ) {
    const place = `GET /bookings${shownText(query)}`;
    const isLoop = seen.has(query);
    if (isLoop || seen.size >= MAX_BOOKINGS_PAGES) {
      const found = isLoop ? 'a page that was read before' : `more than ${MAX_BOOKINGS_PAGES} pages`;
      const rule = isLoop ? 'page_loop' : 'too_many_pages';
      collector.fault('bookings', { place: `${place} next_page`, rule, found });
      break;
    }
    const answer = await server.bookings(query);
    if (answer.kind !== 'document') return seen.size > 0;
    seen.add(query);
    collector.begin('bookings');
    try {
      const page = parseBookingsPage(answer.bytes);
      for (const [index, entry] of page.bookings.entries()) {
        checkEntry(entry, `${place} bookings/${index}`, now, collector);
      }
      bookings += page.bookings.length;
      query = page.next_page === null ? null : `${since}&page=${pageParameter(page.next_page)}`;
    } catch (error) {
      if (!(error instanceof BookingSystemFailure)) throw error;
      const rule = ruleOfDocument(error, 'bookings_shape');
      collector.fault('bookings', { place, rule, found: error.message });
      break;
    }
  }
  collector.passed('bookings', `${bookings} bookings`);
  return true;
}

function checkEntry(entry: unknown, place: string, now: number, collector: VerdictCollector): void {
  const reading = readBookingEntry(entry, { brand: 'check', now });
  if (reading.kind === 'valid') return;
  for (const one of reading.faults) {
    const member = 'member' in one ? one.member : one.path;
    collector.fault('bookings', {
      place: member === '' ? place : `${place}/${member}`,
      rule: 'booking_unreadable',
      found: one.reason,
      expected: 'remedy' in one ? one.remedy : undefined,
    });
  }
}
