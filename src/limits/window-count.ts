import type { BudgetUse } from './booking-system-failure.ts';

/** This many requests, or credits, in any window of this length. */
export type RateWindow = { readonly requests: number; readonly perMs: number };

/** A traveller waits for a live call; background calls can wait. */
export type CallUrgency = 'live' | 'background';

/** Requests in flight, which count as spent: the vendor may have counted them. */
export type CallsInFlight = { readonly all: number; readonly background: number };

type Spent = {
  readonly cost: number;
  /** In elapsed time. */
  readonly at: number;
  readonly urgency: CallUrgency;
  readonly assistant: string | undefined;
};

/** The spending of all callers at about the same time. */
type SpentSlice = {
  /** Since the last spending of the slice. */
  readonly agoMs: number;
  readonly live: number;
  readonly background: number;
};

/** The spending of one window as plain data, oldest first; its size does not depend on the number of calls. */
export type WindowSnapshot = { readonly perMs: number; readonly spent: readonly SpentSlice[] };

/** The part that background calls leave to live ones. */
export const LIVE_SHARE = 0.25;
/** The part of the live budget reserved for assistants that have not called yet. */
export const NEWCOMERS_SHARE = 1 / 8;
/** Shares apply once this much is spent: assistants with few calls must not limit one with more. */
export const UNSHARED_PART = 0.5;
/** Shorter windows need no shares: calls wait for the next one and take turns. */
export const MIN_SHARED_WINDOW_MS = 5000;
/** The slices of a stored window: the spending of a slice counts until its last call leaves the window. */
export const MAX_STORED_SLICES = 50;
/** Costs are fractions; ignores rounding errors of adding and subtracting them. */
const NEGLIGIBLE_COST = 1e-6;

/** The spending in one window by assistant, oldest first. */
export function createWindowCount({ requests, perMs }: RateWindow) {
  let spent: Spent[] = [];
  let expired = 0;
  let sum = 0;
  let backgroundSum = 0;
  const sumsOfAssistants = new Map<string, number>();

  function count({ cost, urgency, assistant }: Spent, sign: 1 | -1): void {
    sum += sign * cost;
    if (urgency === 'background') backgroundSum += sign * cost;
    if (assistant === undefined) return;
    const ofAssistant = (sumsOfAssistants.get(assistant) ?? 0) + sign * cost;
    if (ofAssistant > NEGLIGIBLE_COST) sumsOfAssistants.set(assistant, ofAssistant);
    else sumsOfAssistants.delete(assistant);
  }

  function forget(now: number): void {
    for (let oldest = spent[expired]; oldest && oldest.at + perMs <= now; oldest = spent[expired]) {
      count(oldest, -1);
      expired += 1;
    }
    // Not one by one: each shift of a long list moves all of it.
    if (expired > 1000) {
      spent = spent.slice(expired);
      expired = 0;
    }
  }

  function add(one: Spent): void {
    spent.push(one);
    count(one, 1);
  }

  /** When so much of the counted spending has left the window; infinite when that depends on an answer. */
  function leftAt(excess: number, now: number, isCounted: (one: Spent) => boolean): number {
    let rest = excess;
    if (rest <= NEGLIGIBLE_COST) return now;
    for (let index = expired; index < spent.length; index += 1) {
      const one = spent[index];
      if (!one || !isCounted(one)) continue;
      rest -= one.cost;
      if (rest <= NEGLIGIBLE_COST) return one.at + perMs;
    }
    return Number.POSITIVE_INFINITY;
  }

  return {
    add,
    use(inFlight: number, now: number): BudgetUse {
      forget(now);
      return { used: Math.max(0, Math.round(sum)) + inFlight, of: requests, perSeconds: perMs / 1000 };
    },
    /** When the vendor's limit allows the next call; infinite when that depends on an answer. */
    freeAt(urgency: CallUrgency, inFlight: number, now: number): number {
      forget(now);
      const reserved = urgency === 'live' ? 0 : Math.ceil(requests * LIVE_SHARE);
      // At least one, so that an account with a single request per window is synchronised too.
      const limit = Math.max(1, requests - reserved);
      return leftAt(sum + inFlight + 1 - limit, now, () => true);
    },
    /** When the share of the assistant allows its next live call; infinite when that depends on an answer. */
    shareFreeAt(assistant: string, own: number, inFlight: CallsInFlight, now: number): number {
      if (perMs < MIN_SHARED_WINDOW_MS) return now;
      forget(now);
      const live = requests - backgroundSum - inFlight.background;
      const shareable = live - Math.max(1, Math.floor(live * NEWCOMERS_SHARE));
      const ofAssistant = sumsOfAssistants.get(assistant);
      const sharers = sumsOfAssistants.size + (ofAssistant === undefined ? 1 : 0);
      const ownExcess = (ofAssistant ?? 0) + own + 1 - Math.max(1, Math.floor(shareable / sharers));
      const all = sum - backgroundSum + inFlight.all - inFlight.background;
      const commonExcess = all + 1 - Math.floor(shareable * UNSHARED_PART);
      return Math.min(
        leftAt(ownExcess, now, (one) => one.assistant === assistant),
        leftAt(commonExcess, now, (one) => one.urgency === 'live'),
      );
    },
    snapshot({ all, background }: CallsInFlight, now: number): WindowSnapshot {
      forget(now);
      const slices = new Map<number, { agoMs: number; live: number; background: number }>();
      const put = (at: number, of: CallUrgency, cost: number) => {
        const index = Math.floor((at * MAX_STORED_SLICES) / perMs);
        const slice = slices.get(index) ?? { agoMs: 0, live: 0, background: 0 };
        slice.agoMs = Math.max(0, Math.floor(now - at));
        slice[of] += cost;
        slices.set(index, slice);
      };
      for (const { at, urgency, cost } of spent.slice(expired)) put(at, urgency, cost);
      if (all > 0) put(now, 'live', all - background);
      if (all > 0) put(now, 'background', background);
      return { perMs, spent: [...slices.values()] };
    },
    /** Restores spending of an earlier process, aged by `agedMs`. Call it before counting the first request. */
    restore(slices: readonly SpentSlice[], agedMs: number, now: number): void {
      for (const { agoMs, live, background } of slices.toSorted((one, other) => other.agoMs - one.agoMs)) {
        const at = now - agoMs - agedMs;
        if (at + perMs <= now) continue;
        add({ cost: live, at, urgency: 'live', assistant: undefined });
        add({ cost: background, at, urgency: 'background', assistant: undefined });
      }
    },
  };
}
