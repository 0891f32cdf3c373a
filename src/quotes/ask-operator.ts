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

/** Always answers, at the latest when the signal aborts, and never rejects. Callers wait for the operator in their lines. */
export type AskOperator = (
  request: QuoteRequest,
  signal: AbortSignal,
  line?: Line,
  onLeftBehind?: OnLeftBehind,
) => Promise<OperatorVerdicts>;

export type OperatorVerdicts = {
  /** One for each reference; empty when the call failed before it was answered. */
  readonly verdicts: ReadonlyMap<string, QuoteVerdict>;
  /** Why the call as a whole gave nothing; null when it gave something. */
  readonly failure: FailureKind | null;
};

export type CallCounts = {
  readonly quoted: number;
  readonly unavailable: number;
  /** A call that was broken off because all its callers had gone says nothing about the operator. */
  readonly failures: ReadonlyMap<FailureKind | 'abandoned', number>;
};

/** The place of a call that was broken off is not free before: callers that leave together leave the queue meanwhile. */
const MIN_BROKEN_OFF_PLACE_MS = 100;
const MIN_DAYS_REPEATABLE = 2;

/** A call is broken off only when nobody waits for it any longer, or because of a pause. */
type CallEnd = {
  readonly answer: OperatorVerdicts;
  readonly brokenOff: boolean;
  readonly isPaused?: boolean;
};

/** With what resolves when the operator is no longer busy with a call that was broken off. */
type PassedGate = CallEnd & { readonly rest?: Promise<void> };

/** For metrics and the log. */
export type QuoteObserver = {
  /** Once for each call, also for one that the gate or the breaker refused. */
  call(brand: BrandId, milliseconds: number, counts: CallCounts): void;
  breaker(brand: BrandId, state: BreakerState): void;
  /** Once for each fault in an answer, with the references of the homes. */
  breakdownsNotShown(brand: BrandId, fault: BreakdownFault, references: readonly string[]): void;
  /** Once for an answer, with the references of the homes whose prices say that their own policy could not be shown. */
  policiesNotShown(brand: BrandId, references: readonly string[]): void;
  /** A booking system threw, which its port forbids: a defect. */
  fault(brand: BrandId, error: unknown): void;
};

/**
 * Quote calls to one operator: identical calls are shared, the others pass its concurrency gate and circuit breaker. An operator
 * may not notice that a call was broken off, so asking and leaving must not call it more often than waiting: a call that
 * everybody has left keeps its place for as long as the operator usually takes, and is left to finish when that is not known.
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
  /** Aborts when nothing may be sent to it any more: a call that is under way is broken off, and one that waits for its place is not made. */
  readonly pauseSignal: () => AbortSignal;
  /** For the call itself: an operator is not blamed for the time that a call has waited with us. */
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
    const { answer, brokenOff, rest } = await passGate(request, abandoned, callers);
    const asked = request.references.length;
    const hasNobody = brokenOff && !isOutOfTime(abandoned);
    const counts = hasNobody ? abandonedCounts(asked) : countsOf(answer, asked);
    observe.call(system.brand, clock.elapsed() - startedAt, counts);
    // Everybody has gone, so nobody waits for the answer, only for the end of the call.
    if (rest) await rest;
    return answer;
  }

  async function passGate(
    request: QuoteRequest,
    abandoned: AbortSignal,
    callers: Callers,
  ): Promise<PassedGate> {
    // Before the gate, so that no call queues in vain, and again behind it, because the state can change meanwhile.
    if (entrance.refuses()) return { answer: nothing('circuit_open'), brokenOff: false };
    const entry = await (entrance.enterAtOnce(request.askedBy) ?? entrance.enter(abandoned, callers));
    if (entry.kind === 'kept_out') return { answer: nothing(entry.failure), brokenOff: abandoned.aborted };
    let rest: Promise<void> | undefined;
    try {
      const { probe } = entry;
      const isOwn = !probe || keyOf(probe) === keyOf(request);
      const failed = isOwn ? null : await askProbe({ ...probe, askedBy: request.askedBy }, entry, abandoned);
      const end = failed ?? (await askInside(request, entry, abandoned));
      rest = end.rest;
      return end;
    } finally {
      // Also when a system ignores the signal and hangs: it must not block its own gate.
      if (rest) rest.then(entry.leave);
      else entry.leave();
    }
  }

  /** Null when the operator answered. The call's own question follows in the same place: a caller with long calls could take it otherwise. */
  async function askProbe(
    probe: QuoteRequest,
    entry: EnteredCall,
    abandoned: AbortSignal,
  ): Promise<PassedGate | null> {
    const startedAt = clock.elapsed();
    const end = await askInside(probe, entry, abandoned);
    if (end.brokenOff) return end;
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
      return { answer: nothing('overloaded'), brokenOff: true };
    }
    const startedAt = clock.elapsed();
    const end = await ask(request, abandoned, startedAt);
    if (end.brokenOff) {
      entry.report('abandoned');
      // In a pause no call is let in, so there is no place to keep, and the callers still wait.
      return end.isPaused ? end : { ...end, rest: restOf(startedAt) };
    }
    pace.note(clock.elapsed() - startedAt);
    const result = resultOf(end.answer);
    // One for the next days could soon not be repeated, and would leave callers' own questions as probes.
    const isRepeatable =
      end.answer.failure === null && !entry.probe && daysUntil(request) >= MIN_DAYS_REPEATABLE;
    const counted = entry.report(result, isRepeatable ? request : undefined);
    // An answer that names a failure also says for how long the operator is left alone.
    if (result === 'failed') await counted;
    return end;
  }

  async function ask(request: QuoteRequest, abandoned: AbortSignal, startedAt: number): Promise<CallEnd> {
    const deadline = openDeadline({ clock, timeoutMs });
    let brokenOff = false;
    let isPaused = false;
    const breakOff = () => {
      const usualMs = pace.usualMs();
      // How long one will last that has lasted longer than usual is not known either.
      brokenOff = usualMs !== null && clock.elapsed() - startedAt <= usualMs;
      if (brokenOff) deadline.end(abandoned.reason);
    };
    const pause = pauseSignal();
    const breakOffAtOnce = () => {
      isPaused = true;
      deadline.end(pause.reason);
    };
    abandoned.addEventListener('abort', breakOff, { once: true });
    pause.addEventListener('abort', breakOffAtOnce, { once: true });
    try {
      const answer = await quote(request, deadline.signal);
      return { answer, brokenOff: brokenOff || isPaused, isPaused };
    } finally {
      abandoned.removeEventListener('abort', breakOff);
      pause.removeEventListener('abort', breakOffAtOnce);
      deadline.close();
    }
  }

  function daysUntil({ checkIn }: QuoteRequest): number {
    return checkIn - clock.now() / MS_PER_DAY;
  }

  function resultOf({ failure }: OperatorVerdicts): CallResult {
    // A system that rejects a stay is in use: another stay may be answered.
    if (failure === null || failure === 'stay_rejected') return 'succeeded';
    return failure === 'rate_limited' && system.limits.keepsBudget ? 'abandoned' : 'failed';
  }

  /** When the operator would no longer have been busy with a call that was broken off. */
  function restOf(startedAt: number): Promise<void> {
    const restMs = Math.max(MIN_BROKEN_OFF_PLACE_MS, startedAt + (pace.usualMs() ?? 0) - clock.elapsed());
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

/** Calls with equal keys share one answer, so a member that the key left out would mix up prices: it does not compile. */
function keyOf(request: QuoteRequest): string {
  const { references, checkIn, checkOut, guests, currency, askedBy: _, ...forgotten } = request;
  forgotten satisfies Record<string, never>;
  return `${checkIn} ${checkOut} ${guests} ${currency} ${references.toSorted().join(' ')}`;
}

/** The time of its callers' searches was over, as opposed to callers that have gone. */
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

/** How long an operator takes over a call at present. */
export type AnswerPace = {
  note(milliseconds: number): void;
  /** Null when no call has come to its end lately: then only a call that does can tell. */
  usualMs(): number | null;
};

/** An operator's pace may have changed after that. */
const MAX_AGE_MS = 5000;
const WEIGHT_OF_NEWEST = 1 / 8;

/** A mean and no median, because it is the mean that says how many calls an operator gets through. */
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
