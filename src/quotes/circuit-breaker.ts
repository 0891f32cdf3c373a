import type { BrandId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Line } from '../limits/fair-queue.ts';
import { MS_PER_DAY } from '../stay/day.ts';
import type { QuoteRequest } from './booking-system.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

/** `forMs` is how long an open one stays so; 0 for the other states. */
export type BreakerListener = (state: BreakerState, forMs: number) => void;

/** How an admitted call ended. An abandoned one says nothing about the operator. */
export type CallResult = 'succeeded' | 'failed' | 'abandoned';

export type CircuitBreaker = {
  /** Whether a call would be refused right now. False while a probe is under way. */
  refuses(): boolean;
  admit(caller?: Line): CallAdmission;
};

export type AdmittedCall = {
  /** A question that was answered before, to be asked first. When it is answered the call's own question follows, whose result is reported but not counted. */
  readonly probe: QuoteRequest | null;
  /** Call it once per question, with the caller's own question if it was answered. When nodes count together, the state is known once the promise resolves. Never rejects. */
  report(result: CallResult, answered?: QuoteRequest): void | Promise<void>;
};

export type CallAdmission =
  | ({ readonly kind: 'admitted' } & AdmittedCall)
  /** Ask for admission again at the end of the probe. */
  | { readonly kind: 'awaits_probe'; readonly probeEnd: Promise<void> }
  | { readonly kind: 'refused' };

/** The breaker opens when at least `minCalls` in the window have ended and this share of them failed. */
export const BREAKER_RULE = { windowSeconds: 30, minCalls: 5, failureShare: 0.5, openMs: 15_000 } as const;
/** When the probe is a caller's own question, the caller whose question failed last waits: this long for other addresses, twice as long for other assistants. */
export const PROBE_TURN_MS = 5_000;
/** How many answered questions are stored, one per caller, and how many of them for one assistant. */
export const MAX_ANSWERED = { inAll: 8, ofAssistant: 4 } as const;

/**
 * Stops calls to an operator that mostly fails; after a pause a single probe decides whether they resume, and the others wait for it.
 * Calls may fail because of one caller's questions, so an operator that has answered a question is left alone only when it fails that
 * question too. After a successful probe no other follows for as long as a pause.
 *
 * The probe is the oldest answered question; each caller has at most one. A failed probe goes behind the others, so a caller whose
 * questions are answered only sometimes opens the breaker once. When all have failed, the probe is a caller's own question.
 */
export function createCircuitBreaker({
  clock,
  onChange,
}: {
  readonly clock: Clock;
  readonly onChange?: BreakerListener | undefined;
}): CircuitBreaker {
  // One count for each second of the window, so that memory does not grow with the number of calls.
  const seconds = new Map<number, { calls: number; failures: number }>();
  let state: BreakerState = 'closed';
  // The end of the pause when open, and of the time without a new probe when closed.
  let restsUntil = 0;
  // Oldest first.
  let answered: readonly QuoteRequest[] = [];
  let repeated: QuoteRequest | null = null;
  let failedProbes = 0;
  /** The caller whose own question failed as the last such probe. */
  let failedCaller: Line | null = null;
  let probe: PromiseWithResolvers<void> | null = null;
  // Results of calls admitted before a change of state are ignored.
  let generation = 0;

  function change(to: BreakerState): void {
    state = to;
    generation += 1;
    seconds.clear();
    restsUntil = clock.elapsed() + (to === 'half_open' ? 0 : BREAKER_RULE.openMs);
    endProbe();
    onChange?.(to, to === 'open' ? BREAKER_RULE.openMs : 0);
  }

  function endProbe(): void {
    probe?.resolve();
    probe = null;
  }

  function count(failed: boolean): void {
    const second = Math.floor(clock.elapsed() / 1000);
    for (const past of seconds.keys()) {
      if (past > second - BREAKER_RULE.windowSeconds) break;
      seconds.delete(past);
    }
    const current = seconds.get(second) ?? { calls: 0, failures: 0 };
    seconds.set(second, current);
    current.calls += 1;
    if (failed) current.failures += 1;
  }

  function mostlyFails(): boolean {
    let calls = 0;
    let failures = 0;
    for (const second of seconds.values()) {
      calls += second.calls;
      failures += second.failures;
    }
    return calls >= BREAKER_RULE.minCalls && failures >= calls * BREAKER_RULE.failureShare;
  }

  function addAnswered(question: QuoteRequest): void {
    const [assistant, address] = question.askedBy ?? [];
    dropPast();
    const ofAssistant = answered.filter(({ askedBy }) => askedBy?.[0] === assistant);
    const isKnown = ofAssistant.some(({ askedBy }) => askedBy?.[1] === address);
    const hasCapacity = answered.length < MAX_ANSWERED.inAll && ofAssistant.length < MAX_ANSWERED.ofAssistant;
    if (!isKnown && hasCapacity) answered = [...answered, question];
  }

  function isOutOfTurn([assistant, address]: Line): boolean {
    if (!failedCaller) return false;
    const turns = assistant !== failedCaller[0] ? 0 : address !== failedCaller[1] ? 1 : 2;
    return clock.elapsed() < restsUntil + turns * PROBE_TURN_MS;
  }

  function dropPast(): void {
    const today = clock.now() / MS_PER_DAY;
    if (answered.some(({ checkIn }) => checkIn < today)) {
      answered = answered.filter(({ checkIn }) => checkIn >= today);
    }
  }

  function currentState(): BreakerState {
    if (state === 'open' && clock.elapsed() >= restsUntil) change('half_open');
    return state;
  }

  function reportProbe(hasFailed: boolean, caller: Line): void {
    failedProbes = hasFailed ? failedProbes + 1 : 0;
    if (!repeated || !hasFailed) failedCaller = hasFailed ? caller : null;
    else if (answered[0] === repeated) answered = [...answered.slice(1), repeated];
    change(hasFailed ? 'open' : 'closed');
  }

  function report(admittedIn: number, caller: Line, result: CallResult, question?: QuoteRequest): void {
    if (question) addAnswered(question);
    if (admittedIn !== generation) return;
    const hasFailed = result === 'failed';
    if (result === 'abandoned') endProbe();
    else if (state === 'half_open') reportProbe(hasFailed, caller);
    else {
      count(hasFailed);
      if (!hasFailed || !mostlyFails()) return;
      dropPast();
      if (answered.length === 0) change('open');
      else if (clock.elapsed() >= restsUntil) change('half_open');
    }
  }

  const refuses = () => currentState() === 'open';

  return {
    refuses,
    admit(caller = []) {
      if (refuses()) return { kind: 'refused' };
      if (probe) return { kind: 'awaits_probe', probeEnd: probe.promise };
      repeated = null;
      if (state === 'half_open') {
        dropPast();
        const isOwn = failedProbes % (answered.length + 1) === answered.length;
        if (isOwn && isOutOfTurn(caller)) return { kind: 'refused' };
        repeated = isOwn ? null : (answered[0] ?? null);
        probe = Promise.withResolvers<void>();
      }
      const admittedIn = generation;
      return {
        kind: 'admitted',
        probe: repeated,
        report: (result, question) => report(admittedIn, caller, result, question),
      };
    },
  };
}

/** The last known state of each operator's breaker: this node's own, or the one that nodes share. */
export type BreakerStates = {
  note(brand: BrandId, state: BreakerState): void;
  of(brand: BrandId): BreakerState;
};

export function createBreakerStates(clock: Pick<Clock, 'elapsed'>): BreakerStates {
  const noted = new Map<BrandId, { readonly state: BreakerState; readonly at: number }>();
  return {
    note(brand, state) {
      noted.set(brand, { state, at: clock.elapsed() });
    },
    of(brand) {
      const { state, at } = noted.get(brand) ?? { state: 'closed', at: 0 };
      // The end of an open state is not reported: the next call finds it out.
      const isOver = state === 'open' && clock.elapsed() - at >= BREAKER_RULE.openMs;
      return isOver ? 'half_open' : state;
    },
  };
}
