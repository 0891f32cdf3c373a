import type { BrandId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import { createCoalescer, type OnLeftBehind } from '../limits/coalesce.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';
import type { Line } from '../limits/fair-queue.ts';
import type { Callers } from '../limits/fair-semaphore.ts';
import { MS_PER_DAY } from '../stay/day.ts';
import type { BookingSystem, BreakdownFault, QuoteRequest } from './booking-system.ts';
import type { CallEntrance, EnteredCall } from './call-entrance.ts';
import type { BreakerState, CallResult } from './circuit-breaker.ts';
import { failureOfCall, judgeAnswer, type QuoteVerdict } from './judge-answer.ts';

/** Resolves at the latest when the signal aborts, and never rejects. Callers wait for the operator in their fair-queue lines. */
export type AskOperator = (
  request: QuoteRequest,
  signal: AbortSignal,
  line?: Line,
  onLeftBehind?: OnLeftBehind,
) => Promise<OperatorVerdicts>;

export type OperatorVerdicts = {
  /** One per reference; empty when the call failed without an answer. */
  readonly verdicts: ReadonlyMap<string, QuoteVerdict>;
  /** Why the call as a whole gave no verdict; null when it gave one. */
  readonly failure: FailureKind | null;
};

export type CallCounts = {
  readonly quoted: number;
  readonly unavailable: number;
  /** `abandoned`: all callers had left, so the call says nothing about the operator. */
  readonly failures: ReadonlyMap<FailureKind | 'abandoned', number>;
};

/** A cancelled call holds its place at least this long: callers that leave together leave the queue meanwhile. */
const MIN_CANCELLED_PLACE_MS = 100;
const MIN_DAYS_REPEATABLE = 2;

/** A call is cancelled only when no caller waits for it any more, or because of a pause. */
type CallEnd = {
  readonly answer: OperatorVerdicts;
  readonly cancelled: boolean;
  readonly isPaused?: boolean;
};

/** `operatorBusy` resolves when the operator is probably no longer busy with a cancelled call. */
type PassedGate = CallEnd & { readonly operatorBusy?: Promise<void> };

/** For metrics and the log. */
export type QuoteObserver = {
  /** Once per call, also for one that the gate or the breaker refused. */
  call(brand: BrandId, milliseconds: number, counts: CallCounts): void;
  breaker(brand: BrandId, state: BreakerState): void;
  /** Once per kind of fault in an answer, with the references of the homes. */
  breakdownsNotShown(brand: BrandId, fault: BreakdownFault, references: readonly string[]): void;
  /** Once per answer, with the references of the homes whose own policy could not be shown. */
  policiesNotShown(brand: BrandId, references: readonly string[]): void;
  /** A booking system threw, which its port forbids: a defect. */
  fault(brand: BrandId, error: unknown): void;
};

/**
 * Quote calls to one operator: identical calls are shared, the others pass its concurrency gate and circuit breaker. An operator may not
 * notice a cancellation, so callers that ask and leave must not cause more calls than callers that wait: a call without callers holds its
 * place for as long as the operator usually takes, and runs to its end when that is not known.
 */
export function createAskOperator({
  system,
  clock,
  entrance,
  pauseSignal,
  timeoutMs,
  observe,
}: {
  readonly system: BookingSystem;
  readonly clock: Clock;
  readonly entrance: CallEntrance;
  /** Aborts when the owner pauses the brand: cancels the call under way, and drops one that waits for its place. */
  readonly pauseSignal: () => AbortSignal;
  /** For the call itself, without the time that it has waited in our queue. */
  readonly timeoutMs: number;
  readonly observe: QuoteObserver;
}): AskOperator {
  const share = createCoalescer<OperatorVerdicts>();
  const pace = createAnswerPace(clock);

  async function call(
    request: QuoteRequest,
    abandoned: AbortSignal,
    callers: Callers,
  ): Promise<OperatorVerdicts> {
    const startedAt = clock.elapsed();
    const { answer, cancelled, operatorBusy } = await passGate(request, abandoned, callers);
    const asked = request.references.length;
    const wasAbandoned = cancelled && !isOutOfTime(abandoned);
    const counts = wasAbandoned ? abandonedCounts(asked) : countsOf(answer, asked);
    observe.call(system.brand, clock.elapsed() - startedAt, counts);
    // No caller waits for the answer any more; the shared call must last until the operator is free.
    if (operatorBusy) await operatorBusy;
    return answer;
  }

  async function passGate(
    request: QuoteRequest,
    abandoned: AbortSignal,
    callers: Callers,
  ): Promise<PassedGate> {
    // Checked before the gate, so that no call queues for nothing, and again behind it, because the state can change meanwhile.
    if (entrance.refuses()) return { answer: nothing('circuit_open'), cancelled: false };
    const entry = await (entrance.enterAtOnce(request.askedBy) ?? entrance.enter(abandoned, callers));
    if (entry.kind === 'kept_out') return { answer: nothing(entry.failure), cancelled: abandoned.aborted };
    let operatorBusy: Promise<void> | undefined;
    try {
      const { probe } = entry;
      const isOwn = !probe || keyOf(probe) === keyOf(request);
      const failed = isOwn ? null : await askProbe({ ...probe, askedBy: request.askedBy }, entry, abandoned);
      const end = failed ?? (await askInside(request, entry, abandoned));
      operatorBusy = end.operatorBusy;
      return end;
    } finally {
      // Also when a booking system ignores the signal and hangs: it must not block its gate.
      if (operatorBusy) operatorBusy.then(entry.leave);
      else entry.leave();
    }
  }

  /** Null when the operator answered. The call's own question then follows in the same place, which another caller could take otherwise. */
  async function askProbe(
    probe: QuoteRequest,
    entry: EnteredCall,
    abandoned: AbortSignal,
  ): Promise<PassedGate | null> {
    const startedAt = clock.elapsed();
    const end = await askInside(probe, entry, abandoned);
    if (end.cancelled) return end;
    observe.call(system.brand, clock.elapsed() - startedAt, countsOf(end.answer, probe.references.length));
    const result = resultOf(end.answer);
    if (result === 'succeeded') return null;
    return { ...end, answer: nothing(result === 'failed' ? 'circuit_open' : 'rate_limited') };
  }

  async function askInside(
    request: QuoteRequest,
    entry: EnteredCall,
    abandoned: AbortSignal,
  ): Promise<PassedGate> {
    if (abandoned.aborted || pauseSignal().aborted) {
      entry.report('abandoned');
      return { answer: nothing('overloaded'), cancelled: true };
    }
    const startedAt = clock.elapsed();
    const end = await ask(request, abandoned, startedAt);
    if (end.cancelled) {
      entry.report('abandoned');
      // A pause admits no call, so there is no place to hold, and the callers still wait.
      return end.isPaused ? end : { ...end, operatorBusy: untilOperatorFree(startedAt) };
    }
    pace.note(clock.elapsed() - startedAt);
    const result = resultOf(end.answer);
    // A question for the next days could soon not be repeated, and callers' own questions would become the probes.
    const isRepeatable =
      end.answer.failure === null && !entry.probe && daysUntil(request) >= MIN_DAYS_REPEATABLE;
    const counted = entry.report(result, isRepeatable ? request : undefined);
    // The breaker's state decides how long the operator is left alone, so it must be known before the caller gets the failure.
    if (result === 'failed') await counted;
    return end;
  }

  async function ask(request: QuoteRequest, abandoned: AbortSignal, startedAt: number): Promise<CallEnd> {
    const deadline = openDeadline({ clock, timeoutMs });
    let cancelled = false;
    let isPaused = false;
    const cancel = () => {
      const usualMs = pace.usualMs();
      // A call that has lasted longer than usual may last any time, so it is not cancelled either.
      cancelled = usualMs !== null && clock.elapsed() - startedAt <= usualMs;
      if (cancelled) deadline.end(abandoned.reason);
    };
    const pause = pauseSignal();
    const cancelForPause = () => {
      isPaused = true;
      deadline.end(pause.reason);
    };
    abandoned.addEventListener('abort', cancel, { once: true });
    pause.addEventListener('abort', cancelForPause, { once: true });
    try {
      const answer = await quote(request, deadline.signal);
      return { answer, cancelled: cancelled || isPaused, isPaused };
    } finally {
      abandoned.removeEventListener('abort', cancel);
      pause.removeEventListener('abort', cancelForPause);
      deadline.close();
    }
  }

  function daysUntil({ checkIn }: QuoteRequest): number {
    return checkIn - clock.now() / MS_PER_DAY;
  }

  function resultOf({ failure }: OperatorVerdicts): CallResult {
    // A system that rejects a stay works: it may answer another stay.
    if (failure === null || failure === 'stay_rejected') return 'succeeded';
    return failure === 'rate_limited' && system.limits.keepsBudget ? 'abandoned' : 'failed';
  }

  /** Resolves when the operator would have finished a cancelled call. */
  function untilOperatorFree(startedAt: number): Promise<void> {
    const restMs = Math.max(MIN_CANCELLED_PLACE_MS, startedAt + (pace.usualMs() ?? 0) - clock.elapsed());
    return new Promise((resolve) => clock.after(restMs, resolve));
  }

  async function quote(request: QuoteRequest, signal: AbortSignal): Promise<OperatorVerdicts> {
    try {
      const outcomes = await untilAborted(system.quote(request, signal), signal);
      const { references, currency } = request;
      const verdicts = judgeAnswer({ references, outcomes, currency, answeredAt: clock.now() });
      reportNotShown(verdicts);
      return { verdicts, failure: failureOfCall(verdicts) };
    } catch (error) {
      if (signal.aborted) return nothing('timeout');
      observe.fault(system.brand, error);
      return nothing(error instanceof BookingSystemFailure ? error.kind : 'garbled');
    }
  }

  function reportNotShown(verdicts: ReadonlyMap<string, QuoteVerdict>): void {
    const faults = new Map<BreakdownFault, string[]>();
    const withoutPolicy: string[] = [];
    for (const [reference, verdict] of verdicts) {
      if (verdict.kind !== 'quoted') continue;
      const { linesFault: fault, cancellation } = verdict;
      if (fault) faults.set(fault, [...(faults.get(fault) ?? []), reference]);
      if (cancellation?.isRejected) withoutPolicy.push(reference);
    }
    for (const [fault, references] of faults) observe.breakdownsNotShown(system.brand, fault, references);
    if (withoutPolicy.length > 0) observe.policiesNotShown(system.brand, withoutPolicy);
  }

  function nothing(failure: FailureKind): OperatorVerdicts {
    return { verdicts: new Map(), failure };
  }

  return async (request, signal, line, onLeftBehind) => {
    try {
      return await share(
        keyOf(request),
        (abandoned, callers) => call({ ...request, askedBy: line }, abandoned, callers),
        signal,
        { line, onLeftBehind },
      );
    } catch (error) {
      // The shared call never rejects, so this caller's own signal has aborted.
      if (signal.aborted) return nothing('timeout');
      throw error;
    }
  };
}

/** Calls with equal keys share one answer. A member of the request that the key omits does not compile, because it would mix up prices. */
function keyOf(request: QuoteRequest): string {
  const { references, checkIn, checkOut, guests, currency, askedBy: _, ...forgotten } = request;
  forgotten satisfies Record<string, never>;
  return `${checkIn} ${checkOut} ${guests} ${currency} ${references.toSorted().join(' ')}`;
}

/** The deadline of the callers' searches has passed, as opposed to callers that left. */
function isOutOfTime({ reason }: AbortSignal): boolean {
  return reason instanceof BookingSystemFailure;
}

function abandonedCounts(asked: number): CallCounts {
  return { quoted: 0, unavailable: 0, failures: new Map([['abandoned', asked]]) };
}

function countsOf({ verdicts, failure }: OperatorVerdicts, asked: number): CallCounts {
  let quoted = 0;
  let unavailable = 0;
  const failures = new Map<FailureKind, number>();
  for (const verdict of verdicts.values()) {
    if (verdict.kind === 'quoted') quoted += 1;
    else if (verdict.kind === 'unavailable') unavailable += 1;
    else failures.set(verdict.failure, (failures.get(verdict.failure) ?? 0) + 1);
  }
  if (verdicts.size === 0 && failure !== null) failures.set(failure, asked);
  return { quoted, unavailable, failures };
}

/** How long an operator's calls take at present. */
export type AnswerPace = {
  note(milliseconds: number): void;
  /** Null when no call has ended lately. */
  usualMs(): number | null;
};

/** Older means are no longer trusted. */
const MAX_AGE_MS = 5000;
const WEIGHT_OF_NEWEST = 1 / 8;

/** A mean, not a median, because the mean determines how many calls an operator completes. */
export function createAnswerPace(clock: Clock): AnswerPace {
  let mean = 0;
  let notedAt = Number.NEGATIVE_INFINITY;

  function usualMs(): number | null {
    return clock.elapsed() - notedAt < MAX_AGE_MS ? mean : null;
  }

  return {
    note(milliseconds) {
      const before = usualMs() ?? milliseconds;
      mean = before + (milliseconds - before) * WEIGHT_OF_NEWEST;
      notedAt = clock.elapsed();
    },
    usualMs,
  };
}
