import type { Clock } from '../clock.ts';
import type { BrandId } from '../inventory/catalogue.ts';
import type { BookingSystem, FailureKind, QuoteRequest } from './booking-system.ts';
import { BookingSystemFailure } from './booking-system.ts';
import type { BreakerState, CircuitBreaker } from './circuit-breaker.ts';
import { createCoalescer } from './coalesce.ts';
import type { Callers, ConcurrencyGate, Entrance } from './concurrency-gate.ts';
import { openDeadline, untilAborted } from './deadline.ts';
import type { Line } from './fair-queue.ts';
import { failureOfCall, judgeAnswer, type QuoteVerdict } from './judge-answer.ts';

/** Always answers, at the latest when the signal aborts, and never rejects. Callers wait for the operator in their lines. */
export type AskOperator = (
  request: QuoteRequest,
  signal: AbortSignal,
  line?: Line,
) => Promise<OperatorAnswer>;

export type OperatorAnswer = {
  /** One for each reference; empty when the call failed before it was answered. */
  readonly verdicts: ReadonlyMap<string, QuoteVerdict>;
  /** Why the call as a whole gave nothing; null when it gave something. */
  readonly failure: FailureKind | null;
};

export type CallCounts = {
  readonly quoted: number;
  readonly unavailable: number;
  /** A call that all its callers abandoned says nothing about the operator. */
  readonly failures: ReadonlyMap<FailureKind | 'abandoned', number>;
};

/**
 * The place of an abandoned call is free after this pause. Callers that leave together leave the queue meanwhile, and
 * asking and leaving is no way to call an operator more often than by waiting for its answers.
 */
const ABANDONED_PLACE_MS = 100;

/** For metrics and the log. */
export type QuoteObserver = {
  /** Once for each call, also for one that the gate or the breaker refused. */
  call(brand: BrandId, milliseconds: number, counts: CallCounts): void;
  breaker(brand: BrandId, state: BreakerState): void;
  /** A booking system threw, which its port forbids: a defect. */
  fault(brand: BrandId, error: unknown): void;
};

/** Quote calls to one operator: identical calls are shared, the others pass its concurrency gate and circuit breaker. */
export function createAskOperator({
  system,
  clock,
  breaker,
  gate,
  maxWaitMs,
  timeoutMs,
  observe,
}: {
  readonly system: BookingSystem;
  readonly clock: Clock;
  readonly breaker: CircuitBreaker;
  readonly gate: ConcurrencyGate;
  /** For a free place at the gate. */
  readonly maxWaitMs: number;
  /** For the call itself: an operator is not blamed for the time that a call has waited with us. */
  readonly timeoutMs: number;
  readonly observe: QuoteObserver;
}): AskOperator {
  const share = createCoalescer<OperatorAnswer>();

  async function call(
    request: QuoteRequest,
    abandoned: AbortSignal,
    callers: Callers,
  ): Promise<OperatorAnswer> {
    const startedAt = clock.elapsed();
    const answer = await passGate(request, abandoned, callers);
    const asked = request.references.length;
    const counts = isAbandoned(abandoned) ? abandonedCounts(asked) : countsOf(answer, asked);
    observe.call(system.brand, clock.elapsed() - startedAt, counts);
    return answer;
  }

  async function passGate(
    request: QuoteRequest,
    abandoned: AbortSignal,
    callers: Callers,
  ): Promise<OperatorAnswer> {
    // Before the gate, so that no call queues in vain, and again behind it, because the state can change meanwhile.
    if (breaker.refuses()) return nothing('circuit_open');
    const entrance = await enter(abandoned, callers);
    if (entrance.kind === 'turned_away') return nothing('overloaded');
    let hasAsked = false;
    const deadline = openDeadline({ clock, timeoutMs, parent: abandoned });
    try {
      const admission = breaker.admit();
      if (admission.kind === 'refused') return nothing('circuit_open');
      hasAsked = true;
      const answer = await quote(request, deadline.signal);
      if (abandoned.aborted) admission.report('abandoned');
      else admission.report(answer.failure === null ? 'succeeded' : 'failed');
      return answer;
    } finally {
      deadline.close();
      // Also when a system ignores the signal and hangs: it must not block its own gate.
      if (hasAsked && isAbandoned(abandoned)) clock.after(ABANDONED_PLACE_MS, entrance.leave);
      else entrance.leave();
    }
  }

  async function enter(abandoned: AbortSignal, callers: Callers): Promise<Entrance> {
    const patience = openDeadline({ clock, timeoutMs: maxWaitMs, parent: abandoned });
    try {
      return await gate.enter(patience.signal, callers);
    } finally {
      patience.close();
    }
  }

  async function quote(request: QuoteRequest, signal: AbortSignal): Promise<OperatorAnswer> {
    try {
      const outcomes = await untilAborted(system.quote(request, signal), signal);
      const { references, currency } = request;
      const verdicts = judgeAnswer({ references, outcomes, currency, answeredAt: clock.now() });
      return { verdicts, failure: failureOfCall(verdicts) };
    } catch (error) {
      if (signal.aborted) return nothing('timeout');
      observe.fault(system.brand, error);
      return nothing(error instanceof BookingSystemFailure ? error.kind : 'garbled');
    }
  }

  function nothing(failure: FailureKind): OperatorAnswer {
    return { verdicts: new Map(), failure };
  }

  return async (request, signal, line) => {
    try {
      return await share(
        keyOf(request),
        (abandoned, callers) => call(request, abandoned, callers),
        signal,
        line,
      );
    } catch (error) {
      // The shared call never rejects, so this caller's own signal has aborted.
      if (signal.aborted) return nothing('timeout');
      throw error;
    }
  };
}

/** Calls with equal keys share one answer, so a member that the key left out would mix up prices: it does not compile. */
function keyOf({ references, checkIn, checkOut, guests, currency, ...forgotten }: QuoteRequest): string {
  forgotten satisfies Record<string, never>;
  return [checkIn, checkOut, guests, currency, ...references.toSorted()].join(' ');
}

/** All its callers have gone, as opposed to run out of time. */
function isAbandoned({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof BookingSystemFailure);
}

function abandonedCounts(asked: number): CallCounts {
  return { quoted: 0, unavailable: 0, failures: new Map([['abandoned', asked]]) };
}

function countsOf({ verdicts, failure }: OperatorAnswer, asked: number): CallCounts {
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
