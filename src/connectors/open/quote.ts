import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { type QuoteOutcome, UNAVAILABLE_REASONS } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import { type MinorUnits, parseAmount } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { Currency, Reference } from '../shared/listings/listing.ts';
import {
  DepositTerms,
  type LabelAllowance,
  labelAllowance,
  readDeposit,
  readPriceLines,
} from '../shared/prices/quote-parts.ts';
import { DayText, readCalendars } from './calendar.ts';
import { readBookingsPage, readCataloguePage } from './catalogue.ts';

const Amount = Type.String({
  pattern: '^-?\\d{1,12}(\\.\\d{1,6})?$',
  description: 'A decimal string with the decimals of its currency: "412.50".',
});

/** `POST /quotes` */
export const QuotesRequest = Type.Object({
  properties: Type.Array(Reference, { minItems: 1, maxItems: 50 }),
  check_in: DayText,
  check_out: DayText,
  guests: Type.Integer({ minimum: 1 }),
  currency: Currency,
});
export type QuotesRequest = Static<typeof QuotesRequest>;

export const Quoted = Type.Object({
  property: Reference,
  status: Type.Literal('quoted'),
  currency: Currency,
  total: Type.String({
    pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
    description: 'The final price of the whole stay for all guests, without refundable deposits.',
  }),
  lines: Type.Optional(
    Type.Array(Type.Object({ label: Type.String({ minLength: 1, maxLength: 2000 }), amount: Amount }), {
      maxItems: 50,
      description: 'The breakdown. It is shown only when it adds up to the total.',
    }),
  ),
  held_until: Type.Optional(Type.Union([Type.String({ description: 'ISO 8601 UTC.' }), Type.Null()])),
  deposit: Type.Optional(Type.Union([DepositTerms, Type.Null()])),
  due_on_site: Type.Optional(
    Type.Union([
      Type.String({
        pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
        description: 'What is paid at the property besides the total, for the whole stay and all guests.',
      }),
      Type.Null(),
    ]),
  ),
});

export const Unavailable = Type.Object({
  property: Reference,
  status: Type.Literal('unavailable'),
  reason: Type.Enum([...UNAVAILABLE_REASONS]),
});

const QuoteEntry = Type.Union([Quoted, Unavailable]);

export const QuotesAnswer = Type.Object({ quotes: Type.Array(QuoteEntry, { maxItems: 200 }) });
export type QuotesAnswer = Static<typeof QuotesAnswer>;

const answerShape = Compile(Type.Object({ quotes: Type.Array(Type.Unknown(), { maxItems: 200 }) }));
const named = Compile(Type.Object({ property: Reference }));
// A fault in an optional member must not cost the price, so these members are read separately.
const ReadEntry = Type.Union([
  Type.Object({
    ...Quoted.properties,
    deposit: Type.Optional(Type.Unknown()),
    due_on_site: Type.Optional(Type.Unknown()),
  }),
  Unavailable,
]);
const quoteEntry = Compile(ReadEntry);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

type QuotesParameters = { readonly asked: readonly string[]; readonly currency: string };

/**
 * Intake task: yields exactly one outcome for each requested property, and ignores answers for others. A missing, repeated or invalid
 * answer fails only its own property.
 */
export function* readQuotes(
  document: Uint8Array,
  { asked, currency }: QuotesParameters,
): Generator<QuoteOutcome, null> {
  const answer = parseDocument(document);
  if (!answerShape.Check(answer))
    throw new BookingSystemFailure('garbled', 'the answer holds no list of quotes');
  const entries = Map.groupBy(answer.quotes, (entry) => (named.Check(entry) ? entry.property : undefined));
  const allowance = labelAllowance();
  for (const reference of asked) {
    const [entry, ...others] = entries.get(reference) ?? [];
    if (others.length > 0 || !quoteEntry.Check(entry)) yield failed(reference, 'garbled');
    else yield readEntry(entry, { reference, currency, allowance });
  }
  return null;
}

type EntryContext = {
  readonly reference: string;
  readonly currency: string;
  readonly allowance: LabelAllowance;
};

function readEntry(entry: Static<typeof ReadEntry>, context: EntryContext): QuoteOutcome {
  const { reference, currency, allowance } = context;
  if (entry.status === 'unavailable') return { kind: 'unavailable', reference, reason: entry.reason };
  if (entry.currency !== currency) return failed(reference, 'wrong_currency');
  const total = parseAmount(entry.total, currency);
  const hold = readHold(entry.held_until ?? null);
  if (total === undefined || total <= 0 || hold.kind === 'invalid') return failed(reference, 'garbled');
  return {
    kind: 'quoted',
    reference,
    quote: {
      currency,
      total,
      ...readPriceLines(entry.lines ?? [], currency, labelCleaner, { allowance }),
      heldUntil: hold.value,
      deposit: readDeposit(entry.deposit, currency) ?? null,
      dueOnSite: readDueOnSite(entry.due_on_site, currency),
    },
  };
}

/** Null when it is missing or not an amount. */
function readDueOnSite(published: unknown, currency: string): MinorUnits | null {
  const amount = typeof published === 'string' ? parseAmount(published, currency) : undefined;
  return amount === undefined || amount < 0 ? null : amount;
}

/** Null when the operator states no end of its hold. */
function readHold(text: string | null): Reading<number | null> {
  if (text === null) return valid(null);
  // `Date.parse` reads 30 February as a day in March.
  const isReal = INSTANT.test(text) && parseDay(text.slice(0, 10)) !== undefined;
  const instant = isReal ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? invalid('is not an instant in UTC') : valid(instant);
}

function failed(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}

/** How the intake reads each document of this booking system. */
export const openTasks = {
  catalogue_page: readCataloguePage,
  calendars: readCalendars,
  quotes: readQuotes,
  bookings_page: readBookingsPage,
} as const;
