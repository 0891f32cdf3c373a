import { LRUCache } from 'lru-cache';
import type { BrandId } from '../../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../../clock.ts';
import {
  jitteredPauseMs,
  type OpenSharedAccount,
  renewWhileUnderWay,
  type SharedBudget,
  type SharedPermit,
} from '../../limits/shared-account.ts';
import type { CallUrgency, RateWindow } from '../../limits/window-count.ts';
import type { Random } from '../../random.ts';

/**
 * How fast feeds are asked for: a host serves the feeds of many brands, and a brand may name feeds on any host, so each of both
 * has its pace. Live readings go first, brands take turns, and neither an urgency nor a brand can take all from the others.
 */
export type FeedPace = {
  /** Resolves when the feed may be asked for. Rejects with the signal's reason when it aborts before. */
  turn(asked: FeedTurn): Promise<EndTurn>;
};

export type FeedTurn = {
  /** Without its port: many ports are still one machine. */
  readonly host: string;
  readonly brand: BrandId;
  readonly urgency: CallUrgency;
  /** Aborts when a live reading has come to need the feed too. */
  readonly hurry?: AbortSignal;
  readonly signal: AbortSignal;
};

/** The answer has come, or will not come. */
export type EndTurn = (gaveCalendar?: boolean) => void;

/** Who is asked, or asks, no more often than that. */
type PaceLimits = { readonly windows: readonly RateWindow[]; readonly maxInFlight: number };

const MAX_WINDOW_MS = 60_000;
/** In a second what a page with pictures asks of its host; in a minute ten a second, of which a channel with thousands of callers notices nothing. */
const WINDOWS: readonly RateWindow[] = [
  { requests: 20, perMs: 1000 },
  { requests: 600, perMs: MAX_WINDOW_MS },
];
/** For all brands together: at a time as many as four of them take, each with one slow feed for a price and one for a calendar. */
const HOST_PACE: PaceLimits = { windows: WINDOWS, maxInFlight: 8 };
/**
 * A brand whose feeds give no answer leaves the rest to others. Of one urgency two, which are as many in a second as it may ask for while
 * an answer takes an eighth of it.
 */
export const MAX_IN_FLIGHT_FOR_A_BRAND_ON_A_HOST = 3;
/** Four fifths of what the host is asked: feeds that fail at once keep no place, but would use the whole minute up. */
const WINDOWS_FOR_A_BRAND_ON_A_HOST: readonly RateWindow[] = [{ requests: 480, perMs: MAX_WINDOW_MS }];
/** On all hosts together that have given the brand no calendar yet: they may be servers of others, which an operator wants to see flooded. */
const WINDOWS_WITHOUT_A_CALENDAR: readonly RateWindow[] = [{ requests: 60, perMs: MAX_WINDOW_MS }];
const MAX_KNOWN_CHANNELS = 10_000;
/**
 * At the same rate as a host is asked: a brand that spreads its feeds over names of one machine gains nothing. More at a time, so that a
 * second host goes on while one is slow.
 */
const BRAND_PACE: PaceLimits = { windows: WINDOWS, maxInFlight: 12 };
/** What live readings may take at most, and those in the background: the rest is the others'. */
const MAX_SHARE = 0.75;

type WaitingFeed = { urgency: CallUrgency; readonly begin: (end: EndTurn) => void };
/** By brand and host. Who had a turn last is last. */
type FeedLines = Map<BrandId, Map<string, Set<WaitingFeed>>>;

/** One for all brands of the process: a host counts the requests of a machine. */
export function createFeedPace(clock: Clock): FeedPace {
  const hosts = createPaces(HOST_PACE);
  const brands = createPaces(BRAND_PACE);
  const brandsOnHosts = createPaces({
    windows: WINDOWS_FOR_A_BRAND_ON_A_HOST,
    maxInFlight: MAX_IN_FLIGHT_FOR_A_BRAND_ON_A_HOST,
  });
  const untried = createPaces({ windows: WINDOWS_WITHOUT_A_CALENDAR, maxInFlight: HOST_PACE.maxInFlight });
  /** Brands on hosts that have given them a calendar. */
  const channels = new LRUCache<string, true>({ max: MAX_KNOWN_CHANNELS });
  const lines: Readonly<Record<CallUrgency, FeedLines>> = { live: new Map(), background: new Map() };
  let isLooking = false;
  let cancelTimer: (() => void) | undefined;

  function enter(one: WaitingFeed, { brand, host }: FeedTurn): void {
    const ofBrand = lines[one.urgency].get(brand) ?? new Map<string, Set<WaitingFeed>>();
    const ofHost = ofBrand.get(host) ?? new Set();
    lines[one.urgency].set(brand, ofBrand.set(host, ofHost.add(one)));
    lookSoon();
  }

  function leave(one: WaitingFeed, { brand, host }: FeedTurn): void {
    const line = lines[one.urgency];
    const ofBrand = line.get(brand);
    const ofHost = ofBrand?.get(host);
    ofHost?.delete(one);
    if (ofHost?.size === 0) ofBrand?.delete(host);
    if (ofBrand?.size === 0) line.delete(brand);
    lookSoon();
  }

  /** Once for all that come or go together. */
  function lookSoon(): void {
    if (isLooking) return;
    isLooking = true;
    queueMicrotask(letFeedsGo);
  }

  function letFeedsGo(): void {
    isLooking = false;
    cancelTimer?.();
    cancelTimer = undefined;
    const now = clock.elapsed();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const urgency of ['live', 'background'] as const) {
      const asking = new Set(lines[urgency].keys());
      while (asking.size > 0) {
        for (const brand of asking) {
          const at = beginOne(urgency, brand, now);
          if (at === 'begun') continue;
          asking.delete(brand);
          nextAt = Math.min(nextAt, at);
        }
      }
    }
    if (Number.isFinite(nextAt)) cancelTimer = clock.after(Math.max(1, Math.ceil(nextAt - now)), lookSoon);
  }

  /** Or when the next one of the brand may begin; infinite when that depends on an answer, or none waits. */
  function beginOne(urgency: CallUrgency, brand: BrandId, now: number): 'begun' | number {
    const ofBrand = lines[urgency].get(brand);
    if (!ofBrand) return Number.POSITIVE_INFINITY;
    const brandAt = brands.freeAt(brand, urgency, now);
    if (brandAt > now) return brandAt;
    let nextAt = Number.POSITIVE_INFINITY;
    for (const [host, waiting] of ofBrand) {
      const hostAt = freeAt(host, brand, urgency, now);
      const [first] = waiting;
      if (hostAt > now || !first) {
        nextAt = Math.min(nextAt, hostAt);
        continue;
      }
      waiting.delete(first);
      ofBrand.delete(host);
      if (waiting.size > 0) ofBrand.set(host, waiting);
      lines[urgency].delete(brand);
      if (ofBrand.size > 0) lines[urgency].set(brand, ofBrand);
      const name = onHost(brand, host);
      const ends = [
        hosts.begin(host, urgency, now),
        brands.begin(brand, urgency, now),
        brandsOnHosts.begin(name, urgency, now),
        ...(channels.get(name) ? [] : [untried.begin(brand, urgency, now)]),
      ];
      first.begin((gaveCalendar = true) => {
        if (gaveCalendar) channels.set(name, true);
        for (const end of ends) end();
        lookSoon();
      });
      return 'begun';
    }
    return nextAt;
  }

  /** The last place of a host is for a brand that has none there: a few that act together would keep all others waiting. */
  function freeAt(host: string, brand: BrandId, urgency: CallUrgency, now: number): number {
    const name = onHost(brand, host);
    const isLast = hosts.placesLeft(host, urgency) === 1;
    if (isLast && brandsOnHosts.inFlight(name)[urgency] > 0) return Number.POSITIVE_INFINITY;
    const untriedAt = channels.get(name) ? now : untried.freeAt(brand, urgency, now);
    return Math.max(hosts.freeAt(host, urgency, now), brandsOnHosts.freeAt(name, urgency, now), untriedAt);
  }

  return {
    turn(asked) {
      const { urgency, hurry, signal } = asked;
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stopListening = () => {
          signal.removeEventListener('abort', abort);
          hurry?.removeEventListener('abort', becomeLive);
        };
        const abort = () => {
          stopListening();
          leave(one, asked);
          reject(signal.reason);
        };
        const becomeLive = () => {
          leave(one, asked);
          one.urgency = 'live';
          enter(one, asked);
        };
        const one: WaitingFeed = {
          urgency: hurry?.aborted ? 'live' : urgency,
          begin(end) {
            stopListening();
            resolve(end);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        if (one.urgency === 'background') hurry?.addEventListener('abort', becomeLive, { once: true });
        enter(one, asked);
      });
    },
  };
}

const NOTHING_IN_FLIGHT = { live: 0, background: 0 } as const;

type StartTimes = Record<CallUrgency | 'all', number[]>;

/** The paces of many, by name, of which only those are kept that had a turn lately. */
function createPaces({ windows, maxInFlight }: PaceLimits) {
  const kept = new Map<
    string,
    { readonly starts: StartTimes; readonly inFlight: Record<CallUrgency, number> }
  >();
  const mostStarts = Math.max(...windows.map(({ requests }) => requests));

  function forgetIdle(now: number): void {
    for (const [name, { starts, inFlight }] of kept) {
      const isIdle = inFlight.live + inFlight.background === 0;
      if (!isIdle || (starts.all.at(-1) ?? 0) + MAX_WINDOW_MS > now) return;
      kept.delete(name);
    }
  }

  function inFlight(name: string): Readonly<Record<CallUrgency, number>> {
    return kept.get(name)?.inFlight ?? NOTHING_IN_FLIGHT;
  }

  function placesLeft(name: string, urgency: CallUrgency): number {
    const { live, background } = inFlight(name);
    const ofUrgency = urgency === 'live' ? live : background;
    return Math.min(maxInFlight - live - background, shareOf(maxInFlight) - ofUrgency);
  }

  return {
    inFlight,
    placesLeft,
    freeAt(name: string, urgency: CallUrgency, now: number): number {
      const pace = kept.get(name);
      if (!pace) return now;
      if (placesLeft(name, urgency) <= 0) return Number.POSITIVE_INFINITY;
      const { starts } = pace;
      const times = windows.flatMap(({ requests, perMs }) => [
        (starts.all.at(-requests) ?? Number.NEGATIVE_INFINITY) + perMs,
        (starts[urgency].at(-shareOf(requests)) ?? Number.NEGATIVE_INFINITY) + perMs,
      ]);
      return Math.max(now, ...times);
    },
    begin(name: string, urgency: CallUrgency, now: number): EndTurn {
      const pace = kept.get(name) ?? {
        starts: { live: [], background: [], all: [] },
        inFlight: { live: 0, background: 0 },
      };
      kept.delete(name);
      kept.set(name, pace);
      for (const times of [pace.starts.all, pace.starts[urgency]]) {
        times.push(now);
        // Not one by one, because shifting a long list moves all of it.
        if (times.length > 2 * mostStarts) times.splice(0, mostStarts);
      }
      pace.inFlight[urgency] += 1;
      forgetIdle(now);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        pace.inFlight[urgency] -= 1;
      };
    },
  };
}

/** Neither has a space in it. */
function onHost(brand: BrandId, host: string): string {
  return `${brand} ${host}`;
}

function shareOf(limit: number): number {
  return Math.floor(limit * MAX_SHARE);
}

/**
 * For a node that is one of several: a host is asked by all of them together no faster than by one, and so a brand asks. Each node's own pace
 * chooses who goes next.
 */
export function createSharedFeedPace({
  pace,
  share,
  clock,
  random,
}: {
  readonly pace: FeedPace;
  readonly share: OpenSharedAccount;
  readonly clock: Clock;
  readonly random: Random;
}): FeedPace {
  async function untilGranted(
    budget: SharedBudget,
    urgency: CallUrgency,
    signal: AbortSignal,
  ): Promise<EndTurn> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      // While the shared count is unavailable, the host is not called.
      const answer = await budget.take({ urgency, goesFirst: true }).catch(() => null);
      if (answer?.kind === 'granted') return endOf(answer);
      await pauseFor(answer?.forMs ?? jitteredPauseMs(tries, random), clock, signal);
    }
    throw signal.reason;
  }

  function endOf(permit: SharedPermit): EndTurn {
    const stopRenewing = renewWhileUnderWay(permit, clock);
    return () => {
      stopRenewing();
      permit.done(1);
    };
  }

  return {
    async turn(asked) {
      const { host, brand, hurry, signal } = asked;
      const ends = [await pace.turn(asked)];
      let isOver = false;
      const end: EndTurn = (gaveCalendar) => {
        if (isOver) return;
        isOver = true;
        for (const one of ends) one(gaveCalendar);
      };
      try {
        const urgency = hurry?.aborted ? 'live' : asked.urgency;
        // The brand first: a feed that waits for its brand then takes no capacity of the host.
        const ofBrand = share({ id: `feeds of/${brand}`, ...BRAND_PACE });
        ends.push(await untilGranted(ofBrand.budget, urgency, signal));
        const ofHost = share({ id: `feeds on/${host}`, ...HOST_PACE });
        ends.push(await untilGranted(ofHost.budget, urgency, signal));
        return end;
      } catch (reason) {
        end(false);
        throw reason;
      }
    },
  };
}
