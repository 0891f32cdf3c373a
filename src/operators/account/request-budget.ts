import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';

/** So many requests, or credits, in any such time. */
export type RateWindow = { readonly requests: number; readonly perMs: number };

/** A traveller waits for a live call; a background one can wait. */
export type CallUrgency = 'live' | 'background';

/** What a vendor lets an account send. All calls of the account share it. */
export type RequestBudget = {
  /**
   * Resolves when a request may be sent. Live calls go first, and background calls leave a part of each window to them.
   * Rejects as `rate_limited` when that cannot be before `withinMs` are over, and with the signal's reason when it aborts.
   */
  take(options: {
    readonly urgency: CallUrgency;
    readonly withinMs: number;
    readonly signal: AbortSignal;
  }): Promise<Permit>;
  /** The vendor wants nothing for so long. */
  pause(milliseconds: number): void;
  /** The vendor says how much is left of its window, and when that window ends. */
  learn(left: number, endsInMs: number): void;
};

export type Permit = {
  /**
   * The answer has come, or will not come. Counted from now on: the vendor counts a request at some time between its sending
   * and its answer, so only the end of the call is safe. `cost` is what the vendor says that it cost; one when it says nothing.
   */
  done(cost?: number): void;
};

/** What background calls leave to live ones. */
const LIVE_SHARE = 0.25;

type Spent = { readonly cost: number /** In elapsed time. */; readonly at: number };
type WaitingCall = {
  readonly urgency: CallUrgency;
  readonly until: number;
  readonly begin: () => void;
  readonly giveUp: (failure: BookingSystemFailure) => void;
};

export function createRequestBudget({
  windows,
  maxInFlight = Number.POSITIVE_INFINITY,
  clock,
}: {
  readonly windows: readonly RateWindow[];
  /** For a vendor that wants its calls one after the other. */
  readonly maxInFlight?: number;
  readonly clock: Clock;
}): RequestBudget {
  const counted = windows.map(createWindowCount);
  const waiting: Record<CallUrgency, WaitingCall[]> = { live: [], background: [] };
  let inFlight = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  /** When the next request of this urgency may go; infinite when that depends on an answer. */
  function nextAt(urgency: CallUrgency, now: number): number {
    if (inFlight >= maxInFlight) return Number.POSITIVE_INFINITY;
    return Math.max(now, pausedUntil, ...counted.map((count) => count.freeAt(urgency, inFlight, now)));
  }

  function begin(): Permit {
    let isDone = false;
    inFlight += 1;
    return {
      done(cost = 1) {
        if (isDone) return;
        isDone = true;
        inFlight -= 1;
        const at = clock.elapsed();
        for (const count of counted) count.add({ cost, at });
        letGo();
      },
    };
  }

  /** Starts what may start, gives up what would start too late, and looks again when the next one may. */
  function letGo(): void {
    const now = clock.elapsed();
    cancelTimer?.();
    cancelTimer = undefined;
    for (const urgency of ['live', 'background'] as const) {
      const line = waiting[urgency];
      if (urgency === 'background' && waiting.live.length > 0) break;
      while (line[0] && nextAt(urgency, now) <= now) line.shift()?.begin();
      // Those in flight may still give way, so only a wait that is known can be too long.
      const at = nextAt(urgency, now);
      for (const one of [...line]) {
        if (Number.isFinite(at) && at > one.until) one.giveUp(spentFailure());
      }
    }
    schedule(now);
  }

  function schedule(now: number): void {
    const urgency = waiting.live.length > 0 ? 'live' : 'background';
    const line = waiting[urgency];
    if (line.length === 0) return;
    const at = Math.min(
      nextAt(urgency, now),
      ...[...waiting.live, ...waiting.background].map(({ until }) => until),
    );
    if (!Number.isFinite(at)) return;
    cancelTimer = clock.after(Math.max(1, Math.ceil(at - now)), () => {
      const then = clock.elapsed();
      for (const each of [...waiting.live, ...waiting.background]) {
        if (each.until <= then && nextAt(each.urgency, then) > then) each.giveUp(spentFailure());
      }
      letGo();
    });
  }

  return {
    take({ urgency, withinMs, signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const line = waiting[urgency];
        const leave = () => {
          const index = line.indexOf(one);
          if (index >= 0) line.splice(index, 1);
          signal.removeEventListener('abort', abort);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
          letGo();
        };
        const one: WaitingCall = {
          urgency,
          until: clock.elapsed() + withinMs,
          begin: () => {
            signal.removeEventListener('abort', abort);
            resolve(begin());
          },
          giveUp: (failure) => {
            leave();
            reject(failure);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        line.push(one);
        letGo();
      });
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.elapsed() + Math.max(0, milliseconds));
      letGo();
    },
    learn(left, endsInMs) {
      // Somebody else may use the account too, so the vendor's count wins when it leaves less than ours.
      if (left <= 0) this.pause(endsInMs);
    },
  };
}

/** What was spent in one window, oldest first. */
function createWindowCount({ requests, perMs }: RateWindow) {
  let spent: Spent[] = [];
  let sum = 0;
  let expired = 0;

  function forget(now: number): void {
    for (let oldest = spent[expired]; oldest && oldest.at + perMs <= now; oldest = spent[expired]) {
      sum -= oldest.cost;
      expired += 1;
    }
    // Not one by one, because shifting a long list moves all of it.
    if (expired > 1000) {
      spent = spent.slice(expired);
      expired = 0;
    }
  }

  return {
    add(one: Spent): void {
      spent.push(one);
      sum += one.cost;
    },
    freeAt(urgency: CallUrgency, inFlight: number, now: number): number {
      forget(now);
      const kept = urgency === 'live' ? 0 : Math.ceil(requests * LIVE_SHARE);
      // At least one, so that an account with a single request in a window is synchronised too.
      const limit = Math.max(1, requests - kept);
      let excess = sum + inFlight + 1 - limit;
      if (excess <= 0) return now;
      for (let index = expired; index < spent.length; index += 1) {
        const { cost, at } = spent[index] ?? { cost: 0, at: now };
        excess -= cost;
        if (excess <= 0) return at + perMs;
      }
      return Number.POSITIVE_INFINITY;
    },
  };
}

function spentFailure(): BookingSystemFailure {
  return new BookingSystemFailure('rate_limited', 'the account has used up what its vendor allows for now');
}
