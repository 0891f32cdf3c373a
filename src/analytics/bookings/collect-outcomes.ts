import type { BrandId } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import type { BookingReports, ReportedBooking } from '../../quotes/booking.ts';
import type { Random } from '../../random.ts';
import { type BookingOutcomes, type JoinQuotesTools, joinQuotes } from './booking-outcomes.ts';

/** The part of `BookingSystem` that reports bookings. */
export type ReportingSystem = {
  bookings?(since: number, signal: AbortSignal): Promise<BookingReports | null>;
};

export type CollectedCounts = {
  readonly bookings: number;
  /** Bookings that could not be read, or were of another brand. */
  readonly leftOut: number;
  /** Bookings beyond the limits of a collection or of a brand. */
  readonly tooMany: number;
};

export type CollectOutcomesObserver = {
  collected(brand: BrandId, counts: CollectedCounts): void;
  failed(brand: BrandId, failure: unknown): void;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** Overlap of the periods, for bookings that were reported late or cancelled during an outage. */
const OVERLAP_MS = 7 * DAY_MS;
const FIRST_REACH_MS = 90 * DAY_MS;
/** For a system that fails repeatedly, and for one that reports no bookings. */
const MAX_PAUSE_MS = DAY_MS;
/** Bounds the cost of invented bookings. The limit of a collection holds for known and for new bookings separately. */
const MAX_BOOKINGS_AT_ONCE = 10_000;
const MAX_BOOKINGS_OF_A_BRAND = 100_000;
/** Spreads the requests of the brands over time. */
const SPREAD = 0.2;

/** Requests from each booking system that reports them the bookings that followed our links, every `everyMs`. Never rejects. */
export function startCollectingOutcomes({
  systems,
  mayAsk,
  ledger,
  outcomes,
  clock,
  random,
  everyMs,
  observe,
}: {
  readonly systems: ReadonlyMap<BrandId, ReportingSystem>;
  /** Whether this node, of all that share the store, reads the brand. */
  readonly mayAsk: (brand: BrandId) => boolean;
  readonly ledger: JoinQuotesTools['ledger'];
  readonly outcomes: Pick<BookingOutcomes, 'put' | 'ofQuote' | 'known' | 'count' | 'lastCollectedAt'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly everyMs: number;
  readonly observe: CollectOutcomesObserver;
}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const waiting = new Map<BrandId, () => void>();
  const asking = new Map<BrandId, Promise<void>>();
  for (const [brand, system] of systems) {
    if (system.bookings) askAfter(brand, system, fraction() * everyMs * SPREAD, 0);
  }
  return {
    async stop() {
      stopping.abort();
      for (const cancel of waiting.values()) cancel();
      await Promise.all(asking.values());
    },
  };

  function askAfter(brand: BrandId, system: ReportingSystem, pauseMs: number, failures: number): void {
    const cancel = clock.after(pauseMs, () => {
      asking.set(
        brand,
        ask(brand, system, failures).then(({ pauseMs: next, failures: inARow }) => {
          if (!stopping.signal.aborted) askAfter(brand, system, spread(next), inARow);
        }),
      );
    });
    waiting.set(brand, cancel);
  }

  async function ask(brand: BrandId, system: ReportingSystem, failures: number) {
    if (!mayAsk(brand)) return { pauseMs: everyMs, failures };
    try {
      const reports = await system.bookings?.(await sinceOf(brand), stopping.signal);
      // The system lacks this call, and may get it with its next release.
      if (!reports) return { pauseMs: MAX_PAUSE_MS, failures: 0 };
      await take(brand, reports);
      return { pauseMs: everyMs, failures: 0 };
    } catch (failure) {
      if (!stopping.signal.aborted) observe.failed(brand, failure);
      return { pauseMs: Math.min(everyMs * 2 ** (failures + 1), MAX_PAUSE_MS), failures: failures + 1 };
    }
  }

  async function sinceOf(brand: BrandId): Promise<number> {
    const last = await outcomes.lastCollectedAt(brand);
    const now = clock.now();
    // A wrong clock may have stored an instant in the future.
    return last === null ? now - FIRST_REACH_MS : Math.min(last, now) - OVERLAP_MS;
  }

  async function take(brand: BrandId, { bookings, leftOut }: BookingReports): Promise<void> {
    // An operator may report for its own brand alone.
    const own = bookings.filter((booking) => booking.brand === brand);
    const taken = await thoseThatFit(brand, own);
    const now = clock.now();
    const joined = await joinQuotes(taken, { reportedAt: now, collectedAt: now }, { ledger, outcomes });
    if (joined.outcomes.length > 0) await outcomes.put(joined.outcomes);
    observe.collected(brand, {
      bookings: joined.outcomes.length,
      leftOut: leftOut + bookings.length - own.length,
      tooMany: own.length - taken.length,
    });
  }

  /** Known bookings need no capacity: a cancellation counts even when the brand is at its limit. */
  async function thoseThatFit(
    brand: BrandId,
    bookings: readonly ReportedBooking[],
  ): Promise<readonly ReportedBooking[]> {
    const capacity = await capacityOf(brand);
    const known: ReportedBooking[] = [];
    const others: ReportedBooking[] = [];
    for (let from = 0; from < bookings.length; from += MAX_BOOKINGS_AT_ONCE) {
      const some = bookings.slice(from, from + MAX_BOOKINGS_AT_ONCE);
      const references = some.map(({ reference }) => reference);
      const found = new Set(await outcomes.known(brand, references));
      const isKnown = ({ reference }: ReportedBooking) => found.has(reference);
      known.push(...some.filter(isKnown));
      others.push(...some.filter((booking) => !isKnown(booking)));
    }
    return [...known.slice(0, MAX_BOOKINGS_AT_ONCE), ...others.slice(0, capacity)];
  }

  async function capacityOf(brand: BrandId): Promise<number> {
    const left = MAX_BOOKINGS_OF_A_BRAND - (await outcomes.count(brand));
    return Math.max(0, Math.min(MAX_BOOKINGS_AT_ONCE, left));
  }

  function spread(milliseconds: number): number {
    return milliseconds * (1 - SPREAD / 2 + fraction() * SPREAD);
  }

  function fraction(): number {
    return random.bytes(4).readUInt32BE() / 2 ** 32;
  }
}
