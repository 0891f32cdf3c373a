import type { BudgetUse } from './booking-system-failure.ts';
import type { Line } from './fair-queue.ts';

/** Requests in flight, not yet counted. */
type CallsInFlight = {
  readonly all: number;
  readonly background: number;
  /** By name of caller and assistant. */
  readonly byName: ReadonlyMap<string, number>;
};

type Spent = {
  readonly cost: number;
  /** In elapsed time. */
  readonly at: number;
  readonly urgency: CallUrgency;
  readonly caller: AccountCaller | undefined;
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
/** The part of the live budget reserved for the next new caller; half as much again for one of a new assistant. */
export const NEWCOMERS_SHARE = 1 / 8;
/** Shares apply once this much is spent: many callers with few calls must not limit one with more. */
export const UNSHARED_PART = 0.5;
/** Shorter windows need no shares: calls wait for the next one and take turns. */
export const MIN_SHARED_WINDOW_MS = 5000;
/** The slices of a stored window: the spending of a slice counts until its last call leaves the window. */
export const MAX_STORED_SLICES = 50;
/** Costs are fractions; ignores rounding errors of adding and subtracting them. */
const NEGLIGIBLE_COST = 1e-6;

/** The spending in one window by caller, oldest first. */
export function createWindowCount({ requests, perMs }: RateWindow) {
  const isShared = perMs >= MIN_SHARED_WINDOW_MS;
  let spent: Spent[] = [];
  let sum = 0;
  let backgroundSum = 0;
  let expired = 0;
  /** Of callers and of assistants. */
  const sumsByName = new Map<string, number>();
  /** Callers of the window, the longest inactive first. */
  const askedAt = new Map<string, { readonly caller: AccountCaller; readonly at: number }>();
  /** The number of these callers per assistant. */
  const callersOf = new Map<string, number>();

  function count({ cost, urgency, caller }: Spent, sign: 1 | -1): void {
    sum += sign * cost;
    if (urgency === 'background') backgroundSum += sign * cost;
    if (!caller || !isShared) return;
    for (const name of [caller.name, caller.assistant]) {
      const ofName = (sumsByName.get(name) ?? 0) + sign * cost;
      if (ofName > NEGLIGIBLE_COST) sumsByName.set(name, ofName);
      else sumsByName.delete(name);
    }
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
    for (const { caller, at } of askedAt.values()) {
      if (at + perMs > now) break;
      forgetCaller(caller);
    }
  }

  function forgetCaller({ name, assistant }: AccountCaller): void {
    if (!askedAt.delete(name)) return;
    const others = (callersOf.get(assistant) ?? 0) - 1;
    if (others > 0) callersOf.set(assistant, others);
    else callersOf.delete(assistant);
  }

  function add(one: Spent): void {
    spent.push(one);
    count(one, 1);
  }

  return {
    add,
    /** Requests in flight count as spent: the vendor may have counted them. */
    snapshot(inFlight: Pick<CallsInFlight, 'all' | 'background'>, now: number): WindowSnapshot {
      forget(now);
      const slices = new Map<number, { agoMs: number; live: number; background: number }>();
      const put = (at: number, live: number, background: number) => {
        const index = Math.floor((at * MAX_STORED_SLICES) / perMs);
        const slice = slices.get(index) ?? { agoMs: 0, live: 0, background: 0 };
        slice.agoMs = Math.max(0, Math.floor(now - at));
        slice.live += live;
        slice.background += background;
        slices.set(index, slice);
      };
      for (let index = expired; index < spent.length; index += 1) {
        const one = spent[index];
        if (!one) continue;
        const isLive = one.urgency === 'live';
        put(one.at, isLive ? one.cost : 0, isLive ? 0 : one.cost);
      }
      if (inFlight.all > 0) put(now, inFlight.all - inFlight.background, inFlight.background);
      return { perMs, spent: [...slices.values()] };
    },
    /** Restores spending of an earlier process, aged by `agedMs`. Call it before counting the first request. */
    restore(slices: readonly SpentSlice[], agedMs: number, now: number): void {
      for (const { agoMs, live, background } of slices.toSorted((one, other) => other.agoMs - one.agoMs)) {
        const at = now - agoMs - agedMs;
        if (at + perMs <= now) continue;
        add({ cost: live, at, urgency: 'live', caller: undefined });
        add({ cost: background, at, urgency: 'background', caller: undefined });
      }
    },
    /** Notes the caller, also when its call is then refused: it claims a share. */
    noteAsking(caller: AccountCaller, now: number): void {
      if (!isShared) return;
      forgetCaller(caller);
      askedAt.set(caller.name, { caller, at: now });
      callersOf.set(caller.assistant, (callersOf.get(caller.assistant) ?? 0) + 1);
    },
    /** Requests in flight count as spent. */
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
      let excess = sum + inFlight + 1 - limit;
      if (excess <= 0) return now;
      for (let index = expired; index < spent.length; index += 1) {
        const { cost, at } = spent[index] ?? { cost: 0, at: now };
        excess -= cost;
        if (excess <= 0) return at + perMs;
      }
      return Number.POSITIVE_INFINITY;
    },
    /**
     * When the shares of the caller and its assistant allow its next live call; infinite when that depends on an answer. If that is after
     * `until`, returns any time between the two: a refusal must not scan the whole window.
     */
    shareFreeAt(
      { name, assistant }: AccountCaller,
      inFlight: CallsInFlight,
      now: number,
      until: number,
    ): number {
      if (!isShared) return now;
      forget(now);
      const live = requests - backgroundSum - inFlight.background;
      const reserved = Math.max(1, Math.floor(live * NEWCOMERS_SHARE));
      const ofAssistants = live - Math.floor(reserved / 2);
      const ofCallers = ofAssistants - reserved;
      const assistants = Math.max(1, callersOf.size);
      const excessOf = (one: string, shareable: number, sharers: number) =>
        (sumsByName.get(one) ?? 0) +
        (inFlight.byName.get(one) ?? 0) +
        1 -
        Math.max(1, Math.floor(shareable / sharers));
      let ownExcess = excessOf(name, ofCallers, assistants * (callersOf.get(assistant) ?? 1));
      let assistantExcess = excessOf(assistant, ofAssistants, assistants);
      const all = sum - backgroundSum + inFlight.all - inFlight.background;
      let commonExcess = all + 1 - Math.floor(ofCallers * UNSHARED_PART);
      const isFree = () => Math.max(ownExcess, assistantExcess) <= 0 || commonExcess <= 0;
      if (isFree()) return now;
      for (let index = expired; index < spent.length; index += 1) {
        const one = spent[index];
        if (!one || one.urgency === 'background') continue;
        if (one.at + perMs > until) return one.at + perMs;
        commonExcess -= one.cost;
        if (one.caller?.name === name) ownExcess -= one.cost;
        if (one.caller?.assistant === assistant) assistantExcess -= one.cost;
        if (isFree()) return one.at + perMs;
      }
      return Number.POSITIVE_INFINITY;
    },
  };
}

/** This many requests, or credits, in any window of this length. */
export type RateWindow = { readonly requests: number; readonly perMs: number };

/** A traveller waits for a live call; background calls can wait. */
export type CallUrgency = 'live' | 'background';

/** The caller that spends an account's requests. Sessions are free to open, so all of an address count as one caller. */
export type AccountCaller = { readonly name: string; readonly assistant: string };

export function accountCaller(line: Line): AccountCaller | undefined {
  const [assistant, address = ''] = line;
  return assistant === undefined ? undefined : { name: `${assistant}\n${address}`, assistant };
}
