import type { Clock } from '../../clock.ts';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../inventory/brand-budget.ts';
import { inTurns } from '../../inventory/in-turns.ts';
import {
  type BookingSystem,
  BookingSystemFailure,
  type CalendarReading,
  type CallLimits,
  type FailureKind,
  type Horizon,
  type QuoteOutcome,
  type QuoteRequest,
} from '../../quotes/booking-system.ts';
import { invalid, valid } from '../../reading/reading.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { todayIn } from '../../stay/time-zone.ts';
import type { StoredDocument } from '../connector.ts';
import type { DocumentSource } from '../document-source.ts';
import type { Intake } from '../intake/intake.ts';
import { createLatestDocument, type ReadDocument } from '../latest-document.ts';
import type { ListingContext } from '../listing-reader.ts';
import { canBook } from './can-book.ts';
import { exactAmount } from './night-rates.ts';
import { priceStay, type StaySize, timesCharged } from './price-stay.ts';
import { calendarOf } from './rate-card-calendar.ts';
import type { CardEntry } from './read-rate-card.ts';

/** A card is read once for any number of quotes. */
const LIMITS: CallLimits = { batchSize: 50, concurrency: 8, timeoutMs: 4000 };
/** With a hundred seasons and a thousand bookings each, they take a few milliseconds. */
const HOMES_A_TURN = 10;

/**
 * A booking system for operators that have none: prices, rules and booked nights come from a document that the operator
 * publishes. `catalogue` and `quote` read it again; calendars come from the document accepted last.
 */
export function createRateCardBookingSystem({
  source,
  stored,
  context,
  clock,
  intake,
  budget = DEFAULT_BRAND_BUDGET,
  maxDocumentAgeMs,
  onLastDocumentUsed = () => undefined,
}: {
  readonly source: DocumentSource;
  readonly stored: StoredDocument;
  readonly context: ListingContext;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly budget?: BrandBudget;
  /** How long the card may be priced from after its last successful reading, while it cannot be read again. */
  readonly maxDocumentAgeMs: number;
  /** The card could not be reached or read, and the one accepted last is used instead. */
  readonly onLastDocumentUsed?: (failure: BookingSystemFailure) => void;
}): BookingSystem {
  const { places, ...parameters } = context;
  const { brand } = parameters;
  const latest = createLatestDocument<CardEntry>({
    source,
    stored,
    readEntries: (order) => intake.run({ task: 'rate_card', brand, parameters, ...order }),
    clock,
    budget,
    maxAgeMs: maxDocumentAgeMs,
    onLastDocumentUsed,
  });

  function calendarFor(entry: CardEntry | undefined, horizon: Horizon): CalendarReading {
    if (!entry) {
      return invalid({
        rule: 'not_in_catalogue',
        reason: 'is not there: the rate card has no such property',
      });
    }
    const { rates, booked, property } = entry;
    return valid(calendarOf({ rates, booked, currency: property.currency, horizon }));
  }

  function quoteOne(
    { entries, readAt }: ReadDocument<CardEntry>,
    reference: string,
    request: QuoteRequest,
  ): QuoteOutcome {
    const entry = entries.get(reference);
    if (!entry) return { kind: 'unavailable', reference, reason: 'unknown_property' };
    const { property, rates, booked } = entry;
    const { currency } = property;
    const zone = places.get(property.place)?.timeZone;
    if (zone === undefined) return { kind: 'failed', reference, failure: 'garbled' };
    if (currency !== request.currency) return { kind: 'failed', reference, failure: 'wrong_currency' };
    const { checkIn, checkOut, guests } = request;
    const { maxGuests, leadDays } = property;
    const today = todayIn(zone, clock.now());
    const answer = canBook({
      rates,
      currency,
      booked,
      maxGuests,
      leadDays,
      today,
      checkIn,
      checkOut,
      guests,
    });
    if (answer.kind === 'unavailable') return { kind: 'unavailable', reference, reason: answer.reason };
    const { total, lines } = priceStay({ rates, currency, checkIn, checkOut, guests });
    return {
      kind: 'quoted',
      reference,
      quote: {
        currency,
        total,
        // All or none: a breakdown without one of its lines would no longer add up.
        ...(lines.every(({ label }) => label !== '')
          ? { lines }
          : { lines: [], linesFault: 'label_held_back' }),
        heldUntil: null,
        retrievedAt: readAt,
        deposit: entry.deposit,
        dueOnSite: dueOnSiteFor(entry, { nights: checkOut - checkIn, guests }),
      },
    };
  }

  function quoteOrFailure(
    card: ReadDocument<CardEntry>,
    reference: string,
    request: QuoteRequest,
  ): QuoteOutcome {
    try {
      return quoteOne(card, reference, request);
    } catch {
      // Amounts too large to be exact: no price rather than a wrong one.
      return { kind: 'failed', reference, failure: 'garbled' };
    }
  }

  return {
    brand,
    limits: LIMITS,
    catalogue: async (signal) => (await latest.refreshed(signal)).reading,
    async calendars(references, horizon, signal) {
      const card = (await latest.accepted(signal)) ?? (await latest.refreshed(signal));
      const readings = new Map<string, CalendarReading>();
      await inTurns(references, HOMES_A_TURN, (reference) =>
        readings.set(reference, calendarFor(card.entries.get(reference), horizon)),
      );
      return readings;
    },
    async quote(request, signal) {
      const references = [...new Set(request.references)];
      const all = (failure: FailureKind) =>
        references.map((reference): QuoteOutcome => ({ kind: 'failed', reference, failure }));
      if (signal.aborted) return all('timeout');
      try {
        const card = await latest.fresh(signal);
        const outcomes: QuoteOutcome[] = [];
        await inTurns(references, HOMES_A_TURN, (reference) =>
          outcomes.push(quoteOrFailure(card, reference, request)),
        );
        return outcomes;
      } catch (error) {
        if (signal.aborted) return all('timeout');
        return all(error instanceof BookingSystemFailure ? error.kind : 'unreachable');
      }
    },
    close: () => source.close(),
  };
}

/** Null when the operator publishes none, or when it is too large to be exact. */
function dueOnSiteFor({ dueOnSite, property }: CardEntry, stay: StaySize): MinorUnits | null {
  if (dueOnSite === null) return null;
  const amount = exactAmount(dueOnSite.amount, property.currency) * timesCharged(dueOnSite.per, stay);
  return Number.isSafeInteger(amount) ? amount : null;
}
