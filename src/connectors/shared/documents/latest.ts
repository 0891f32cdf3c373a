import type { Clock } from '../../../clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../../../limits/deadline.ts';
import type { CallUrgency } from '../../../limits/window-count.ts';

/** The content of a source, and when its reading began, in elapsed time; null for content of an earlier process. */
export type Dated<Content> = { readonly content: Content; readonly readAt: number | null };

/** The last accepted content of a source that an operator publishes, and ways to read it again. */
export type Latest<Content> = {
  /** Reads the source, or joins a reading in flight. The reading continues when its callers leave. */
  read(urgency: CallUrgency, signal: AbortSignal): Promise<Dated<Content>>;
  /** For a price: reads now; if that fails or takes too long, returns the last content, unless it is too old. */
  fresh(signal: AbortSignal): Promise<Dated<Content>>;
  last(): Dated<Content> | undefined;
  /** Content of an earlier process, unless the source has been read meanwhile. */
  restore(content: Content): Dated<Content>;
  ageOf(dated: Dated<Content>): number;
  close(): void;
};

/** Leaves time to price from the last content within the four seconds of a quote call. */
const MAX_READING_FOR_A_PRICE_MS = 2500;

export function createLatest<Content>({
  read,
  clock,
  maxAgeMs,
  minIntervalMs = 0,
  onLastUsed = () => undefined,
}: {
  /** `known`: the last content, which may be returned again when the source has not changed. */
  readonly read: (reading: {
    readonly known: Content | undefined;
    readonly urgency: CallUrgency;
    readonly signal: AbortSignal;
  }) => Promise<Content>;
  readonly clock: Clock;
  /** How long prices come from the last content. */
  readonly maxAgeMs: number;
  /** Within this time the outcome of the last reading counts, a failure too. */
  readonly minIntervalMs?: number;
  readonly onLastUsed?: (failure: BookingSystemFailure) => void;
}): Latest<Content> {
  const closing = new AbortController();
  let last: Dated<Content> | undefined;
  let reading: {
    readonly outcome: Promise<Dated<Content>>;
    readonly begunAt: number;
    isOver: boolean;
  } | null = null;

  async function begin(urgency: CallUrgency, readAt: number): Promise<Dated<Content>> {
    const content = await read({ known: last?.content, urgency, signal: closing.signal });
    last = { content, readAt };
    return last;
  }

  function readingOf(urgency: CallUrgency): Promise<Dated<Content>> {
    const now = clock.elapsed();
    if (reading && (!reading.isOver || now - reading.begunAt < minIntervalMs)) return reading.outcome;
    const begun = { outcome: begin(urgency, now), begunAt: now, isOver: false };
    const end = () => {
      begun.isOver = true;
    };
    begun.outcome.then(end, end);
    reading = begun;
    return begun.outcome;
  }

  async function joined(urgency: CallUrgency, signal: AbortSignal): Promise<Dated<Content>> {
    if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
    return await untilAborted(readingOf(urgency), signal);
  }

  function ageOf({ readAt }: Dated<Content>): number {
    return readAt === null ? Number.POSITIVE_INFINITY : clock.elapsed() - readAt;
  }

  return {
    read: joined,
    last: () => last,
    restore: (content) => (last ??= { content, readAt: null }),
    ageOf,
    close: () => closing.abort(new BookingSystemFailure('unreachable', 'the service ends')),
    async fresh(signal) {
      const deadline = openDeadline({ clock, timeoutMs: MAX_READING_FOR_A_PRICE_MS, parent: signal });
      try {
        return await joined('live', deadline.signal);
      } catch (error) {
        if (!last || signal.aborted || ageOf(last) > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onLastUsed(error);
        return last;
      } finally {
        deadline.close();
      }
    },
  };
}
