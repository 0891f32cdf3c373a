import { resolve } from 'node:path';
import { Type } from 'typebox';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import { createCoalescer } from '../../limits/coalesce.ts';
import { openDeadline } from '../../limits/deadline.ts';
import { inTurns } from '../../limits/event-loop.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import type {
  BookingSystem,
  CalendarReading,
  CallLimits,
  Horizon,
  QuoteOutcome,
  QuoteRequest,
  UnavailableReason,
} from '../../quotes/booking-system.ts';
import type { Day } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { createConnector } from '../connector.ts';
import { refusedBeforeItsNights } from '../rate-card/quote.ts';
import {
  calendarOfPeriods,
  isBookable,
  type NightPeriods,
  periodAt,
  periodsWithin,
} from '../shared/calendars/night-periods.ts';
import type { Intake, IntakeLaneName } from '../shared/intake/intake.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { CalendarLine, HeaderLine, PropertyLine } from '../shared/plain/plain-line.ts';
import { type ImportedHome, type ReadImport, readImport, versionOf } from './catalogue.ts';

const ImportedEntry = Type.Object(
  {
    kind: Type.Literal('imported'),
    file: Type.String({
      minLength: 1,
      description: 'Path of the imported file, relative to the network file.',
    }),
  },
  { additionalProperties: false },
);

/** Homes imported from a published file. */
export const importedConnector = createConnector({
  entry: ImportedEntry,
  inventorySource: 'rate_card',
  canStateAllInTotals: false,
  documentation: {
    title: 'Imported homes',
    text: `For homes that were imported into a file of the [plain format](plain-format.md). The file is read again when its time or size has
changed. A stay costs the sum of its nights; the file knows no tax and no fee, so \`all_in_totals\` has to be false.`,
    schemas: { HeaderLine, PropertyLine, CalendarLine },
  },
  read: ({ file }, { directory }) => valid(resolve(directory, file)),
  connect: (path, { context, clock, intake, budget, maxDocumentAgeMs, onLastDocumentUsed }) =>
    createImportedBookingSystem({
      path,
      context,
      clock,
      intake,
      budget,
      maxDocumentAgeMs,
      onLastDocumentUsed,
    }),
});

/** Large batches, because prices come from memory. */
const LIMITS: CallLimits = { batchSize: 200, concurrency: 8, timeoutMs: 4000 };
const HOMES_A_TURN = 100;

/**
 * A booking system for homes that were imported into a file. Stays are priced from its nights; bookings made since then are unknown.
 */
export function createImportedBookingSystem({
  path,
  context,
  clock,
  intake,
  budget = DEFAULT_BRAND_BUDGET,
  maxDocumentAgeMs,
  onLastDocumentUsed = () => undefined,
}: {
  readonly path: string;
  readonly context: ListingContext;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly budget?: BrandBudget;
  /** How long prices come from the last successful reading while the file cannot be read. */
  readonly maxDocumentAgeMs: number;
  /** Called when the file could not be read in time, and its last reading is used instead. */
  readonly onLastDocumentUsed?: (failure: BookingSystemFailure) => void;
}): BookingSystem {
  const { places, ...parameters } = context;
  const latest = createLatestImport({
    path,
    context: parameters,
    intake,
    budget,
    clock,
    maxAgeMs: maxDocumentAgeMs,
    onLastUsed: onLastDocumentUsed,
  });

  function calendarFor(home: ImportedHome | undefined, horizon: Horizon): CalendarReading {
    if (!home) return invalid({ rule: 'not_in_catalogue', reason: 'is not of a home in the imported file' });
    const { calendar } = home;
    return calendar.kind === 'valid' ? valid(calendarOfPeriods(calendar.value, horizon)) : calendar;
  }

  function quoteOne(
    home: ImportedHome | undefined,
    reference: string,
    request: QuoteRequest,
    readAt: number,
  ): QuoteOutcome {
    if (!home) return { kind: 'unavailable', reference, reason: 'unknown_property' };
    const { currency, place, maxGuests, leadDays } = home.property;
    const zone = places.get(place)?.timeZone;
    if (zone === undefined || home.calendar.kind === 'invalid') {
      return { kind: 'failed', reference, failure: 'garbled' };
    }
    if (currency !== request.currency) return { kind: 'failed', reference, failure: 'wrong_currency' };
    const { checkIn, checkOut, guests } = request;
    const today = todayIn(zone, clock.now());
    const stay = bookImported(home.calendar.value, { checkIn, checkOut, guests, maxGuests, leadDays, today });
    if (stay.kind === 'unavailable') return { kind: 'unavailable', reference, reason: stay.reason };
    const { total } = stay;
    if (!Number.isSafeInteger(total)) return { kind: 'failed', reference, failure: 'garbled' };
    return {
      kind: 'quoted',
      reference,
      // The file has nightly prices without a breakdown.
      quote: { currency, total, lines: [], heldUntil: null, retrievedAt: readAt },
    };
  }

  return {
    brand: parameters.brand,
    limits: LIMITS,
    catalogue: async (signal) => (await latest.refreshed(signal)).reading,
    async calendars(references, horizon, signal) {
      const { homes } = latest.last() ?? (await latest.refreshed(signal));
      const readings = new Map<string, CalendarReading>();
      await inTurns(references, HOMES_A_TURN, (reference) =>
        readings.set(reference, calendarFor(homes.get(reference), horizon)),
      );
      return readings;
    },
    async prepare(signal) {
      await latest.refreshed(signal);
    },
    async quote(request, signal) {
      const references = [...new Set(request.references)];
      const all = (failure: FailureKind) =>
        references.map((reference): QuoteOutcome => ({ kind: 'failed', reference, failure }));
      if (signal.aborted) return all('timeout');
      try {
        const { homes, readAt } = await latest.fresh(signal);
        const outcomes: QuoteOutcome[] = [];
        await inTurns(references, HOMES_A_TURN, (reference) =>
          outcomes.push(quoteOne(homes.get(reference), reference, request, readAt)),
        );
        return outcomes;
      } catch (error) {
        if (signal.aborted) return all('timeout');
        return all(error instanceof BookingSystemFailure ? error.kind : 'unreachable');
      }
    },
    close: async () => latest.close(),
  };
}

/** The price of a stay in an imported home, or the first rule that refuses it, in the order of a rate card. */
type ImportedStay =
  | { readonly kind: 'bookable'; readonly total: MinorUnits }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason };

function bookImported(
  calendar: NightPeriods,
  request: Parameters<typeof refusedBeforeItsNights>[0],
): ImportedStay {
  const { checkIn, checkOut } = request;
  const reason = refusedBeforeItsNights(request);
  if (reason) return refused(reason);
  const total = priceOf(calendar, checkIn, checkOut);
  if (total === undefined) return refused('booked');
  const arrival = periodAt(calendar, checkIn);
  const nights = checkOut - checkIn;
  if (arrival?.closedToArrival) return refused('closed_to_arrival');
  if (periodAt(calendar, checkOut)?.closedToDeparture) return refused('closed_to_departure');
  if (arrival && nights < arrival.minimumStay) return refused('minimum_stay');
  if (arrival && arrival.maximumStay > 0 && nights > arrival.maximumStay) return refused('maximum_stay');
  return { kind: 'bookable', total };
}

/** Undefined when a night is taken, has no price or is not in the file. */
function priceOf(calendar: NightPeriods, checkIn: Day, checkOut: Day): MinorUnits | undefined {
  let total = 0;
  let nights = 0;
  for (const period of periodsWithin(calendar, checkIn, checkOut)) {
    if (!isBookable(period)) return undefined;
    const held = Math.min(period.to, checkOut) - Math.max(period.from, checkIn);
    nights += held;
    total += held * period.price;
  }
  return nights === checkOut - checkIn ? total : undefined;
}

function refused(reason: UnavailableReason): ImportedStay {
  return { kind: 'unavailable', reason };
}

/** Caches the last reading of the file, and reads the file again when it has changed. */
type LatestImport = {
  /** Reads the file now, or finds it unchanged. */
  refreshed(signal: AbortSignal): Promise<ReadImport>;
  /** For pricing: like `refreshed`, but falls back to a reading of at most `maxAgeMs` ago when that takes too long. */
  fresh(signal: AbortSignal): Promise<ReadImport & { readonly readAt: number }>;
  /** The last reading, however old; undefined before the first. */
  last(): ReadImport | undefined;
  close(): void;
};

/** Leaves time to price from the last reading within the four seconds of a quote call. */
const MAX_READING_FOR_A_PRICE_MS = 2500;

function createLatestImport({
  clock,
  maxAgeMs,
  onLastUsed,
  ...file
}: Omit<Parameters<typeof readImport>[0], 'version' | 'lane' | 'signal'> & {
  readonly clock: Clock;
  readonly maxAgeMs: number;
  readonly onLastUsed: (failure: BookingSystemFailure) => void;
}): LatestImport {
  const share = createCoalescer<ReadImport>();
  const closing = new AbortController();
  let last: ReadImport | undefined;
  let elapsedAtCheck = 0;

  function read(signal: AbortSignal, lane: IntakeLaneName): Promise<ReadImport> {
    const start = async (shared: AbortSignal) => {
      const version = await versionOf(file.path, shared);
      const checkedAt = clock.elapsed();
      const current =
        last?.version === version ? last : await readImport({ ...file, version, lane, signal: shared });
      [last, elapsedAtCheck] = [current, checkedAt];
      return current;
    };
    // The reading continues after a price call gives up: restarted for each call, a large file would never be read.
    share('file', start, closing.signal).catch(() => undefined);
    return share('file', start, signal);
  }

  return {
    last: () => last,
    close: () => closing.abort(),
    async refreshed(signal) {
      if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
      return await read(signal, 'background');
    },
    async fresh(signal) {
      const deadline = openDeadline({ clock, timeoutMs: MAX_READING_FOR_A_PRICE_MS, parent: signal });
      try {
        return dated(await read(deadline.signal, 'live'));
      } catch (error) {
        if (!last || signal.aborted || clock.elapsed() - elapsedAtCheck > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onLastUsed(error);
        return dated(last);
      } finally {
        deadline.close();
      }
    },
  };

  /** Calculates the time of the reading back from now: if the clock was stepped back, the recorded time would be in the future. */
  function dated(current: ReadImport) {
    return { ...current, readAt: Math.floor(clock.now() - (clock.elapsed() - elapsedAtCheck)) };
  }
}
