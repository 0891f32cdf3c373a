import type { CatalogueReading } from '../../src/catalogue/rejections/rejection.ts';
import type {
  BookingSystem,
  CalendarReadings,
  CallLimits,
  Horizon,
  OperatorQuote,
  QuoteOutcome,
  QuoteRequest,
  StillReading,
} from '../../src/quotes/booking-system.ts';
import type { MinorUnits } from '../../src/stay/money.ts';

type Script = {
  readonly quote?: (request: QuoteRequest, signal: AbortSignal) => Promise<readonly QuoteOutcome[]>;
  readonly catalogue?: (signal: AbortSignal) => Promise<CatalogueReading>;
  readonly calendars?: (
    references: readonly string[],
    horizon: Horizon,
    signal: AbortSignal,
    stillReading?: StillReading,
  ) => Promise<CalendarReadings>;
  readonly estimates?: NonNullable<BookingSystem['estimates']>;
  readonly limits?: Partial<CallLimits>;
};

export type ScriptedSystem = BookingSystem & {
  readonly quoteCalls: readonly QuoteRequest[];
  readonly calendarCalls: readonly { readonly references: readonly string[]; readonly horizon: Horizon }[];
  readonly catalogueCalls: number;
};

/** Answers as the script of a test says, and records its calls. A call without a script fails. */
export function createScriptedSystem(brand: string, script: Script): ScriptedSystem {
  const quoteCalls: QuoteRequest[] = [];
  const calendarCalls: { references: readonly string[]; horizon: Horizon }[] = [];
  let catalogueCalls = 0;
  const notScripted = () => Promise.reject(new Error(`${brand}: the test did not expect this call`));
  return {
    brand,
    limits: { batchSize: 50, concurrency: 8, timeoutMs: 4000, ...script.limits },
    quote(request, signal) {
      quoteCalls.push(request);
      return script.quote?.(request, signal) ?? notScripted();
    },
    calendars(references, horizon, signal, stillReading) {
      calendarCalls.push({ references, horizon });
      return script.calendars?.(references, horizon, signal, stillReading) ?? notScripted();
    },
    ...(script.estimates ? { estimates: script.estimates } : {}),
    catalogue(signal) {
      catalogueCalls += 1;
      return script.catalogue?.(signal) ?? notScripted();
    },
    close: async () => {},
    quoteCalls,
    calendarCalls,
    get catalogueCalls() {
      return catalogueCalls;
    },
  };
}

export function quotedAt(
  reference: string,
  total: MinorUnits,
  facts: Partial<OperatorQuote> = {},
): QuoteOutcome {
  const quote = { currency: 'EUR', total, lines: [], heldUntil: null, ...facts };
  return { kind: 'quoted', reference, quote };
}

export function refusedAs(
  reference: string,
  reason: Extract<QuoteOutcome, { kind: 'unavailable' }>['reason'] = 'booked',
): QuoteOutcome {
  return { kind: 'unavailable', reference, reason };
}
