import type { Clock } from '../../clock.ts';
import type { BrandId } from '../../inventory/catalogue.ts';
import { inTurns } from '../../inventory/in-turns.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { openDeadline, untilAborted } from '../../quotes/deadline.ts';
import type { Day } from '../../stay/day.ts';
import type { Intake, IntakeLaneName } from '../intake/intake.ts';
import type { AvailabilityFeed } from './availability-feed.ts';
import type { FeedFault } from './feed-fault.ts';
import type { FeedFetcher } from './fetch-feed.ts';
import type { PackedNights, StoredNights } from './stored-nights.ts';

/** The nights that are taken in any of the feeds of a home, or why nobody knows. */
export type FeedsReading =
  | {
      readonly kind: 'known';
      takes(checkIn: Day, checkOut: Day): boolean;
      readonly ranges: readonly PackedNights[];
    }
  | { readonly kind: 'unknown'; readonly failure: BookingSystemFailure };

/** The feeds of one brand: each is read at most once a minute, however many ask for it, and kept for when it cannot be. */
export type AvailabilityFeeds = {
  /** Rejects never. Waits no longer than the signal, and then takes what was read before, if it is not too old. */
  read(feeds: readonly AvailabilityFeed[], use: FeedUse, signal: AbortSignal): Promise<FeedsReading>;
  /** Forgets all others, in several turns of the event loop. */
  retain(feeds: Iterable<AvailabilityFeed>): Promise<void>;
  close(): Promise<void>;
};

/** What was stored before a restart is good enough for a calendar, but nobody knows its age, so not for a price. */
export type FeedUse = 'calendar' | 'price';

type AcceptedFeed = {
  readonly nights: PackedNights;
  readonly etag: string | null;
  /** In elapsed time; of a stored one, when it was loaded. */
  readonly elapsedAtReading: number;
  readonly wasStored: boolean;
};

type FeedState = {
  accepted: AcceptedFeed | null;
  /** In elapsed time; null when it was never tried. */
  triedAt: number | null;
  /** Of the last reading; null when it succeeded. */
  failure: BookingSystemFailure | null;
  reading: Promise<void> | null;
};

const MAX_FRESH_MS = 60_000;
const MAX_READING_MS = 10_000;
const FEEDS_A_TURN = 5000;
const MS_PER_DAY = 86_400_000;
/** Twenty ranges in each of five feeds of ten thousand homes, in eight megabytes. */
const MAX_KEPT_RANGES = 1_000_000;

/** Where nothing can be fetched: a home with a feed is not on offer. */
export const UNREADABLE_FEEDS: AvailabilityFeeds = {
  read: async () => ({
    kind: 'unknown',
    failure: new BookingSystemFailure('unreachable', 'feeds are not read here'),
  }),
  retain: async () => undefined,
  close: async () => undefined,
};

export function createAvailabilityFeeds({
  fetcher,
  stored,
  brand,
  clock,
  intake,
  maxAgeMs,
  onLastFeedUsed,
}: {
  readonly fetcher: FeedFetcher;
  readonly stored: StoredNights;
  readonly brand: BrandId;
  readonly clock: Clock;
  readonly intake: Intake;
  /** How long a feed counts after its last successful reading, while it cannot be read again. */
  readonly maxAgeMs: number;
  readonly onLastFeedUsed: (failure: BookingSystemFailure) => void;
}): AvailabilityFeeds {
  const states = new Map<string, FeedState>();
  const closing = new AbortController();
  let keptRanges = 0;

  function stateOf(id: string): FeedState {
    let state = states.get(id);
    if (!state) {
      state = { accepted: null, triedAt: null, failure: null, reading: null };
      states.set(id, state);
    }
    return state;
  }

  async function restore(id: string, state: FeedState): Promise<void> {
    const nights = await stored.of(id).catch(() => undefined);
    if (!nights || state.accepted) return;
    keep(id, state, { nights, etag: null, elapsedAtReading: clock.elapsed(), wasStored: true });
  }

  function keep(id: string, state: FeedState, accepted: AcceptedFeed): void {
    const isKnown = states.get(id) === state;
    const more = (accepted.nights.length - (state.accepted?.nights.length ?? 0)) / 2;
    if (isKnown && keptRanges + more > MAX_KEPT_RANGES) {
      throw new BookingSystemFailure(
        'too_large',
        `the feeds of the brand take more than ${MAX_KEPT_RANGES} ranges`,
      );
    }
    if (isKnown) keptRanges += more;
    state.accepted = accepted;
  }

  /** Goes on when those who asked have left: the next one who asks within a minute uses what it finds. */
  async function readNow(feed: AvailabilityFeed, state: FeedState, use: FeedUse): Promise<void> {
    const isFirst = state.triedAt === null;
    state.triedAt = clock.elapsed();
    const deadline = openDeadline({ clock, timeoutMs: MAX_READING_MS, parent: closing.signal });
    try {
      if (isFirst) await restore(feed.id, state);
      const nights = await fetchNights(feed, state, use, deadline.signal);
      const before = state.accepted;
      keep(feed.id, state, { ...nights, elapsedAtReading: clock.elapsed(), wasStored: false });
      state.failure = null;
      const isNew = !before || !isEqual(before.nights, nights.nights);
      if (isNew && states.get(feed.id) === state) stored.set(feed.id, nights.nights);
    } catch (error) {
      state.failure = asFailure(error);
      if (isUsable(state.accepted, use)) onLastFeedUsed(state.failure);
    } finally {
      deadline.close();
      state.reading = null;
    }
  }

  async function fetchNights(
    { url, timeZone }: AvailabilityFeed,
    { accepted }: FeedState,
    use: FeedUse,
    signal: AbortSignal,
  ): Promise<Pick<AcceptedFeed, 'nights' | 'etag'>> {
    const answer = await untilAborted(fetcher.fetch(url, { etag: accepted?.etag ?? null, signal }), signal);
    if (answer.kind === 'unchanged') {
      if (accepted) return accepted;
      throw new BookingSystemFailure('garbled', 'a feed was called unchanged that was never read');
    }
    const lane: IntakeLaneName = use === 'price' ? 'live_document' : 'background';
    // Yesterday in UTC is today or earlier everywhere.
    const since = Math.floor(clock.now() / MS_PER_DAY) - 1;
    const days: number[] = [];
    const { summary: faults } = await untilAborted(
      intake.run({
        task: 'availability_feed',
        lane,
        brand,
        document: answer.bytes,
        parameters: { timeZone, since },
        signal,
        take(ranges) {
          for (const { from, to } of ranges) days.push(from, to);
        },
      }),
      signal,
    );
    if (faults.length > 0) throw new BookingSystemFailure('garbled', describe(faults));
    return { nights: Int32Array.from(days), etag: answer.etag };
  }

  function isUsable(accepted: AcceptedFeed | null, use: FeedUse): accepted is AcceptedFeed {
    if (!accepted || (use === 'price' && accepted.wasStored)) return false;
    return clock.elapsed() - accepted.elapsedAtReading <= maxAgeMs;
  }

  async function readOne(feed: AvailabilityFeed, use: FeedUse, signal: AbortSignal): Promise<FeedState> {
    const state = stateOf(feed.id);
    const isDue = state.triedAt === null || clock.elapsed() - state.triedAt >= MAX_FRESH_MS;
    if (!state.reading && isDue && !signal.aborted && !closing.signal.aborted) {
      state.reading = readNow(feed, state, use);
    }
    if (state.reading) await untilAborted(state.reading, signal).catch(() => undefined);
    return state;
  }

  return {
    async read(feeds, use, signal) {
      const read = await Promise.all(feeds.map((feed) => readOne(feed, use, signal)));
      const ranges: PackedNights[] = [];
      for (const { accepted, failure } of read) {
        if (!isUsable(accepted, use)) {
          return {
            kind: 'unknown',
            failure: failure ?? new BookingSystemFailure('timeout', 'it was not read in time'),
          };
        }
        ranges.push(accepted.nights);
      }
      return { kind: 'known', ranges, takes: (checkIn, checkOut) => takesANight(ranges, checkIn, checkOut) };
    },
    async retain(feeds) {
      const named = new Set<string>();
      await inTurns(feeds, FEEDS_A_TURN, ({ id }) => named.add(id));
      await inTurns(states, FEEDS_A_TURN, ([id, { accepted }]) => {
        if (named.has(id)) return;
        keptRanges -= (accepted?.nights.length ?? 0) / 2;
        states.delete(id);
      });
      stored.retain(named);
    },
    async close() {
      closing.abort(new BookingSystemFailure('unreachable', 'the service ends'));
      await Promise.all([stored.close(), fetcher.close()]);
    },
  };
}

function takesANight(ranges: readonly PackedNights[], checkIn: Day, checkOut: Day): boolean {
  return ranges.some((nights) => {
    for (let at = 0; at < nights.length; at += 2) {
      const [from = 0, to = 0] = [nights[at], nights[at + 1]];
      if (from < checkOut && checkIn < to) return true;
    }
    return false;
  });
}

function isEqual(one: PackedNights, other: PackedNights): boolean {
  return one.length === other.length && one.every((day, index) => day === other[index]);
}

function describe(faults: readonly FeedFault[]): string {
  const [first] = faults;
  const others = faults.length > 1 ? `, and ${faults.length - 1} more faults` : '';
  return `line ${first?.line}: ${first?.message}${others}`;
}

function asFailure(error: unknown): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  return new BookingSystemFailure('unreachable', 'the feed could not be fetched', { cause: error });
}
