import type { Clock } from '../../clock.ts';
import type { BrandId } from '../../inventory/catalogue.ts';
import { inTurns } from '../../inventory/in-turns.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { openDeadline, untilAborted } from '../../quotes/deadline.ts';
import type { Day } from '../../stay/day.ts';
import type { Intake, IntakeLaneName } from '../intake/intake.ts';
import type { AvailabilityFeed } from './availability-feed.ts';
import type { FeedFault } from './feed-fault.ts';
import type { EndTurn, FeedPace } from './feed-pace.ts';
import type { FeedFetcher, FetchedFeed } from './fetch-feed.ts';
import type { PackedNights } from './packed-nights.ts';
import { createSilentOrigins } from './silent-origins.ts';
import type { StoredNights } from './stored-nights.ts';

/** The nights that are taken in any of the feeds of a home, or why nobody knows. */
export type FeedsReading =
  | {
      readonly kind: 'known';
      takes(checkIn: Day, checkOut: Day): boolean;
      readonly ranges: readonly PackedNights[];
    }
  | { readonly kind: 'unknown'; readonly failure: BookingSystemFailure };

/** The feeds of one brand: each is read at most once a minute, however many ask for it, at the pace of all feeds, and kept for when it cannot be. */
export type AvailabilityFeeds = {
  /** Rejects never. Waits no longer than the signal, for a turn too, and then takes what was read before, if it is not too old. */
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
  /** What was stored before a restart was looked for. */
  isRestored: boolean;
  /** In elapsed time; null when it was never tried. */
  triedAt: number | null;
  /** Of the last reading; null when it succeeded. */
  failure: BookingSystemFailure | null;
  /** Whether it came to an end, or was given up before its turn. */
  reading: Promise<'ended' | 'given_up'> | null;
  /** Of the reading, until its turn comes. */
  wait: TurnWait | null;
  /** How many wait for the reading. */
  askers: number;
};

type TurnWait = {
  readonly origin: string;
  readonly givingUp: AbortController;
  readonly hurry: AbortController;
};

const MAX_FRESH_MS = 60_000;
const MAX_READING_MS = 10_000;
const FEEDS_A_TURN = 5000;
const MS_PER_DAY = 86_400_000;
/** Twenty ranges in each of five feeds of ten thousand homes, in eight megabytes. */
const MAX_KEPT_RANGES = 1_000_000;
/** Five feeds of each of the twenty thousand homes that a brand may have. A card can name others whenever it is read. */
const MAX_REMEMBERED_FEEDS = 100_000;

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
  maxRemembered = MAX_REMEMBERED_FEEDS,
  pace,
  onLastFeedUsed,
}: {
  readonly fetcher: FeedFetcher;
  readonly stored: StoredNights;
  readonly brand: BrandId;
  readonly clock: Clock;
  readonly intake: Intake;
  /** How long a feed counts after its last successful reading, while it cannot be read again. */
  readonly maxAgeMs: number;
  /** Whichever was not asked for for longest is forgotten beyond it. */
  readonly maxRemembered?: number;
  /** Shared by all brands. */
  readonly pace: FeedPace;
  readonly onLastFeedUsed: (failure: BookingSystemFailure) => void;
}): AvailabilityFeeds {
  /** Whichever was not asked for for longest first. */
  const states = new Map<string, FeedState>();
  const waits = new Set<TurnWait>();
  const silentOrigins = createSilentOrigins(clock);
  const closing = new AbortController();
  let keptRanges = 0;
  let latestNamed: ReadonlySet<string> | undefined;

  function stateOf(id: string): FeedState {
    const known = states.get(id);
    const state = known ?? {
      accepted: null,
      isRestored: false,
      triedAt: null,
      failure: null,
      reading: null,
      wait: null,
      askers: 0,
    };
    if (known) states.delete(id);
    else if (states.size >= maxRemembered) forgetOne();
    states.set(id, state);
    return state;
  }

  function forgetOne(): void {
    for (const [id, state] of states) {
      if (state.reading) continue;
      forget(id, state);
      stored.forget(id);
      return;
    }
  }

  function forget(id: string, { accepted }: FeedState): void {
    keptRanges -= (accepted?.nights.length ?? 0) / 2;
    states.delete(id);
  }

  async function restore(id: string, state: FeedState): Promise<void> {
    if (state.isRestored) return;
    const nights = await stored.of(id).catch(() => undefined);
    state.isRestored = true;
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

  /** Waits for its turn as long as anybody waits for it. */
  async function readInTurn(
    feed: AvailabilityFeed,
    state: FeedState,
    use: FeedUse,
  ): Promise<'ended' | 'given_up'> {
    const { origin, hostname: host } = new URL(feed.url);
    const wait: TurnWait = { origin, givingUp: new AbortController(), hurry: new AbortController() };
    let end: EndTurn | undefined;
    state.wait = wait;
    waits.add(wait);
    try {
      await restore(feed.id, state);
      if (silentOrigins.isSilent(origin)) {
        throw new BookingSystemFailure('timeout', 'the last feeds on its server gave no answer');
      }
      end = await pace.turn({
        host,
        brand,
        urgency: use === 'price' ? 'live' : 'background',
        hurry: wait.hurry.signal,
        signal: wait.givingUp.signal,
      });
      const usedBy = wait.hurry.signal.aborted ? 'price' : use;
      stopWaiting(state, wait);
      await readNow(feed, state, usedBy);
      if (silentOrigins.isSilent(origin)) giveUpWaits(origin);
      return 'ended';
    } catch (error) {
      if (wait.givingUp.signal.aborted) return 'given_up';
      failed(state, use, error);
      return 'ended';
    } finally {
      end?.();
      stopWaiting(state, wait);
      state.reading = null;
    }
  }

  function stopWaiting(state: FeedState, wait: TurnWait): void {
    waits.delete(wait);
    if (state.wait === wait) state.wait = null;
  }

  /** Those who still want them start again, and learn that nothing is asked of the server for a while. */
  function giveUpWaits(silent: string): void {
    for (const { origin, givingUp } of waits) if (origin === silent) givingUp.abort();
  }

  function failed(state: FeedState, use: FeedUse, error: unknown): void {
    state.failure = asFailure(error);
    if (isUsable(state.accepted, use)) onLastFeedUsed(state.failure);
  }

  /** Goes on when those who asked have left: the next one who asks within a minute uses what it finds. */
  async function readNow(feed: AvailabilityFeed, state: FeedState, use: FeedUse): Promise<void> {
    state.triedAt = clock.elapsed();
    const deadline = openDeadline({ clock, timeoutMs: MAX_READING_MS, parent: closing.signal });
    try {
      const nights = await fetchNights(feed, state, use, deadline.signal);
      const before = state.accepted;
      keep(feed.id, state, { ...nights, elapsedAtReading: clock.elapsed(), wasStored: false });
      state.failure = null;
      const isNew = !before || !isEqual(before.nights, nights.nights);
      if (isNew && states.get(feed.id) === state) stored.set(feed.id, nights.nights);
    } catch (error) {
      failed(state, use, error);
    } finally {
      deadline.close();
    }
  }

  async function fetchNights(
    { url, timeZone }: AvailabilityFeed,
    { accepted }: FeedState,
    use: FeedUse,
    signal: AbortSignal,
  ): Promise<Pick<AcceptedFeed, 'nights' | 'etag'>> {
    const answer = await ask(url, accepted?.etag ?? null, signal);
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

  async function ask(url: string, etag: string | null, signal: AbortSignal): Promise<FetchedFeed> {
    const { origin } = new URL(url);
    const askedAt = clock.elapsed();
    try {
      const answer = await untilAborted(fetcher.fetch(url, { etag, signal }), signal);
      silentOrigins.noteAnswer(origin);
      return answer;
    } catch (error) {
      silentOrigins.noteFailure(origin, asFailure(error), clock.elapsed() - askedAt);
      throw error;
    }
  }

  function isUsable(accepted: AcceptedFeed | null, use: FeedUse): accepted is AcceptedFeed {
    if (!accepted || (use === 'price' && accepted.wasStored)) return false;
    return clock.elapsed() - accepted.elapsedAtReading <= maxAgeMs;
  }

  function isDue({ triedAt }: FeedState): boolean {
    return triedAt === null || clock.elapsed() - triedAt >= MAX_FRESH_MS;
  }

  async function readOne(feed: AvailabilityFeed, use: FeedUse, signal: AbortSignal): Promise<FeedState> {
    const state = stateOf(feed.id);
    while (!signal.aborted && !closing.signal.aborted) {
      if (!state.reading && isDue(state)) state.reading = readInTurn(feed, state, use);
      // What another has given up is wanted all the same.
      if (!state.reading || (await joinReading(state, state.reading, use, signal)) === 'ended') break;
    }
    return state;
  }

  async function joinReading(
    state: FeedState,
    reading: NonNullable<FeedState['reading']>,
    use: FeedUse,
    signal: AbortSignal,
  ): Promise<'ended' | 'given_up'> {
    state.askers += 1;
    if (use === 'price') state.wait?.hurry.abort();
    try {
      return await untilAborted(reading, signal);
    } catch {
      return 'given_up';
    } finally {
      state.askers -= 1;
      if (state.askers === 0) state.wait?.givingUp.abort();
    }
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
      latestNamed = named;
      await inTurns(feeds, FEEDS_A_TURN, ({ id }) => named.add(id));
      await inTurns(states, FEEDS_A_TURN, ([id, state]) => {
        // Another card may have been read by now.
        if (latestNamed === named && !named.has(id)) forget(id, state);
      });
      if (latestNamed === named) await stored.retain(named);
    },
    async close() {
      closing.abort(new BookingSystemFailure('unreachable', 'the service ends'));
      for (const { givingUp } of waits) givingUp.abort();
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
