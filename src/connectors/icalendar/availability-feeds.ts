import { LRUCache } from 'lru-cache';
import type { BrandId } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../../limits/deadline.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { CallUrgency } from '../../limits/window-count.ts';
import { type ReadHeader, retryAfterMs } from '../../outbound/read-answer.ts';
import { type Day, MS_PER_DAY } from '../../stay/day.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { createLatest, type Latest } from '../shared/documents/latest.ts';
import type { Intake, IntakeOrder } from '../shared/intake/intake.ts';
import type { FeedFault } from './content-lines.ts';
import type { FeedFetcher, FeedPace } from './fetch-feed.ts';
import {
  type AvailabilityFeed,
  doubtfulLoss,
  type LostNights,
  type PackedNights,
  type StoredNights,
} from './stored-nights.ts';

/** The nights that the feeds of a home take, or the failure that makes them unknown. */
export type FeedsReading =
  | {
      readonly kind: 'known';
      readonly ranges: readonly PackedNights[];
      /** Losses of feeds whose latest reading lacks all or most of their nights. The lost nights still count as taken. */
      readonly lost: readonly FeedLoss[];
    }
  | { readonly kind: 'unknown'; readonly failure: BookingSystemFailure };

export type FeedLoss = LostNights & {
  /** When the loss was first seen, in epoch milliseconds. */
  readonly since: number;
};

/** The feeds of one brand. Reads each at most once a minute for all callers. While a feed cannot be read, its last reading counts. */
export type AvailabilityFeeds = {
  /** Never rejects. When the signal aborts, uses the last reading, unless it is too old. */
  read(feeds: readonly AvailabilityFeed[], use: FeedUse, signal: AbortSignal): Promise<FeedsReading>;
  /** Drops all other feeds. */
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

type FeedNights = {
  readonly nights: PackedNights;
  /** The last reading, while it lacks most of `nights`; those still count as taken. */
  readonly doubted: { readonly since: number; readonly nights: PackedNights } | null;
  /** The ETag of the last reading. */
  readonly etag: string | null;
  /** The reading left out nights before this day. */
  readonly since: Day;
  /** For nights stored before a restart: when they were loaded, in elapsed time. */
  readonly loadedAt: number | null;
};

type FeedState = { readonly latest: Latest<FeedNights>; isRestored: boolean };

const LANE: Readonly<Record<FeedUse, CallUrgency>> = { price: 'live', calendar: 'background' };
const MAX_FRESH_MS = 60_000;
const MAX_READING_MS = 10_000;
/** For a price, a part of its quote call. A calendar waits behind the few others that its brand reads at a time. */
const MAX_WAIT_MS: Readonly<Record<FeedUse, number>> = { price: 3500, calendar: 120_000 };
/** Channels recover sooner; a cancelled stay is rarely booked again within it. */
export const DOUBTED_FOR_MS = 6 * 3_600_000;
/** Twenty ranges in each of five feeds of ten thousand homes: eight megabytes. */
const MAX_KEPT_RANGES = 1_000_000;
const FEEDS_A_TURN = 5000;
/** One hanging feed proves nothing about the others. */
const MIN_SILENCES_IN_A_ROW = 3;
const REST_MS = 60_000;
const MAX_SILENT_HOSTS = 100;
/** Shorter than the default maximum age of a reading, so that one pause withdraws no home read a minute before. */
const MIN_PAUSE_MS = 180_000;
const MAX_PAUSE_MS = 3_600_000;

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
  /** Shared by all brands. */
  readonly pace: FeedPace;
  /** Whether the address is on a server that belongs to another brand or to a vendor. */
  readonly isForeign: (url: string) => boolean;
  readonly onLastFeedUsed: (failure: BookingSystemFailure) => void;
}): AvailabilityFeeds {
  const states = new Map<string, FeedState>();
  /** Hosts that do not answer: each feed would hold a place there for ten seconds. */
  const silences = new LRUCache<string, { readonly inARow: number; readonly at: number }>({
    max: MAX_SILENT_HOSTS,
  });
  const closing = new AbortController();
  let keptRanges = 0;
  let isLeading = true;

  function stateOf(feed: AvailabilityFeed): FeedState {
    const known = states.get(feed.id);
    if (known) return known;
    const state: FeedState = {
      latest: createLatest({
        read: ({ urgency }) => readInTurn(feed, state, urgency === 'live' ? 'price' : 'calendar'),
        clock,
        maxAgeMs,
        minIntervalMs: MAX_FRESH_MS,
      }),
      isRestored: false,
    };
    states.set(feed.id, state);
    return state;
  }

  function nightsOf({ latest }: FeedState): FeedNights | undefined {
    const nights = latest.last()?.content;
    // Nights that were read while the clock was ahead lack some of today.
    return nights && nights.since <= firstDay() ? nights : undefined;
  }

  function usable(state: FeedState, use: FeedUse): FeedNights | undefined {
    const [nights, last] = [nightsOf(state), state.latest.last()];
    if (!nights || !last || (use === 'price' && nights.loadedAt !== null)) return undefined;
    const ageMs = nights.loadedAt === null ? state.latest.ageOf(last) : clock.elapsed() - nights.loadedAt;
    return ageMs <= maxAgeMs ? nights : undefined;
  }

  async function restore(id: string, state: FeedState): Promise<void> {
    if (state.isRestored) return;
    state.isRestored = true;
    const found = await stored.of(id).catch(() => undefined);
    if (!found || state.latest.last()) return;
    const { nights, doubtedSince } = found;
    const doubted = doubtedSince === null ? null : { since: doubtedSince, nights: new Int32Array() };
    keptRanges += nights.length / 2;
    state.latest.restore({ nights, doubted, etag: null, since: 0, loadedAt: clock.elapsed() });
  }

  async function readInTurn(feed: AvailabilityFeed, state: FeedState, use: FeedUse): Promise<FeedNights> {
    try {
      await restore(feed.id, state);
      const { hostname: host } = new URL(feed.url);
      // Before the turn, so that the budget of the host is not used.
      if (isForeign(feed.url)) throw FOREIGN;
      refuseSilent(host);
      const budget = pace(host);
      if (budget.restsForMs() > MAX_WAIT_MS[use])
        throw new BookingSystemFailure('rate_limited', 'its server has asked for a pause');
      const permit = await budget.take({
        urgency: LANE[use],
        withinMs: MAX_WAIT_MS[use],
        signal: closing.signal,
        askedBy: [brand],
      });
      try {
        // Others may have found it silent meanwhile.
        refuseSilent(host);
        return await fetchNights(feed, state, use, host);
      } finally {
        permit.done();
      }
    } catch (error) {
      const failure = asFailure(error);
      if (usable(state, use)) onLastFeedUsed(failure);
      throw failure;
    }
  }

  function refuseSilent(host: string): void {
    const silence = silences.get(host);
    if (!silence || silence.inARow < MIN_SILENCES_IN_A_ROW) return;
    if (clock.elapsed() - silence.at < REST_MS)
      throw new BookingSystemFailure('timeout', 'the last feeds on its server gave no answer');
  }

  async function fetchNights(
    { id, url, timeZone }: AvailabilityFeed,
    state: FeedState,
    use: FeedUse,
    host: string,
  ): Promise<FeedNights> {
    const before = nightsOf(state);
    const etag = before?.etag ?? null;
    const since = firstDay();
    const lane = LANE[use];
    const deadline = openDeadline({ clock, timeoutMs: MAX_READING_MS, parent: closing.signal });
    const { signal } = deadline;
    try {
      const answer = await ask(url, etag, host, signal);
      const nights =
        answer.kind === 'feed'
          ? await parsed({ document: answer.bytes, parameters: { timeZone, since }, lane, signal })
          : (before?.doubted?.nights ?? before?.nights ?? new Int32Array());
      const accepted: FeedNights = {
        ...judged(timeZone, before, nights),
        etag: answer.kind === 'feed' ? answer.etag : etag,
        since,
        loadedAt: null,
      };
      keep(id, state, accepted);
      return accepted;
    } finally {
      deadline.close();
    }
  }

  async function ask(url: string, etag: string | null, host: string, signal: AbortSignal) {
    const onAnswer = (status: number, header: ReadHeader) => {
      const namedMs = retryAfterMs(header, clock.now());
      if (status !== 429 && (status !== 503 || namedMs === undefined)) return;
      pace(host).pause(Math.min(Math.max(namedMs ?? 0, MIN_PAUSE_MS), MAX_PAUSE_MS));
    };
    try {
      const answer = await untilAborted(fetcher.fetch(url, { etag, signal, onAnswer }), signal);
      silences.delete(host);
      return answer;
    } catch (error) {
      if (asFailure(error).kind !== 'timeout') silences.delete(host);
      else silences.set(host, { inARow: (silences.get(host)?.inARow ?? 0) + 1, at: clock.elapsed() });
      throw error;
    }
  }

  async function parsed(
    order: Pick<IntakeOrder<'availability_feed'>, 'document' | 'parameters' | 'lane' | 'signal'>,
  ): Promise<PackedNights> {
    const days: number[] = [];
    const take: IntakeOrder<'availability_feed'>['take'] = (ranges) => {
      for (const { from, to } of ranges) days.push(from, to);
    };
    const reading = intake.run({ ...order, task: 'availability_feed', brand, take });
    const { summary: faults } = await untilAborted(reading, order.signal);
    if (faults.length > 0) throw new BookingSystemFailure('garbled', describe(faults));
    return Int32Array.from(days);
  }

  /** The nights of a reading; while its loss is doubted, the nights before it, with the reading beside them. */
  function judged(
    timeZone: string,
    before: FeedNights | undefined,
    nights: PackedNights,
  ): Pick<FeedNights, 'nights' | 'doubted'> {
    const now = clock.now();
    const isDoubtful =
      isLeading &&
      before &&
      !isEqual(before.nights, nights) &&
      doubtfulLoss(before.nights, nights, todayIn(timeZone, now)) !== null;
    if (!isDoubtful) return { nights, doubted: null };
    // A time in the future came from a wrong clock.
    const since = Math.min(now, before.doubted?.since ?? now);
    if (now - since >= DOUBTED_FOR_MS) return { nights, doubted: null };
    return { nights: before.nights, doubted: { since, nights } };
  }

  function keep(id: string, state: FeedState, accepted: FeedNights): void {
    if (states.get(id) !== state) return;
    const before = state.latest.last()?.content;
    const ranges = keptRanges + rangesIn(accepted) - rangesIn(before);
    if (ranges > MAX_KEPT_RANGES) {
      const message = `the feeds of the brand take more than ${MAX_KEPT_RANGES} ranges`;
      throw new BookingSystemFailure('too_large', message);
    }
    keptRanges = ranges;
    const doubtedSince = accepted.doubted?.since ?? null;
    const isKnown =
      before && isEqual(before.nights, accepted.nights) && (before.doubted?.since ?? null) === doubtedSince;
    if (!isKnown) stored.set(id, { nights: accepted.nights, doubtedSince });
  }

  /** Yesterday in UTC, which is today or earlier in every time zone. */
  function firstDay(): Day {
    return Math.floor(clock.now() / MS_PER_DAY) - 1;
  }

  return {
    async read(feeds, use, signal) {
      const failures = await Promise.all(
        feeds.map(async (feed) => {
          return await stateOf(feed)
            .latest.read(LANE[use], signal)
            .then(
              () => null,
              (error) => (signal.aborted ? null : asFailure(error)),
            );
        }),
      );
      const ranges: PackedNights[] = [];
      const lost: FeedLoss[] = [];
      for (const [index, feed] of feeds.entries()) {
        const known = usable(stateOf(feed), use);
        if (!known) {
          const failure = failures[index] ?? new BookingSystemFailure('timeout', 'it was not read in time');
          return { kind: 'unknown', failure };
        }
        const { nights, doubted, loadedAt } = known;
        ranges.push(nights);
        if (!doubted) continue;
        ranges.push(doubted.nights);
        // After a restart, the next reading shows the loss again.
        if (loadedAt !== null) continue;
        const loss = doubtfulLoss(nights, doubted.nights, todayIn(feed.timeZone, clock.now()));
        if (loss) lost.push({ ...loss, since: doubted.since });
      }
      return { kind: 'known', ranges, lost };
    },
    async retain(feeds) {
      const named = new Set<string>();
      await inTurns(feeds, FEEDS_A_TURN, ({ id }) => named.add(id));
      await inTurns(states, FEEDS_A_TURN, ([id, state]) => {
        if (named.has(id)) return;
        keptRanges -= rangesIn(state.latest.last()?.content);
        states.delete(id);
      });
      await stored.retain(named);
    },
    leads(isNowLeading) {
      isLeading = isNowLeading;
      states.clear();
      keptRanges = 0;
      stored.leads(isNowLeading);
    },
    async close() {
      closing.abort(new BookingSystemFailure('unreachable', 'the service ends'));
      await Promise.all([stored.close(), fetcher.close()]);
    },
  };
}

/** Whether a stay from one day to another has one of the nights. */
export function takesANight(ranges: readonly PackedNights[], checkIn: Day, checkOut: Day): boolean {
  return ranges.some((nights) => {
    for (let at = 0; at < nights.length; at += 2) {
      const [from = 0, to = 0] = [nights[at], nights[at + 1]];
      if (from < checkOut && checkIn < to) return true;
    }
    return false;
  });
}

function rangesIn(accepted: FeedNights | undefined): number {
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
