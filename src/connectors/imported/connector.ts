import { resolve } from 'node:path';
import { Type } from 'typebox';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import { inTurns } from '../../limits/event-loop.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import type {
  BookingSystem,
  CalendarReading,
  CallLimits,
  Horizon,
  QuoteOutcome,
} from '../../quotes/booking-system.ts';
import { createConnector } from '../connector.ts';
import { calendarOfPeriods } from '../shared/calendars/night-periods.ts';
import { createLatest } from '../shared/documents/latest.ts';
import type { Intake } from '../shared/intake/intake.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { CalendarLine, HeaderLine, PropertyLine } from '../shared/plain/plain-line.ts';
import { type ImportedHome, type ReadImport, readImport } from './catalogue.ts';
import { quoteOne } from './quote.ts';

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
  const latest = createLatest<ReadImport>({
    read: ({ known, urgency: lane, signal }) =>
      readImport({ path, known, context: parameters, intake, budget, lane, signal }),
    clock,
    maxAgeMs: maxDocumentAgeMs,
    onLastUsed: onLastDocumentUsed,
  });
  const refreshed = async (signal: AbortSignal) => (await latest.read('background', signal)).content;

  return {
    brand: parameters.brand,
    limits: LIMITS,
    catalogue: async (signal) => (await refreshed(signal)).reading,
    async calendars(references, horizon, signal) {
      const { homes } = latest.last()?.content ?? (await refreshed(signal));
      const readings = new Map<string, CalendarReading>();
      await inTurns(references, HOMES_A_TURN, (reference) =>
        readings.set(reference, readCalendar(homes.get(reference), horizon)),
      );
      return readings;
    },
    async prepare(signal) {
      await refreshed(signal);
    },
    async quote(request, signal) {
      const references = [...new Set(request.references)];
      const all = (failure: FailureKind) =>
        references.map((reference): QuoteOutcome => ({ kind: 'failed', reference, failure }));
      if (signal.aborted) return all('timeout');
      try {
        const dated = await latest.fresh(signal);
        // From the age: if the wall clock was set back, a stored time would lie in the future.
        const retrievedAt = Math.floor(clock.now() - latest.ageOf(dated));
        const outcomes: QuoteOutcome[] = [];
        await inTurns(references, HOMES_A_TURN, (reference) => {
          const home = dated.content.homes.get(reference);
          const timeZone = home && places.get(home.property.place)?.timeZone;
          outcomes.push(quoteOne(home, reference, request, { timeZone, now: clock.now(), retrievedAt }));
        });
        return outcomes;
      } catch (error) {
        if (signal.aborted) return all('timeout');
        return all(error instanceof BookingSystemFailure ? error.kind : 'unreachable');
      }
    },
    close: async () => latest.close(),
  };
}

function readCalendar(home: ImportedHome | undefined, horizon: Horizon): CalendarReading {
  if (!home) return invalid({ rule: 'not_in_catalogue', reason: 'is not of a home in the imported file' });
  const { calendar } = home;
  return calendar.kind === 'valid' ? valid(calendarOfPeriods(calendar.value, horizon)) : calendar;
}
