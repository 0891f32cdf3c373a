import { BookingSystemFailure } from './booking-system-failure.ts';
import type { NodeBudget, NodePermit, RequestBudgetOptions } from './request-budget.ts';
import { type AccountCaller, accountCaller, type CallUrgency, createWindowCount } from './window-count.ts';

/** A preemptible call runs undisturbed for this long: most answers arrive within it. */
const MIN_UNDISTURBED_MS = 1000;

/** After live calls have delayed all others for this long, one background call goes first and runs to its end. */
const MAX_BACKGROUND_DELAY_MS = 120_000;

/** Shorter waits are not reported. */
const MIN_TOLD_WAIT_MS = 2000;

type WaitingCall = {
  urgency: CallUrgency;
  readonly caller: AccountCaller | undefined;
  until: number;
  readonly begin: (isUndisturbed: boolean) => void;
  /** `at`: when it could have begun, if known. */
  readonly giveUp: (at: number) => void;
};

type InterruptibleCall = { readonly since: number; readonly giveWay: AbortController };

export function createRequestBudget({
  windows,
  maxInFlight = Number.POSITIVE_INFINITY,
  account = 'the account',
  maxWaitMs = Number.POSITIVE_INFINITY,
  onWait,
  onChange,
  clock,
}: RequestBudgetOptions): NodeBudget {
  const counted = windows.map(createWindowCount);
  const waiting: Record<CallUrgency, WaitingCall[]> = { live: [], background: [] };
  const interruptible = new Set<InterruptibleCall>();
  let inFlight = 0;
  let backgroundInFlight = 0;
  const inFlightByName = new Map<string, number>();
  /** The latest turns of assistants and callers, while calls wait. */
  const turns = new Map<string, number>();
  let turn = 0;
  /** Since when no background call has ended although some exist. */
  let owedSince: number | undefined;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const restsUntil = new Map<string, number>();
  const postponedUntil = { live: Number.NEGATIVE_INFINITY, background: Number.NEGATIVE_INFINITY };
  let toldUntil = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  /** When the vendor's limits allow the next request of this urgency. */
  function allowedAt(urgency: CallUrgency, now: number): number {
    const times = counted.map((count) => count.freeAt(urgency, inFlight, now));
    return Math.max(now, pausedUntil, postponedUntil[urgency], ...times);
  }

  /** When the next request of this urgency may start; infinite when that depends on an answer. */
  function nextAt(urgency: CallUrgency, now: number): number {
    return inFlight >= maxInFlight ? Number.POSITIVE_INFINITY : allowedAt(urgency, now);
  }

  /** When its caller's share allows it, or some time after `until`. */
  function shareAt(
    { urgency, caller }: Pick<WaitingCall, 'urgency' | 'caller'>,
    now: number,
    until: number,
  ): number {
    if (urgency === 'background' || !caller) return now;
    const flying = { all: inFlight, background: backgroundInFlight, byName: inFlightByName };
    const restedAt = restsUntil.get(caller.name) ?? now;
    return Math.max(now, restedAt, ...counted.map((count) => count.shareFreeAt(caller, flying, now, until)));
  }

  function isWithinShare(one: WaitingCall, now: number): boolean {
    return shareAt(one, now, now) <= now;
  }

  /** Like `nextAt`, for a waiting call. */
  function turnAt(one: WaitingCall, now: number): number {
    return Math.max(nextAt(one.urgency, now), shareAt(one, now, one.until));
  }

  /** The next call: among those within their shares, the one whose assistant, then whose caller, has waited longest since its last turn. */
  function takeNext(urgency: CallUrgency, now: number): WaitingCall | undefined {
    const line = waiting[urgency];
    if (line.length === 0 || nextAt(urgency, now) > now) return undefined;
    if (urgency === 'background') return line.shift();
    let next: WaitingCall | undefined;
    for (const one of line) {
      if (isWithinShare(one, now) && (!next || hadNoneForLonger(one, next))) next = one;
    }
    if (next) line.splice(line.indexOf(next), 1);
    return next;
  }

  function hadNoneForLonger({ caller: one }: WaitingCall, { caller: other }: WaitingCall): boolean {
    const assistants = lastTurn(one?.assistant) - lastTurn(other?.assistant);
    return assistants < 0 || (assistants === 0 && lastTurn(one?.name) < lastTurn(other?.name));
  }

  /** A call without a caller, such as one for a token, serves all callers. */
  function lastTurn(name: string | undefined): number {
    return name === undefined ? -1 : (turns.get(name) ?? 0);
  }

  /** Whether a call waits only for the vendor's limits. */
  function hasLiveInLine(now: number): boolean {
    return waiting.live.some((one) => isWithinShare(one, now));
  }

  function countInFlight({ name, assistant }: AccountCaller, change: 1 | -1): void {
    for (const each of [name, assistant]) {
      const calls = (inFlightByName.get(each) ?? 0) + change;
      if (calls > 0) inFlightByName.set(each, calls);
      else inFlightByName.delete(each);
    }
    if (change < 0 || waiting.live.length === 0) return;
    turn += 1;
    turns.set(assistant, turn).set(name, turn);
  }

  function begin({ urgency, caller }: WaitingCall, givesWay: boolean, goesFirst: boolean): NodePermit {
    let isOver = false;
    const lastTurns =
      caller && [caller.assistant, caller.name].map((name) => [name, turns.get(name)] as const);
    inFlight += 1;
    if (urgency === 'background') backgroundInFlight += 1;
    if (caller) countInFlight(caller, 1);
    const canBeInTheWay = givesWay && Number.isFinite(maxInFlight);
    const call = canBeInTheWay ? { since: clock.elapsed(), giveWay: new AbortController() } : undefined;
    if (call) interruptible.add(call);
    onChange?.();

    function leave(): boolean {
      if (isOver) return false;
      isOver = true;
      inFlight -= 1;
      if (urgency === 'background') backgroundInFlight -= 1;
      if (caller) countInFlight(caller, -1);
      if (call) interruptible.delete(call);
      return true;
    }

    return {
      ...(call ? { giveWay: call.giveWay.signal } : {}),
      caller,
      goesFirst,
      done(cost = 1) {
        if (!leave()) return;
        const at = clock.elapsed();
        // A preempted call returns and keeps its claim.
        const hasEnded = urgency === 'background' && !call?.giveWay.signal.aborted;
        if (hasEnded) owedSince = hasBackground() ? at : undefined;
        for (const count of counted) count.add({ cost, at, urgency, caller });
        onChange?.();
        letGo();
      },
      giveBack() {
        if (!leave()) return;
        for (const [name, last] of lastTurns ?? []) {
          if (last === undefined) turns.delete(name);
          else turns.set(name, last);
        }
        if (goesFirst) owedSince = clock.elapsed() - MAX_BACKGROUND_DELAY_MS;
        onChange?.();
        letGo();
      },
      makeWay() {
        if (call && isDisturbable(call, clock.elapsed())) breakOff(call);
      },
    };
  }

  function isDisturbable(call: InterruptibleCall, now: number): boolean {
    return interruptible.has(call) && now - call.since >= MIN_UNDISTURBED_MS;
  }

  function breakOff(call: InterruptibleCall): void {
    interruptible.delete(call);
    call.giveWay.abort(new BookingSystemFailure('overloaded', 'a live call needs the place'));
  }

  function hasBackground(): boolean {
    return backgroundInFlight > 0 || waiting.background.length > 0;
  }

  function isOverdue(now: number): boolean {
    return owedSince !== undefined && now - owedSince >= MAX_BACKGROUND_DELAY_MS;
  }

  /** Starts calls that may start, rejects those that would start too late, and schedules the next check. */
  function letGo(): void {
    const now = clock.elapsed();
    cancelTimer?.();
    cancelTimer = undefined;
    if (isOverdue(now) && waiting.background[0]) {
      const asUrgent = waiting.live.length > 0 ? 'live' : 'background';
      if (nextAt(asUrgent, now) <= now) {
        owedSince = now;
        waiting.background.shift()?.begin(true);
      }
    }
    for (const urgency of ['live', 'background'] as const) {
      if (urgency === 'background' && hasLiveInLine(now)) break;
      for (let next = takeNext(urgency, now); next; next = takeNext(urgency, now)) next.begin(false);
      // Calls in flight may still be preempted, so only a known wait can be too long.
      for (const one of [...waiting[urgency]]) {
        const at = turnAt(one, now);
        if (Number.isFinite(at) && at > one.until) one.giveUp(at);
      }
    }
    if (waiting.live.length === 0) turns.clear();
    makeWay(now);
    tellOfWait(now);
    schedule(now);
  }

  /** Preempts one background call for each waiting live call, unless the vendor's limits allow none anyway. */
  function makeWay(now: number): void {
    if (interruptible.size === 0 || inFlight < maxInFlight || allowedAt('live', now) > now) return;
    let places = waiting.live.filter((one) => isWithinShare(one, now)).length;
    for (const call of interruptible) {
      if (places <= 0) return;
      if (!isDisturbable(call, now)) continue;
      places -= 1;
      breakOff(call);
    }
  }

  function tellOfWait(now: number): void {
    const urgency = waiting.live.length > 0 ? 'live' : 'background';
    if (!onWait || waiting[urgency].length === 0) return;
    const at = Math.min(...waiting[urgency].map((one) => turnAt(one, now)));
    if (!Number.isFinite(at) || at - now < MIN_TOLD_WAIT_MS || at - toldUntil < MIN_TOLD_WAIT_MS) return;
    toldUntil = at;
    onWait(at - now);
  }

  function schedule(now: number): void {
    if (waiting.live.length + waiting.background.length === 0) return;
    const isLiveNext = hasLiveInLine(now);
    const undisturbed = isLiveNext ? [...interruptible].map(({ since }) => since) : [];
    const at = Math.min(
      ...waiting.live.map((one) => turnAt(one, now)),
      isLiveNext || waiting.background.length === 0 ? Number.POSITIVE_INFINITY : nextAt('background', now),
      ...undisturbed.map((since) => since + MIN_UNDISTURBED_MS).filter((end) => end > now),
      ...[...waiting.live, ...waiting.background].map(({ until }) => until),
    );
    if (!Number.isFinite(at)) return;
    cancelTimer = clock.after(Math.max(1, Math.ceil(at - now)), () => {
      const then = clock.elapsed();
      for (const each of [...waiting.live, ...waiting.background]) {
        const next = turnAt(each, then);
        if (each.until <= then && next > then) each.giveUp(next);
      }
      letGo();
    });
  }

  function spentFailure(at: number): BookingSystemFailure {
    const now = clock.elapsed();
    const until = Number.isFinite(at) ? `before ${wallTime(clock.now() + at - now)}` : 'for now';
    return new BookingSystemFailure('rate_limited', `${account} can be sent no more requests ${until}`);
  }

  return {
    take({ urgency, withinMs, signal, askedBy = [], givesWay = false, hurry }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const leave = () => {
          const line = waiting[one.urgency];
          const index = line.indexOf(one);
          if (index >= 0) line.splice(index, 1);
          if (!hasBackground()) owedSince = undefined;
          stopListening();
        };
        const stopListening = () => {
          signal.removeEventListener('abort', abort);
          hurry?.signal.removeEventListener('abort', becomeLive);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
          letGo();
        };
        const becomeLive = () => {
          if (one.urgency === 'live') return;
          leave();
          one.urgency = 'live';
          one.until = Math.min(one.until, clock.elapsed() + (hurry?.withinMs ?? 0));
          enter();
        };
        const enter = () => {
          signal.addEventListener('abort', abort, { once: true });
          if (one.urgency === 'background') {
            hurry?.signal.addEventListener('abort', becomeLive, { once: true });
            owedSince ??= clock.elapsed();
          }
          waiting[one.urgency].push(one);
          letGo();
        };
        const one: WaitingCall = {
          urgency,
          caller: urgency === 'live' ? accountCaller(askedBy) : undefined,
          until: clock.elapsed() + Math.min(withinMs, maxWaitMs),
          begin: (isUndisturbed) => {
            stopListening();
            resolve(begin(one, givesWay && !isUndisturbed, isUndisturbed));
          },
          giveUp: (at) => {
            leave();
            reject(spentFailure(at));
          },
        };
        const { caller } = one;
        if (caller) for (const count of counted) count.noteAsking(caller, clock.elapsed());
        // It aborted before the listener was added.
        if (urgency === 'background' && hurry?.signal.aborted) becomeLive();
        else enter();
      });
    },
    restsForMs(askedBy = []) {
      const now = clock.elapsed();
      const asking = { urgency: 'live', caller: accountCaller(askedBy) } as const;
      const at = Math.max(allowedAt('live', now), shareAt(asking, now, Number.POSITIVE_INFINITY));
      return Number.isFinite(at) ? at - now : Math.max(0, pausedUntil - now);
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.elapsed() + Math.max(0, milliseconds));
      onChange?.();
      letGo();
    },
    postpone(urgency, milliseconds) {
      postponedUntil[urgency] = clock.elapsed() + milliseconds;
      letGo();
    },
    isPostponed: (urgency) => postponedUntil[urgency] > clock.elapsed(),
    rest({ name }, milliseconds) {
      const now = clock.elapsed();
      for (const [other, until] of restsUntil) if (until <= now) restsUntil.delete(other);
      restsUntil.set(name, now + milliseconds);
    },
    learn(left, endsInMs) {
      // Other software may use the account too, so the vendor's count wins when it leaves less than ours.
      if (left <= 0) this.pause(endsInMs);
    },
    use() {
      const now = clock.elapsed();
      const uses = counted.map((count) => count.use(inFlight, now));
      return uses.toSorted((one, other) => other.used / other.of - one.used / one.of)[0] ?? null;
    },
    snapshot() {
      const now = clock.elapsed();
      const flying = { all: inFlight, background: backgroundInFlight };
      return {
        pauseMs: Math.max(0, Math.ceil(pausedUntil - now)),
        windows: counted.map((count) => count.snapshot(flying, now)),
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
