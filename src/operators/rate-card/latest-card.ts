import type { Clock } from '../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../quotes/booking-system.ts';
import { createCoalescer } from '../../quotes/coalesce.ts';
import { openDeadline } from '../../quotes/deadline.ts';
import type { StoredDocument } from '../connector.ts';
import type { ListingContext } from '../listing-reader.ts';
import type { RateCardSource } from './rate-card-source.ts';
import { type AcceptedCard, readRateCard } from './read-rate-card.ts';

/** A card with the time of the reading that found it, or found it unchanged, in epoch milliseconds. */
export type ReadCard = AcceptedCard & { readonly readAt: number };

/** The rate card that was accepted last, and how it is read again. */
export type LatestCard = {
  /** Reads the source, or joins the reading in flight. A source that is out of reach leaves the card as it is. */
  refreshed(signal: AbortSignal): Promise<AcceptedCard>;
  /** For pricing: read now, or at most `maxAgeMs` ago if it cannot be read now. */
  fresh(signal: AbortSignal): Promise<ReadCard>;
  /** However old; after a restart it is the stored one. */
  accepted(): Promise<AcceptedCard | undefined>;
};

type KeptCard = AcceptedCard & {
  readonly json: string;
  readonly version: string | null;
  /** In elapsed time; null for the stored card of an earlier process, whose age nobody knows. */
  readonly elapsedAtReading: number | null;
};

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
  maxAgeMs,
  onOutOfReach,
}: {
  readonly source: RateCardSource;
  readonly stored: StoredDocument;
  readonly context: ListingContext;
  readonly clock: Clock;
  readonly maxAgeMs: number;
  readonly onOutOfReach: (failure: BookingSystemFailure) => void;
}): LatestCard {
  const shareReading = createCoalescer<ReadCard>();
  let kept: KeptCard | undefined;

  async function read(signal: AbortSignal): Promise<ReadCard> {
    // The version of the accepted document, not of the one read last: a refused document is read and refused again.
    const known = kept;
    const answer = await source.read({ version: known?.version ?? null, signal });
    const [readAt, elapsedAtReading] = [clock.now(), clock.elapsed()];
    if (answer.kind === 'unchanged' || answer.json === known?.json) {
      if (!known) {
        throw new BookingSystemFailure('garbled', 'a rate card was called unchanged that was never read');
      }
      const version = answer.kind === 'unchanged' ? known.version : answer.version;
      return { ...keep({ ...known, version, elapsedAtReading }), readAt };
    }
    const { json, version } = answer;
    const card = keep({ ...readRateCard(json, context), json, version, elapsedAtReading });
    await stored.save(json);
    return { ...card, readAt };
  }

  function keep(card: KeptCard): KeptCard {
    kept = card;
    return card;
  }

  const readTogether = (signal: AbortSignal) => shareReading('the card', read, signal);

  async function accepted(): Promise<KeptCard | undefined> {
    if (kept) return kept;
    const json = await stored.read();
    if (json !== undefined && !kept) {
      kept = { ...readRateCard(json, context), json, version: null, elapsedAtReading: null };
    }
    return kept;
  }

  return {
    accepted,
    async refreshed(signal) {
      try {
        return await readTogether(signal);
      } catch (error) {
        if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
        const isOutOfReach = error instanceof BookingSystemFailure && OUT_OF_REACH.has(error.kind);
        const last = isOutOfReach ? await accepted() : undefined;
        if (!isOutOfReach || !last) throw error;
        onOutOfReach(error);
        return last;
      }
    },
    async fresh(signal) {
      const deadline = openDeadline({ clock, timeoutMs: MAX_READING_FOR_A_PRICE_MS, parent: signal });
      try {
        return await readTogether(deadline.signal);
      } catch (error) {
        const last = kept;
        if (!last || last.elapsedAtReading === null || signal.aborted) throw error;
        const ageMs = clock.elapsed() - last.elapsedAtReading;
        if (ageMs > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onOutOfReach(error);
        // By the wall clock as it stands: if it was stepped back, the old time would be in the future.
        return { ...last, readAt: Math.floor(clock.now() - ageMs) };
      } finally {
        deadline.close();
      }
    },
  };
}
