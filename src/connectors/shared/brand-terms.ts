import type { Property } from '../../catalogue/catalogue.ts';
import { hasScore } from '../../catalogue/rating.ts';
import type { Clock } from '../../clock.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { BookingSystem, OperatorQuote } from '../../quotes/booking-system.ts';

const LISTINGS_A_TURN = 2000;

/** What the network file says about all prices and all listings of a brand. */
export type BrandTerms = {
  /** How long the operator holds a price for which its answer names no end; null when it promises nothing. */
  readonly quoteHoldMs: number | null;
  /** For a brand of which no listing is rated; null when it is not stated. */
  readonly ratingScale: number | null;
};

/** The same for every kind of booking system, so no connector has to know of it. */
export function withBrandTerms(
  system: BookingSystem,
  { quoteHoldMs, ratingScale }: BrandTerms,
  clock: Clock,
): BookingSystem {
  function held(quote: OperatorQuote, quoteHoldMs: number): OperatorQuote {
    if (quote.heldUntil !== null) return quote;
    const retrievedAt = quote.retrievedAt ?? clock.now();
    return { ...quote, retrievedAt, heldUntil: retrievedAt + quoteHoldMs };
  }

  return {
    brand: system.brand,
    limits: system.limits,
    async catalogue(signal, stillReading) {
      const reading = await system.catalogue(signal, stillReading);
      return { ...reading, properties: await withOneScale(reading.properties, ratingScale) };
    },
    calendars: (references, horizon, signal, stillReading) =>
      system.calendars(references, horizon, signal, stillReading),
    changedSince: async (instant, signal) => (await system.changedSince?.(instant, signal)) ?? null,
    prepare: async (signal) => system.prepare?.(signal),
    ...(system.estimates ? { estimates: system.estimates } : {}),
    async quote(request, signal) {
      const outcomes = await system.quote(request, signal);
      if (quoteHoldMs === null) return outcomes;
      return outcomes.map((outcome) =>
        outcome.kind === 'quoted' ? { ...outcome, quote: held(outcome.quote, quoteHoldMs) } : outcome,
      );
    },
    bookings: async (since, signal) => (await system.bookings?.(since, signal)) ?? null,
    restsForMs: (askedBy) => system.restsForMs?.(askedBy) ?? 0,
    budgetUse: () => system.budgetUse?.() ?? null,
    leads: (isLeading) => system.leads?.(isLeading),
    confirmLosses: (confirmed) => system.confirmLosses?.(confirmed),
    close: () => system.close(),
  };
}

/** Listings without a score get the scale that most rated ones of the brand have, or else the one that is stated. */
async function withOneScale(
  properties: readonly Property[],
  stated: number | null,
): Promise<readonly Property[]> {
  const counts = new Map<number, number>();
  const unrated: number[] = [];
  await inTurns(properties.entries(), LISTINGS_A_TURN, ([at, { rating }]) => {
    if (hasScore(rating)) counts.set(rating.scale, (counts.get(rating.scale) ?? 0) + 1);
    else unrated.push(at);
  });
  const [mostUsed] = [...counts].sort(([, one], [, other]) => other - one);
  const scale = mostUsed?.[0] ?? stated;
  if (scale === null || unrated.length === 0) return properties;
  const scaled = [...properties];
  await inTurns(unrated, LISTINGS_A_TURN, (at) => {
    const property = properties[at];
    if (property) scaled[at] = { ...property, rating: { ...property.rating, scale } };
  });
  return scaled;
}
