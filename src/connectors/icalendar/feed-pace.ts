import { LRUCache } from 'lru-cache';
import type { BrandId } from '../../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../../clock.ts';
import {
  jitteredPauseMs,
  type OpenSharedAccount,
  renewWhileUnderWay,
  type SharedBudget,
  type SharedPermit,
} from '../../limits/shared-limits.ts';
import type { CallUrgency, RateWindow } from '../../limits/window-count.ts';
import type { Random } from '../../random.ts';

/**
 * Limits how fast feeds are requested, per host and per brand: a host serves feeds of many brands, and a brand may name feeds on any
 * host. Live readings go first, brands take turns, and neither an urgency nor a brand can use up the whole limit.
 */
export type FeedPace = {
  /** Resolves when the feed may be requested. Rejects with the signal's reason when it aborts before that. */
  turn(asked: FeedTurn): Promise<EndTurn>;
};

export type FeedTurn = {
  /** Without the port: many ports are still one machine. */
  readonly host: string;
  readonly brand: BrandId;
  readonly urgency: CallUrgency;
  /** Aborts when a live reading needs the feed too. */
  readonly hurry?: AbortSignal;
  readonly signal: AbortSignal;
};

/** Call it when the answer has arrived, or will not arrive. */
export type EndTurn = (gaveCalendar?: boolean) => void;

/** The limits of one host or brand. */
type PaceLimits = { readonly windows: readonly RateWindow[]; readonly maxInFlight: number };

const MAX_WINDOW_MS = 60_000;
/**
 * Per second as many requests as a web page with pictures makes. Per minute ten a second on average, which a channel with thousands of
 * callers does not notice.
 */
const WINDOWS: readonly RateWindow[] = [
  { requests: 20, perMs: 1000 },
  { requests: 600, perMs: MAX_WINDOW_MS },
];
/** For all brands together. In flight: four brands, each with one slow feed for a price and one for a calendar. */
const HOST_PACE: PaceLimits = { windows: WINDOWS, maxInFlight: 8 };
/**
 * A brand whose feeds do not answer leaves the rest of the host to others. Two of the three may have one urgency: they reach its limit of
 * 15 requests a second while an answer takes an eighth of a second.
 */
export const MAX_IN_FLIGHT_FOR_A_BRAND_ON_A_HOST = 3;
/** Four fifths of the host's limit: feeds that fail immediately hold no connection, but would use up the whole minute. */
const WINDOWS_FOR_A_BRAND_ON_A_HOST: readonly RateWindow[] = [{ requests: 480, perMs: MAX_WINDOW_MS }];
/** For all hosts that have not yet given the brand a calendar: an operator may name servers of others to flood them. */
const WINDOWS_WITHOUT_A_CALENDAR: readonly RateWindow[] = [{ requests: 60, perMs: MAX_WINDOW_MS }];
const MAX_KNOWN_CHANNELS = 4000;
/**
 * The rate of one host: a brand that spreads its feeds over several names of one machine gains nothing. More in flight than for one host,
 * so that a second host continues while the first is slow.
 */
const BRAND_PACE: PaceLimits = { windows: WINDOWS, maxInFlight: 12 };
/** The largest share of each limit for live readings, and for those in the background. */
const MAX_SHARE = 0.75;

type WaitingFeed = { urgency: CallUrgency; readonly begin: (end: EndTurn) => void };
/** By brand and host, the last to have a turn at the end. */
type FeedLines = Map<BrandId, Map<string, Set<WaitingFeed>>>;

/** One for all brands of the process, because a host counts the requests of a machine. */
export function createFeedPace(clock: Clock): FeedPace {
  const hosts = createPaces(HOST_PACE);
  const brands = createPaces(BRAND_PACE);
  const brandsOnHosts = createPaces({
    windows: WINDOWS_FOR_A_BRAND_ON_A_HOST,
    maxInFlight: MAX_IN_FLIGHT_FOR_A_BRAND_ON_A_HOST,
  });
  const untried = createPaces({ windows: WINDOWS_WITHOUT_A_CALENDAR, maxInFlight: HOST_PACE.maxInFlight });
  /** The pairs of brand and host where the host has given the brand a calendar. */
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

  /** Looks once for all feeds that come or go in one turn of the event loop. */
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

  /** Begins one feed of the brand, or returns when the next may begin: infinity when that depends on an answer, or none waits. */
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

  /** The last place on a host is for a brand without one there: else a few brands together could block all others. */
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

/** The paces of many hosts or brands, by name. Drops those that had no turn within the longest window. */
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
        // Not one by one, because each shift moves the whole list.
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

/** Unambiguous, because neither contains a space. */
function onHost(brand: BrandId, host: string): string {
  return `${brand} ${host}`;
}

function shareOf(limit: number): number {
  return Math.floor(limit * MAX_SHARE);
}

/**
 * For a cluster: all nodes together request no faster from a host, or for a brand, than one node would. Each node's own pace chooses
 * the next feed.
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
      // Do not call the host while the shared count is unavailable.
      const answer = await budget.take({ urgency }).catch(() => null);
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
        // The brand first, so that a feed that waits for its brand uses no capacity of the host.
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
