import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { BookingSystemFailure, type BudgetUse } from './booking-system-failure.ts';
import { type CallerPath, createFairLine, type WaitingItem } from './fair-semaphore.ts';
import {
  jitteredPauseMs,
  renewWhileUnderWay,
  type SharedBudget,
  type SharedPermit,
  type SharedWait,
} from './shared-limits.ts';
import { type CallUrgency, createWindowCount, type RateWindow, type WindowSnapshot } from './window-count.ts';

/** The request budget of an account: the vendor's windows and its limit of concurrent calls. */
export type RequestBudget = {
  /**
   * Resolves when the call may be sent. Live calls go first, and background calls leave a part of each window to them. Callers of live
   * calls take turns, and no assistant can spend the others' share of a window. Rejects as `rate_limited` when that cannot happen within
   * `withinMs`, and with the signal's reason when it aborts.
   */
  take(options: TurnOptions): Promise<Permit>;
  /** The vendor accepts no requests for this long. */
  pause(milliseconds: number): void;
  /**
   * For how long the vendor's limits and the assistant's share allow no live call; 0 when one may start, or when that only depends on an
   * answer.
   */
  restsForMs(askedBy?: CallerPath): number;
  /** The use of the most spent window; null without windows. */
  use(): BudgetUse | null;
};

export type RestorableBudget = RequestBudget & {
  snapshot(): BudgetSnapshot;
  /** Restores the snapshot of another process and its age. Call it before the first request. */
  restore(snapshot: BudgetSnapshot, agedMs: number): void;
};

/** Spending and announced pauses as plain data. Times are relative, because clocks differ after a restart. */
export type BudgetSnapshot = {
  /** The rest of a pause. */
  readonly pauseMs: number;
  readonly windows: readonly WindowSnapshot[];
};

export type RequestBudgetOptions = {
  readonly windows: readonly RateWindow[];
  /** For a vendor that limits concurrent calls. */
  readonly maxInFlight?: number;
  /** The name of the account in failures. */
  readonly account?: string;
  /** The longest wait for a turn, for commands at a terminal. */
  readonly maxWaitMs?: number | undefined;
  /** Called when the snapshot changes other than by the passing of time. */
  readonly onChange?: () => void;
  /** Counts the calls of all nodes: each call that is next here also needs a permit there. */
  readonly shared?: { readonly budget: SharedBudget; readonly random: Random } | null;
  readonly clock: Clock;
};

export type TurnOptions = {
  readonly urgency: CallUrgency;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** The caller that waits for a live call; left out for calls that serve all callers. */
  readonly askedBy?: CallerPath | undefined;
};

export type Permit = {
  /**
   * The answer has arrived or will not arrive. The request counts from now on: the vendor counts it at some time between sending and
   * answer, so only the end of the call is safe. `cost` is the vendor's figure; one by default.
   */
  done(cost?: number): void;
};

type WaitingCall = {
  readonly urgency: CallUrgency;
  readonly caller: CallerPath;
  readonly until: number;
  begin(permit: Permit): void;
  /** `at`: when it could have begun, if known. */
  giveUp(at: number): void;
};

const UNKNOWN_WAIT: SharedWait = { kind: 'wait', forMs: null };

export function createRequestBudget({
  windows,
  maxInFlight = Number.POSITIVE_INFINITY,
  account = 'the account',
  maxWaitMs = Number.POSITIVE_INFINITY,
  onChange,
  shared = null,
  clock,
}: RequestBudgetOptions): RestorableBudget {
  const counted = windows.map(createWindowCount);
  const lines = { live: createFairLine<WaitingCall>(), background: createFairLine<WaitingCall>() };
  const inFlight = { all: 0, background: 0 };
  let pausedUntil = Number.NEGATIVE_INFINITY;
  /** By the count of all nodes: for any call of an urgency, and for live calls of an assistant. */
  const postponedUntil = { live: Number.NEGATIVE_INFINITY, background: Number.NEGATIVE_INFINITY };
  const assistantRestsUntil = new Map<string, number>();
  let isAsking = false;
  let refusals = 0;
  let cancelTimer: (() => void) | undefined;

  /** When the vendor's limits allow the next request of this urgency; infinite when that depends on an answer. */
  function allowedAt(urgency: CallUrgency, now: number): number {
    const times = counted.map((count) => count.freeAt(urgency, inFlight.all, now));
    return Math.max(now, pausedUntil, postponedUntil[urgency], ...times);
  }

  function shareAt([assistant]: CallerPath, now: number): number {
    if (assistant === undefined) return now;
    const own = lines.live.inFlight(assistant);
    const times = counted.map((count) => count.shareFreeAt(assistant, own, inFlight, now));
    return Math.max(now, assistantRestsUntil.get(assistant) ?? now, ...times);
  }

  /** When a waiting call may begin. Waiting calls of an assistant share one answer. */
  function createTurnTimes(now: number) {
    const known = new Map<string | CallUrgency, number>();
    const once = (key: string, compute: () => number) => {
      const time = known.get(key) ?? compute();
      known.set(key, time);
      return time;
    };
    const share = (caller: CallerPath) => once(`of ${caller[0]}`, () => shareAt(caller, now));
    const vendor = (urgency: CallUrgency) =>
      inFlight.all >= maxInFlight ? Number.POSITIVE_INFINITY : once(urgency, () => allowedAt(urgency, now));
    return {
      share,
      vendor,
      of: ({ urgency, caller }: WaitingCall) => Math.max(vendor(urgency), share(caller)),
    };
  }

  function firstCall(now: number): WaitingItem<WaitingCall> | undefined {
    const times = createTurnTimes(now);
    for (const urgency of ['live', 'background'] as const) {
      const turn = lines[urgency].next((caller) => times.share(caller) <= now);
      // A live call that waits for the vendor's limits holds background calls up.
      if (turn) return times.vendor(urgency) <= now ? turn.place : undefined;
    }
    return undefined;
  }

  /** Starts calls that may start, rejects those that would start too late, and schedules the next check. */
  function letGo(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    const now = clock.elapsed();
    for (let first = firstCall(now); first && !isAsking; first = firstCall(now)) {
      if (shared) void askAllNodes(shared, first);
      else begin(first, null);
    }
    const waiting = [...lines.live.waiting, ...lines.background.waiting].map(({ item }) => item);
    const times = createTurnTimes(now);
    let next = Number.POSITIVE_INFINITY;
    let hasGivenUp = false;
    for (const call of waiting) {
      // While all nodes' count is asked, it depends on that answer.
      const at = isAsking ? Number.POSITIVE_INFINITY : times.of(call);
      const isTooLate = Number.isFinite(at) ? at > call.until : call.until <= now;
      if (at > now && isTooLate) {
        call.giveUp(at);
        hasGivenUp = true;
      } else next = Math.min(next, at > now ? at : next, call.until > now ? call.until : next);
    }
    // One that waited behind it may begin.
    if (hasGivenUp) letGo();
    else if (Number.isFinite(next)) cancelTimer = clock.after(Math.max(1, Math.ceil(next - now)), letGo);
  }

  async function askAllNodes(
    { budget, random }: NonNullable<typeof shared>,
    place: WaitingItem<WaitingCall>,
  ): Promise<void> {
    isAsking = true;
    const { urgency, caller } = place.item;
    const [assistant] = caller;
    // While the store does not answer, nothing is left.
    const answer = await budget.take({ urgency, assistant }).catch(() => UNKNOWN_WAIT);
    isAsking = false;
    if (answer.kind === 'granted') {
      refusals = 0;
      if (lines[urgency].waiting.has(place)) begin(place, answer);
      // The caller has left meanwhile.
      else answer.done(0);
    } else {
      const now = clock.elapsed();
      if (answer.kind === 'rest' && assistant !== undefined) {
        for (const [other, until] of assistantRestsUntil) if (until <= now) assistantRestsUntil.delete(other);
        assistantRestsUntil.set(assistant, now + (answer.forMs ?? 0));
      } else postponedUntil[urgency] = now + (answer.forMs ?? jitteredPauseMs(refusals, random));
      refusals += 1;
    }
    letGo();
  }

  function begin(place: WaitingItem<WaitingCall>, granted: SharedPermit | null): void {
    const { urgency, caller } = place.item;
    const line = lines[urgency];
    const end = line.begin(caller);
    const stopRenewing = granted && renewWhileUnderWay(granted, clock);
    inFlight.all += 1;
    if (urgency === 'background') inFlight.background += 1;
    let isOver = false;
    place.item.begin({
      done(cost = 1) {
        if (isOver) return;
        isOver = true;
        end();
        inFlight.all -= 1;
        if (urgency === 'background') inFlight.background -= 1;
        const at = clock.elapsed();
        for (const count of counted) count.add({ cost, at, urgency, assistant: caller[0] });
        stopRenewing?.();
        granted?.done(cost);
        onChange?.();
        letGo();
      },
    });
    onChange?.();
  }

  function spentFailure(at: number): BookingSystemFailure {
    const until = Number.isFinite(at) ? `before ${wallTime(clock.now() + at - clock.elapsed())}` : 'for now';
    return new BookingSystemFailure('rate_limited', `${account} can be sent no more requests ${until}`);
  }

  return {
    take({ urgency, withinMs, signal, askedBy = [] }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const leave = () => {
          lines[urgency].remove(place);
          signal.removeEventListener('abort', abort);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
          letGo();
        };
        const call: WaitingCall = {
          urgency,
          caller: urgency === 'live' ? askedBy : [],
          until: clock.elapsed() + Math.min(withinMs, maxWaitMs),
          begin(permit) {
            leave();
            resolve(permit);
          },
          giveUp(at) {
            leave();
            reject(spentFailure(at));
          },
        };
        const place = lines[urgency].add(call, [call.caller]);
        signal.addEventListener('abort', abort, { once: true });
        letGo();
      });
    },
    restsForMs(askedBy = []) {
      const now = clock.elapsed();
      const at = Math.max(allowedAt('live', now), shareAt(askedBy, now));
      return Number.isFinite(at) ? at - now : Math.max(0, pausedUntil - now);
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.elapsed() + Math.max(0, milliseconds));
      shared?.budget.pause(milliseconds);
      onChange?.();
      letGo();
    },
    use() {
      const now = clock.elapsed();
      const uses = counted.map((count) => count.use(inFlight.all, now));
      return uses.toSorted((one, other) => other.used / other.of - one.used / one.of)[0] ?? null;
    },
    snapshot() {
      const now = clock.elapsed();
      return {
        pauseMs: Math.max(0, Math.ceil(pausedUntil - now)),
        windows: counted.map((count) => count.snapshot(inFlight, now)),
      };
    },
    restore({ pauseMs, windows: stored }, agedMs) {
      const now = clock.elapsed();
      const byLength = stored.toSorted((one, other) => one.perMs - other.perMs);
      for (const [index, { perMs }] of windows.entries()) {
        // If the owner changed the limits since, the next longer window has the same calls, less exactly.
        const known = byLength.find((one) => one.perMs >= perMs) ?? byLength.at(-1);
        if (known) counted[index]?.restore(known.spent, agedMs, now);
      }
      pausedUntil = Math.max(pausedUntil, now + pauseMs - agedMs);
    },
  };
}

/** Readable, to the second. */
export function wallTime(epochMs: number): string {
  return `${new Date(Math.ceil(epochMs / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
