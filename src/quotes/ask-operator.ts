import { LRUCache } from 'lru-cache';
import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import {
  type BreakerState,
  type CallResult,
  circuitNames,
  createCircuitBreaker,
  type GuardedOperator,
  MAX_CIRCUITS,
} from '../limits/circuit-breaker.ts';
import { createCoalescer, type OnLeftBehind } from '../limits/coalesce.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';
import { type CallerPath, type Callers, createFairSemaphore } from '../limits/fair-semaphore.ts';
import { jitteredPauseMs, type OpenSharedOperator } from '../limits/shared-limits.ts';
import type { Random } from '../random.ts';
import type { BookingSystem, BreakdownFault, QuoteRequest } from './booking-system.ts';
import { failureOfCall, judgeAnswer, type QuoteVerdict } from './judge-answer.ts';

/** Resolves at the latest when the signal aborts, and never rejects. Callers take turns at the operator. */
export type AskOperator = (
  request: QuoteRequest,
  signal: AbortSignal,
  caller?: CallerPath,
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

export type Operator = {
  readonly ask: AskOperator;
  readonly batchSize: number;
  /** For one call. */
  readonly timeoutMs: number;
  /** For how many milliseconds the caller must leave the operator alone, as far as this process knows. */
  restsForMs(caller?: CallerPath): number;
};

/** An operator's answer can be asked for; the call holds a place until it leaves. */
type EnteredCall = Extract<Awaited<ReturnType<GuardedOperator['admit']>>, { readonly kind: 'entered' }>;

/** A place is reserved for this long beyond the call itself, so that it is never free while the operator is asked. */
const PLACE_MARGIN_MS = 2000;
/** How often a call looks whether the breaker's probe has ended. */
const PROBE_POLL_MS = 50;

/**
 * Quote calls to one operator: identical calls are shared, the others wait for a place and pass its circuit breaker. A call whose callers
 * have all left runs to its end and holds its place until then, so that callers that ask and leave cause no more calls than callers that
 * wait.
 */
export function createOperator({
  system,
  clock,
  pauseSignal,
  timeoutMs,
  maxWaitMs,
  callsWaiting,
  shared,
  observe,
}: {
  readonly system: BookingSystem;
  readonly clock: Clock;
  /** Aborts when the owner pauses the brand: cancels the call in flight, and drops one that waits for its place. */
  readonly pauseSignal: () => AbortSignal;
  /** For the call itself, without the time that it has waited in our queue. */
  readonly timeoutMs: number;
  /** For a free place. */
  readonly maxWaitMs: number;
  readonly callsWaiting: number;
  /** Null for a single node. */
  readonly shared: { readonly open: OpenSharedOperator; readonly random: Random } | null;
  readonly observe: QuoteObserver;
}): Operator {
  const { brand, limits } = system;
  const { concurrency, batchSize } = limits;
  const share = createCoalescer<OperatorVerdicts>();
  const gate = createFairSemaphore({ limit: concurrency, queueLimit: callsWaiting });
  /** What this process knows of the circuits. */
  const breakers = new LRUCache<string, { readonly state: BreakerState; readonly openUntil: number }>({
    max: MAX_CIRCUITS,
  });
  const operator =
    shared?.open({ brand, concurrency, maxPlaceMs: timeoutMs + PLACE_MARGIN_MS, onBreaker }) ??
    createCircuitBreaker({ clock, onBreaker });

  function onBreaker(state: BreakerState, forMs: number, circuit: string): void {
    const before = breakers.get(circuit)?.state ?? 'closed';
    breakers.set(circuit, { state, openUntil: clock.elapsed() + forMs });
    if (state !== before) observe.breaker(brand, state);
  }

  function restsForMs(caller: CallerPath = []): number {
    const [own, ofAssistant] = circuitNames(caller);
    const { openUntil = 0 } = breakers.get(own) ?? breakers.get(ofAssistant) ?? {};
    return Math.max(0, openUntil - clock.elapsed());
  }

  async function enter(abandoned: AbortSignal, callers: Callers): Promise<EnteredCall | FailureKind> {
    const patience = openDeadline({ clock, timeoutMs: maxWaitMs, parent: abandoned });
    try {
      const place = await gate.enter(patience.signal, callers);
      if (!place) return 'overloaded';
      for (let tries = 0; !patience.signal.aborted; tries += 1) {
        // Without an answer of the store there is no place: an operator is never called more often than allowed.
        const admission = await operator.admit(place.caller).catch(() => ({ kind: 'full' }) as const);
        if (admission.kind === 'entered') return { ...admission, leave: leaveBoth(admission, place) };
        if (admission.kind === 'refused') {
          place.leave();
          return 'circuit_open';
        }
        const pauseMs = shared ? jitteredPauseMs(tries, shared.random) : PROBE_POLL_MS;
        await pauseFor(pauseMs, clock, patience.signal);
      }
      place.leave();
      return 'overloaded';
    } finally {
      patience.close();
    }
  }

  async function call(
    request: QuoteRequest,
    abandoned: AbortSignal,
    callers: Callers,
  ): Promise<OperatorVerdicts> {
    const startedAt = clock.elapsed();
    const entry = await enter(abandoned, callers);
    const answer = typeof entry === 'string' ? nothing(entry) : await askInside(request, entry, abandoned);
    const asked = request.references.length;
    const hasNoCaller = abandoned.aborted && !isOutOfTime(abandoned) && answer.failure === 'overloaded';
    const wasAbandoned = hasNoCaller || pauseSignal().aborted;
    observe.call(
      brand,
      clock.elapsed() - startedAt,
      wasAbandoned ? abandonedCounts(asked) : countsOf(answer, asked),
    );
    return answer;
  }

  async function askInside(
    request: QuoteRequest,
    { report, leave }: EnteredCall,
    abandoned: AbortSignal,
  ): Promise<OperatorVerdicts> {
    const pause = pauseSignal();
    const deadline = openDeadline({ clock, timeoutMs, parent: pause });
    try {
      if (abandoned.aborted || pause.aborted) {
        void report('abandoned');
        return nothing('overloaded');
      }
      const answer = await quote(request, deadline.signal);
      const result = pause.aborted ? 'abandoned' : resultOf(answer);
      const counted = report(result);
      // The breaker's state decides how long the operator is left alone, so it must be known before the caller gets the failure.
      if (result === 'failed') await counted;
      return answer;
    } finally {
      deadline.close();
      leave();
    }
  }

  function resultOf({ failure }: OperatorVerdicts): CallResult {
    // A system that rejects a stay works: it may answer another stay.
    if (failure === null || failure === 'stay_rejected') return 'succeeded';
    return failure === 'rate_limited' && limits.keepsBudget ? 'abandoned' : 'failed';
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
      observe.fault(brand, error);
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
    for (const [fault, references] of faults) observe.breakdownsNotShown(brand, fault, references);
    if (withoutPolicy.length > 0) observe.policiesNotShown(brand, withoutPolicy);
  }

  function nothing(failure: FailureKind): OperatorVerdicts {
    return { verdicts: new Map(), failure };
  }

  return {
    batchSize: Math.max(1, Math.floor(batchSize)),
    timeoutMs,
    restsForMs: (caller) => Math.max(restsForMs(caller), system.restsForMs?.(caller) ?? 0),
    async ask(request, signal, caller, onLeftBehind) {
      if (restsForMs(caller) > 0) return nothing('circuit_open');
      try {
        return await share(
          keyOf(request),
          (abandoned, callers) => call({ ...request, askedBy: caller }, abandoned, callers),
          signal,
          { path: caller, onLeftBehind },
        );
      } catch (error) {
        // The shared call never rejects, so this caller's own signal has aborted.
        if (signal.aborted) return nothing('timeout');
        throw error;
      }
    },
  };
}

function leaveBoth(...places: readonly { leave(): void }[]): () => void {
  return () => {
    for (const { leave } of places) leave();
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
