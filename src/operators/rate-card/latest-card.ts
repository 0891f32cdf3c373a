import type { Clock } from '../../clock.ts';
import type { BrandBudget } from '../../inventory/brand-budget.ts';
import { BookingSystemFailure, type FailureKind } from '../../quotes/booking-system.ts';
import { createCoalescer } from '../../quotes/coalesce.ts';
import { openDeadline } from '../../quotes/deadline.ts';
import type { OwnedBytes } from '../../worker-thread.ts';
import { createBudgetMeter } from '../budget-meter.ts';
import type { StoredDocument } from '../connector.ts';
import type { Intake, IntakeLaneName } from '../intake/intake.ts';
import type { ListingContext } from '../listing-reader.ts';
import type { RateCardSource } from './rate-card-source.ts';
import type { AcceptedCard, CardEntry } from './read-rate-card.ts';

/** A card with the time of the reading that found it, or found it unchanged, in epoch milliseconds. */
export type ReadCard = AcceptedCard & { readonly readAt: number };

/** The rate card that was accepted last, and how it is read again. */
export type LatestCard = {
  /** Reads the source, or joins the reading in flight. A source that is out of reach leaves the card as it is. */
  refreshed(signal: AbortSignal): Promise<AcceptedCard>;
  /** For pricing: read now, or at most `maxAgeMs` ago if it cannot be read now. */
  fresh(signal: AbortSignal): Promise<ReadCard>;
  /** However old; after a restart it is the stored one. */
  accepted(signal: AbortSignal): Promise<AcceptedCard | undefined>;
};

type KeptCard = AcceptedCard & {
  /** Of its document, which may be 16 MiB long and is not kept itself. Null for the stored card of an earlier process. */
  readonly digest: string | null;
  readonly version: string | null;
  /** In elapsed time; null for the stored card of an earlier process, whose age nobody knows. */
  readonly elapsedAtReading: number | null;
  /** The number of its reading: a reading that was overtaken by a later one is of no use. */
  readonly turn: number;
};

type DatedCard = KeptCard & { readonly elapsedAtReading: number };

/** Failures to reach the document, not of the document itself. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
]);

/** Leaves time to price from the last card within the four seconds of a quote call. */
const MAX_READING_FOR_A_PRICE_MS = 2500;

export function createLatestCard({
  source,
  stored,
  context,
  clock,
  intake,
  budget,
  maxAgeMs,
  onLastDocumentUsed,
}: {
  readonly source: RateCardSource;
  readonly stored: StoredDocument;
  readonly context: ListingContext;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly budget: BrandBudget;
  readonly maxAgeMs: number;
  readonly onLastDocumentUsed: (failure: BookingSystemFailure) => void;
}): LatestCard {
  const { places: _, ...brandContext } = context;
  const shareReading = createCoalescer<ReadCard>();
  let kept: KeptCard | undefined;
  let turns = 0;
  let liveReadings = 0;

  async function read(signal: AbortSignal, lane: IntakeLaneName): Promise<ReadCard> {
    turns += 1;
    const turn = turns;
    // The version of the accepted document, not of the one read last: a refused document is read and refused again.
    const known = kept;
    const answer = await source.read({ version: known?.version ?? null, signal });
    const elapsedAtReading = clock.elapsed();
    const isKnown =
      answer.kind === 'unchanged' || (answer.digest !== null && answer.digest === known?.digest);
    if (isKnown) {
      if (!known) {
        throw new BookingSystemFailure('garbled', 'a rate card was called unchanged that was never read');
      }
      const version = answer.kind === 'unchanged' ? known.version : answer.version;
      return keep({ ...known, version, elapsedAtReading, turn }).card;
    }
    const { digest, version } = answer;
    const { card, document } = await readDocument(answer.bytes, { signal, lane, returnsDocument: true });
    const { card: current, isNew } = keep({ ...card, digest, version, elapsedAtReading, turn });
    if (isNew && document) await stored.save(document);
    return current;
  }

  async function readDocument(
    document: OwnedBytes,
    options: {
      readonly signal: AbortSignal;
      readonly lane: IntakeLaneName;
      readonly returnsDocument: boolean;
    },
  ): Promise<{ readonly card: AcceptedCard; readonly document: OwnedBytes | null }> {
    const entries = new Map<string, CardEntry>();
    const meter = createBudgetMeter(budget);
    const result = await intake.run({
      task: 'rate_card',
      brand: context.brand,
      document,
      parameters: brandContext,
      ...options,
      take(items, bytes) {
        meter.kept(items.length, bytes);
        for (const entry of items) entries.set(entry.property.reference, entry);
      },
    });
    const properties = Array.from(entries.values(), ({ property }) => property);
    return {
      card: { entries, reading: { properties, ...result.summary } },
      document: result.document,
    };
  }

  /** The card of a later reading stays when there is one. */
  function keep(card: DatedCard): { readonly card: ReadCard; readonly isNew: boolean } {
    if (kept && isDated(kept) && kept.turn > card.turn) return { card: asRead(kept), isNew: false };
    kept = card;
    return { card: asRead(card), isNew: true };
  }

  /** By the wall clock as it stands: if it was stepped back, the time of the reading would be in the future. */
  function asRead(card: DatedCard): ReadCard {
    return { ...card, readAt: Math.floor(clock.now() - ageOf(card)) };
  }

  function ageOf({ elapsedAtReading }: DatedCard): number {
    return clock.elapsed() - elapsedAtReading;
  }

  function readForAPrice(signal: AbortSignal): Promise<ReadCard> {
    const start = async (shared: AbortSignal) => {
      liveReadings += 1;
      try {
        return await read(shared, 'live_document');
      } finally {
        liveReadings -= 1;
      }
    };
    return shareReading('for a price', start, signal);
  }

  /** A refresh joins a reading for a price, but no price waits for a refresh. */
  function readForARefresh(signal: AbortSignal): Promise<ReadCard> {
    if (liveReadings > 0) return readForAPrice(signal);
    return shareReading('for a refresh', (shared) => read(shared, 'background'), signal);
  }

  async function accepted(signal: AbortSignal): Promise<KeptCard | undefined> {
    if (kept) return kept;
    const document = await stored.read();
    if (document === undefined || kept) return kept;
    const { card } = await readDocument(document, { signal, lane: 'background', returnsDocument: false });
    kept ??= { ...card, digest: null, version: null, elapsedAtReading: null, turn: 0 };
    return kept;
  }

  return {
    accepted,
    async refreshed(signal) {
      try {
        return await readForARefresh(signal);
      } catch (error) {
        if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
        const isOutOfReach = error instanceof BookingSystemFailure && OUT_OF_REACH.has(error.kind);
        const last = isOutOfReach ? await accepted(signal) : undefined;
        if (!isOutOfReach || !last) throw error;
        onLastDocumentUsed(error);
        return last;
      }
    },
    async fresh(signal) {
      const deadline = openDeadline({ clock, timeoutMs: MAX_READING_FOR_A_PRICE_MS, parent: signal });
      try {
        return await readForAPrice(deadline.signal);
      } catch (error) {
        const last = kept;
        if (!last || !isDated(last) || signal.aborted || ageOf(last) > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onLastDocumentUsed(error);
        return asRead(last);
      } finally {
        deadline.close();
      }
    },
  };
}

function isDated(card: KeptCard): card is DatedCard {
  return card.elapsedAtReading !== null;
}
