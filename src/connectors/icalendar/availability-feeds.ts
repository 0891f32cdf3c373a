import type { BrandId } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../../limits/deadline.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { type Day, MS_PER_DAY } from '../../stay/day.ts';
import { todayIn } from '../../stay/time-zone.ts';
import type { Intake, IntakeLaneName } from '../shared/intake/intake.ts';
import type { FeedFault } from './content-lines.ts';
import type { EndTurn, FeedPace } from './feed-pace.ts';
import type { FeedFetcher, FetchedFeed } from './fetch-feed.ts';
import { createSilentOrigins } from './fetch-feed.ts';
import type { AvailabilityFeed, PackedNights, StoredNights } from './stored-nights.ts';
import { doubtfulLoss, type LostNights } from './stored-nights.ts';

/** The nights that the feeds of a home take, or the failure that makes them unknown. */
export type FeedsReading =
  | {
      readonly kind: 'known';
      takes(checkIn: Day, checkOut: Day): boolean;
      readonly ranges: readonly PackedNights[];
      /** Losses of feeds whose latest reading lacks all or most of their nights. The lost nights still count as taken. */
      readonly lost: readonly FeedLoss[];
    }
  | { readonly kind: 'unknown'; readonly failure: BookingSystemFailure };

export type FeedLoss = LostNights & {
  /** When the loss was first seen, in epoch milliseconds. */
  readonly since: number;
};

/**
 * The feeds of one brand. Reads each at most once a minute for all callers, at the pace that all brands share. While a feed cannot be
 * read, its last reading counts.
 */
export type AvailabilityFeeds = {
  /** Never rejects. When the signal aborts, even before the feed's turn, uses the last reading, unless it is too old. */
  read(
    feeds: readonly AvailabilityFeed[],
    use: FeedUse,
    signal: AbortSignal,
    /** When the owner last confirmed the losses of the feeds, in epoch milliseconds. */
    confirmedAt?: number,
  ): Promise<FeedsReading>;
  /** Drops all other feeds, in several turns of the event loop. */
  retain(feeds: Iterable<AvailabilityFeed>): Promise<void>;
  /**
   * Whether this node reads the calendars of the brand; true until the first call. Only the leader doubts losses and stores nights: other
   * nodes price the stays that its calendars offer. A new leader continues with the nights that the last one stored.
   */
  leads(isLeading: boolean): void;
  close(): Promise<void>;
};

/** Nights stored before a restart suffice for a calendar, but not for a price, because their age is unknown. */
export type FeedUse = 'calendar' | 'price';

type AcceptedFeed = {
  readonly nights: PackedNights;
  /** The last reading, while it lacks most of `nights`; those still count as taken. */
  readonly doubted: { readonly since: number; readonly nights: PackedNights } | null;
  /** The ETag of the last reading. */
  readonly etag: string | null;
  /** The reading left out nights before this day. */
  readonly since: Day;
  /** In elapsed time. For stored nights: when they were loaded. */
  readonly elapsedAtReading: number;
  readonly wasStored: boolean;
};

type FeedState = {
  accepted: AcceptedFeed | null;
  /** Whether the nights stored before a restart have been looked up. */
  isRestored: boolean;
  /** In elapsed time; null before the first try. */
  triedAt: number | null;
  /** The failure of the last reading; null when it succeeded. */
  failure: BookingSystemFailure | null;
  /** Resolves when the reading ended, or was given up before its turn. */
  reading: Promise<'ended' | 'given_up'> | null;
  /** The wait of the reading for its turn. */
  wait: TurnWait | null;
  /** The number of callers that wait for the reading. */
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
/** Channels recover sooner; a cancelled stay is rarely booked again within it. */
export const DOUBTED_FOR_MS = 6 * 3_600_000;
/** Twenty ranges in each of five feeds of ten thousand homes: eight megabytes. */
const MAX_KEPT_RANGES = 1_000_000;
/** One feed per home of the default budget. Limited, because each version of a card can name other feeds. */
const MAX_REMEMBERED_FEEDS = 100_000;

const FOREIGN = new BookingSystemFailure(
  'unreachable',
  'it is on a host of another brand, or of the API of a vendor, that the owner of the network has not registered for this brand',
);

/** For surroundings without a network: a home with a feed is not on offer. */
export const UNREADABLE_FEEDS: AvailabilityFeeds = {
  read: async () => ({
    kind: 'unknown',
    failure: new BookingSystemFailure('unreachable', 'feeds are not read here'),
  }),
  retain: async () => undefined,
  leads: () => undefined,
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
  isForeign,
  onLastFeedUsed,
}: {
  readonly fetcher: FeedFetcher;
  readonly stored: StoredNights;
  readonly brand: BrandId;
  readonly clock: Clock;
  readonly intake: Intake;
  /** How long the last reading of a feed counts while the feed cannot be read. */
  readonly maxAgeMs: number;
  /** Beyond this number, drops the least recently used feed. */
  readonly maxRemembered?: number;
  /** Shared by all brands. */
  readonly pace: FeedPace;
  /** Whether the address is on a server that belongs to another brand or to a vendor. */
  readonly isForeign: (url: string) => boolean;
  readonly onLastFeedUsed: (failure: BookingSystemFailure) => void;
}): AvailabilityFeeds {
  /** By feed, the least recently used first. */
  const states = new Map<string, FeedState>();
  const waits = new Set<TurnWait>();
  const silentOrigins = createSilentOrigins(clock);
  const closing = new AbortController();
  let keptRanges = 0;
  let isLeading = true;
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
    keptRanges -= rangesIn(accepted);
    states.delete(id);
  }

  async function restore(id: string, state: FeedState): Promise<void> {
    if (state.isRestored) return;
    const found = await stored.of(id).catch(() => undefined);
    state.isRestored = true;
    if (!found || state.accepted) return;
    const { nights, doubtedSince } = found;
    const doubted = doubtedSince === null ? null : { since: doubtedSince, nights: new Int32Array() };
    const elapsedAtReading = clock.elapsed();
    keep(id, state, { nights, doubted, etag: null, since: 0, elapsedAtReading, wasStored: true });
  }

  function keep(id: string, state: FeedState, accepted: AcceptedFeed): void {
    const isKnown = states.get(id) === state;
    const more = rangesIn(accepted) - rangesIn(state.accepted);
    if (isKnown && keptRanges + more > MAX_KEPT_RANGES) {
      throw new BookingSystemFailure(
        'too_large',
        `the feeds of the brand take more than ${MAX_KEPT_RANGES} ranges`,
      );
    }
    if (isKnown) keptRanges += more;
    state.accepted = accepted;
  }

  function accept(id: string, state: FeedState, accepted: AcceptedFeed): void {
    const before = state.accepted;
    keep(id, state, accepted);
    const { nights, doubted } = accepted;
    const doubtedSince = doubted?.since ?? null;
    const isKnown =
      before && isEqual(before.nights, nights) && (before.doubted?.since ?? null) === doubtedSince;
    if (!isKnown && states.get(id) === state) stored.set(id, { nights, doubtedSince });
  }

  /** Waits for the feed's turn as long as a caller waits for the reading. */
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
      // Refused before the turn, so that the host's budget is not used.
      const refusal = isForeign(feed.url) ? FOREIGN : silentOrigins.refusal(origin);
      if (refusal) throw refusal;
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
      if (silentOrigins.refusal(origin)) giveUpWaits(origin);
      return 'ended';
    } catch (error) {
      if (wait.givingUp.signal.aborted) return 'given_up';
      failed(state, use, error);
      return 'ended';
    } finally {
      end?.(state.failure === null);
      stopWaiting(state, wait);
      state.reading = null;
    }
  }

  function stopWaiting(state: FeedState, wait: TurnWait): void {
    waits.delete(wait);
    if (state.wait === wait) state.wait = null;
  }

  /** Callers that still need the feed start again, and then get the refusal of the silent server. */
  function giveUpWaits(silent: string): void {
    for (const { origin, givingUp } of waits) if (origin === silent) givingUp.abort();
  }

  function failed(state: FeedState, use: FeedUse, error: unknown): void {
    state.failure = asFailure(error);
    if (isUsable(state.accepted, use)) onLastFeedUsed(state.failure);
  }

  /** Continues after its callers have left: callers within the next minute use the result. */
  async function readNow(feed: AvailabilityFeed, state: FeedState, use: FeedUse): Promise<void> {
    state.triedAt = clock.elapsed();
    const since = firstDay();
    const deadline = openDeadline({ clock, timeoutMs: MAX_READING_MS, parent: closing.signal });
    try {
      const { nights, etag } = await fetchNights(feed, state, use, since, deadline.signal);
      accept(feed.id, state, {
        ...judged(feed, state.accepted, nights),
        etag,
        since,
        elapsedAtReading: clock.elapsed(),
        wasStored: false,
      });
      state.failure = null;
    } catch (error) {
      failed(state, use, error);
    } finally {
      deadline.close();
    }
  }

  /** The nights of a reading; while its loss is doubted, the nights before it, with the reading beside them. */
  function judged(
    { timeZone }: AvailabilityFeed,
    before: AcceptedFeed | null,
    nights: PackedNights,
  ): Pick<AcceptedFeed, 'nights' | 'doubted'> {
    const now = clock.now();
    const isDoubtful =
      isLeading && before && doubtfulLoss(before.nights, nights, todayIn(timeZone, now)) !== null;
    if (!isDoubtful) return { nights, doubted: null };
    // A time in the future came from a wrong clock.
    const since = Math.min(now, before.doubted?.since ?? now);
    if (now - since >= DOUBTED_FOR_MS) return { nights, doubted: null };
    return { nights: before.nights, doubted: { since, nights } };
  }

  /** Accepts the doubted reading: the owner's confirmation outweighs a second reading. */
  function confirm(id: string, state: FeedState, confirmedAt: number): void {
    const { accepted } = state;
    if (!accepted?.doubted || accepted.wasStored || accepted.doubted.since > confirmedAt) return;
    accept(id, state, { ...accepted, nights: accepted.doubted.nights, doubted: null });
  }

  function lossOf(
    { timeZone }: AvailabilityFeed,
    { nights, doubted, wasStored }: AcceptedFeed,
  ): readonly FeedLoss[] {
    // After a restart, the next reading shows the loss again.
    if (!doubted || wasStored) return [];
    const loss = doubtfulLoss(nights, doubted.nights, todayIn(timeZone, clock.now()));
    return loss ? [{ ...loss, since: doubted.since }] : [];
  }

  async function fetchNights(
    { url, timeZone }: AvailabilityFeed,
    { accepted }: FeedState,
    use: FeedUse,
    since: Day,
    signal: AbortSignal,
  ): Promise<Pick<AcceptedFeed, 'nights' | 'etag'>> {
    const etag = accepted?.etag ?? null;
    const answer = await ask(url, etag, signal);
    if (answer.kind === 'unchanged') {
      if (accepted && etag !== null) return { nights: accepted.doubted?.nights ?? accepted.nights, etag };
      throw new BookingSystemFailure('garbled', 'a feed was called unchanged that was never read');
    }
    const lane: IntakeLaneName = use === 'price' ? 'live' : 'background';
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

  /** Yesterday in UTC, which is today or earlier in every time zone. */
  function firstDay(): Day {
    return Math.floor(clock.now() / MS_PER_DAY) - 1;
  }

  async function ask(url: string, etag: string | null, signal: AbortSignal): Promise<FetchedFeed> {
    const { origin } = new URL(url);
    const askedAt = clock.elapsed();
    try {
      const onAnswer = (status: number, header: ReadHeader) =>
        silentOrigins.noteStatus(origin, status, header);
      const answer = await untilAborted(fetcher.fetch(url, { etag, signal, onAnswer }), signal);
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
    if (state.accepted && state.accepted.since > firstDay()) {
      // It was read while the clock was ahead, so it lacks taken nights.
      keptRanges -= rangesIn(state.accepted);
      state.accepted = state.triedAt = null;
    }
    while (!signal.aborted && !closing.signal.aborted) {
      if (!state.reading && isDue(state)) state.reading = readInTurn(feed, state, use);
      // Read again when another caller aborted a reading that this one still needs.
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
    async read(feeds, use, signal, confirmedAt) {
      const read = await Promise.all(
        feeds.map(async (feed) => ({ feed, state: await readOne(feed, use, signal) })),
      );
      const ranges: PackedNights[] = [];
      const lost: FeedLoss[] = [];
      for (const { feed, state } of read) {
        if (confirmedAt !== undefined) confirm(feed.id, state, confirmedAt);
        const { accepted, failure } = state;
        if (!isUsable(accepted, use)) {
          return {
            kind: 'unknown',
            failure: failure ?? new BookingSystemFailure('timeout', 'it was not read in time'),
          };
        }
        ranges.push(accepted.nights);
        if (accepted.doubted) ranges.push(accepted.doubted.nights);
        lost.push(...lossOf(feed, accepted));
      }
      const takes = (checkIn: Day, checkOut: Day) => takesANight(ranges, checkIn, checkOut);
      return { kind: 'known', ranges, takes, lost };
    },
    async retain(feeds) {
      const named = new Set<string>();
      latestNamed = named;
      await inTurns(feeds, FEEDS_A_TURN, ({ id }) => named.add(id));
      await inTurns(states, FEEDS_A_TURN, ([id, state]) => {
        // Another version of the card may have been read by now.
        if (latestNamed === named && !named.has(id)) forget(id, state);
      });
      if (latestNamed === named) await stored.retain(named);
    },
    leads(isNowLeading) {
      isLeading = isNowLeading;
      states.clear();
      keptRanges = 0;
      stored.leads(isNowLeading);
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

function rangesIn(accepted: AcceptedFeed | null): number {
  if (!accepted) return 0;
  return (accepted.nights.length + (accepted.doubted?.nights.length ?? 0)) / 2;
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
