import type { Clock } from '../../clock.ts';
import type { Calendar } from '../../inventory/calendar.ts';
import {
  type BookingSystem,
  BookingSystemFailure,
  type CallLimits,
  type FailureKind,
  type Horizon,
  type QuoteOutcome,
  type QuoteRequest,
} from '../../quotes/booking-system.ts';
import { invalid, type Reading, valid } from '../../reading/reading.ts';
import { todayIn } from '../../stay/time-zone.ts';
import type { StoredDocument } from '../connector.ts';
import type { Unchanged } from '../json-response.ts';
import type { ListingContext } from '../listing-reader.ts';
import { cleanLines } from '../quote-lines.ts';
import { canBook } from './can-book.ts';
import { priceStay } from './price-stay.ts';
import { calendarOf } from './rate-card-calendar.ts';
import type { RateCardDocument, RateCardSource } from './rate-card-source.ts';
import { type AcceptedCard, type CardEntry, readRateCard } from './read-rate-card.ts';

/** Quotes are computed here, without a call. */
const LIMITS: CallLimits = { batchSize: 50, concurrency: 8, timeoutMs: 4000 };

/** Failures to reach the document, not of the document itself: the one accepted last is still used. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
]);

/**
 * A booking system for operators that have none: prices, rules and booked nights come from a document that the operator
 * publishes. Only `catalogue` reads it; calendars and quotes come from the document accepted last.
 */
export function createRateCardBookingSystem({
  source,
  stored,
  context,
  clock,
  onOutOfReach = () => undefined,
}: {
  readonly source: RateCardSource;
  readonly stored: StoredDocument;
  readonly context: ListingContext;
  readonly clock: Clock;
  /** The source could not be read, and the document accepted last is used instead. */
  readonly onOutOfReach?: (failure: BookingSystemFailure) => void;
}): BookingSystem {
  const { brand, places } = context;
  let accepted: (AcceptedCard & Omit<RateCardDocument, 'kind'>) | undefined;

  async function refresh(signal: AbortSignal): Promise<AcceptedCard> {
    let answer: RateCardDocument | Unchanged;
    try {
      // The etag of the accepted document, not of the one read last: a refused document is read and refused again.
      answer = await source.read({ etag: accepted?.etag ?? null, signal });
    } catch (error) {
      const failure = error instanceof BookingSystemFailure ? error : undefined;
      const last = failure && OUT_OF_REACH.has(failure.kind) ? await lastAccepted() : undefined;
      if (!failure || !last || signal.aborted) throw error;
      onOutOfReach(failure);
      return last;
    }
    if (answer.kind === 'unchanged' || answer.json === accepted?.json) {
      if (accepted) return accepted;
      throw new BookingSystemFailure('garbled', 'a rate card was called unchanged that was never read');
    }
    const { json, etag } = answer;
    const card = readRateCard(json, context);
    await stored.save(json);
    accepted = { ...card, json, etag };
    return accepted;
  }

  /** After a restart the stored document answers until the operator has been read again. */
  async function lastAccepted(): Promise<AcceptedCard | undefined> {
    if (accepted) return accepted;
    const json = await stored.read();
    if (json !== undefined && !accepted) accepted = { ...readRateCard(json, context), json, etag: null };
    return accepted;
  }

  function calendarFor(entry: CardEntry | undefined, horizon: Horizon): Reading<Calendar> {
    if (!entry) return invalid('the rate card has no such property');
    const { rates, booked, property } = entry;
    return valid(calendarOf({ rates, booked, currency: property.currency, horizon }));
  }

  function quoteOne(entry: CardEntry | undefined, reference: string, request: QuoteRequest): QuoteOutcome {
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
      quote: { currency, total, lines: cleanLines(lines), heldUntil: null },
    };
  }

  return {
    brand,
    limits: LIMITS,
    catalogue: async (signal) => (await refresh(signal)).reading,
    async calendars(references, horizon, signal) {
      const card = (await lastAccepted()) ?? (await refresh(signal));
      return new Map(
        references.map((reference) => [reference, calendarFor(card.entries.get(reference), horizon)]),
      );
    },
    async quote(request, signal) {
      const references = [...new Set(request.references)];
      const all = (failure: FailureKind) =>
        references.map((reference): QuoteOutcome => ({ kind: 'failed', reference, failure }));
      if (signal.aborted) return all('timeout');
      try {
        const card = await lastAccepted();
        if (!card) return all('unreachable');
        return references.map((reference) => {
          try {
            return quoteOne(card.entries.get(reference), reference, request);
          } catch {
            // Amounts too large to be exact: no price rather than a wrong one.
            return { kind: 'failed', reference, failure: 'garbled' };
          }
        });
      } catch (error) {
        return all(error instanceof BookingSystemFailure ? error.kind : 'unreachable');
      }
    },
    close: () => source.close(),
  };
}
