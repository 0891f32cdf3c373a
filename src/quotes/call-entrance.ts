import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';
import type { Line } from '../limits/fair-queue.ts';
import type { Callers, ConcurrencyGate, EnteredGate } from '../limits/fair-semaphore.ts';
import { jitteredPauseMs, type OpenSharedAccount } from '../limits/shared-account.ts';
import type { Random } from '../random.ts';
import type { AdmittedCall, BreakerListener, BreakerState, CircuitBreaker } from './circuit-breaker.ts';

/** Admits calls to an operator: through its concurrency gate, then its circuit breaker. */
export type CallEntrance = {
  /** Whether calls are refused right now, as far as this process knows. */
  refuses(): boolean;
  /** Null for a call that has to wait, or to ask the shared store. */
  enterAtOnce(line?: Line): EnteredCall | null;
  enter(abandoned: AbortSignal, callers: Callers): Promise<CallEntry>;
};

export type CallEntry = EnteredCall | { readonly kind: 'kept_out'; readonly failure: FailureKind };

/** A place at the gate, and the breaker's permission to call. */
export type EnteredCall = AdmittedCall & { readonly kind: 'entered'; leave(): void };

/** For a single node. */
export function createCallEntrance({
  clock,
  breaker,
  gate,
  maxWaitMs,
}: {
  readonly clock: Clock;
  readonly breaker: CircuitBreaker;
  readonly gate: ConcurrencyGate;
  /** For a free place at the gate and for the end of a probe. */
  readonly maxWaitMs: number;
}): CallEntrance {
  return {
    refuses: breaker.refuses,
    /** Most calls find a free place and a closed breaker, and save the timer and the signal. */
    enterAtOnce(line) {
      const entrance = gate.enterAtOnce(line);
      if (!entrance) return null;
      const admission = breaker.admit(entrance.line);
      if (admission.kind === 'admitted') return entered(entrance, admission);
      entrance.leave();
      return null;
    },
    async enter(abandoned, callers) {
      const patience = openDeadline({ clock, timeoutMs: maxWaitMs, parent: abandoned });
      try {
        const entrance = await gate.enter(patience.signal, callers);
        if (entrance.kind === 'turned_away') return { kind: 'kept_out', failure: 'overloaded' };
        let admission = breaker.admit(entrance.line);
        // Keeps its place, so that the gate's turns and limits also apply to calls that wait for a probe.
        while (admission.kind === 'awaits_probe' && (await endsInTime(admission.probeEnd, patience.signal))) {
          admission = breaker.admit(entrance.line);
        }
        if (admission.kind === 'admitted') return entered(entrance, admission);
        entrance.leave();
        return { kind: 'kept_out', failure: 'circuit_open' };
      } finally {
        patience.close();
      }
    },
  };
}

function entered({ leave }: EnteredGate, { probe, report }: AdmittedCall): EnteredCall {
  return { kind: 'entered', probe, leave, report };
}

function endsInTime(end: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return untilAborted(end, signal).then(
    () => true,
    () => false,
  );
}

/** One operator, shared by all nodes that ask it: the calls under way, and how earlier ones have ended. */
type SharedOperator = {
  /** Asks the store once, without waiting for a place. Rejects when the store does not answer. */
  admit(caller: Line): Promise<SharedAdmission>;
};

type SharedAdmission =
  | EnteredCall
  /** All places are taken, or the next one is reserved for an assistant or a caller that has none. */
  | { readonly kind: 'full' }
  /** A probe of some node is under way. */
  | { readonly kind: 'awaits_probe' }
  /** The breaker is open. */
  | { readonly kind: 'refused' };

export type OpenSharedOperator = (terms: {
  readonly brand: BrandId;
  /** The limit for the calls of all nodes together. */
  readonly concurrency: number;
  /** The last of those places is for an address that has none. */
  readonly reservesLast: boolean;
  /** A place is free after this time even if its node has died. */
  readonly maxPlaceMs: number;
  /** Called with the breaker's state after each call to the store. */
  readonly onBreaker: BreakerListener;
}) => SharedOperator;

/** Two reports of the same opening differ by the time that they took to arrive. */
const SAME_OPENING_MS = 1000;

/**
 * For one of several nodes. Callers wait in the fair queue of their node's gate, then poll the store for a place among the calls of all
 * nodes. Every answer of the store includes the breaker's state, so that each call begins with the current one.
 */
export function createSharedEntrance({
  gate,
  open,
  maxWaitMs,
  onChange,
  clock,
  random,
}: {
  /** The gate of this node: one address gets as many of its places as of all nodes together. */
  readonly gate: ConcurrencyGate;
  readonly open: (onBreaker: BreakerListener) => SharedOperator;
  /** For a free place and for the end of a probe. */
  readonly maxWaitMs: number;
  readonly onChange?: BreakerListener | undefined;
  readonly clock: Clock;
  readonly random: Random;
}): CallEntrance {
  let known: BreakerState = 'closed';
  let openUntil = Number.NEGATIVE_INFINITY;
  const operator = open((state, forMs) => {
    const until = clock.elapsed() + forMs;
    const hasChanged = state !== known || (state === 'open' && until > openUntil + SAME_OPENING_MS);
    if (!hasChanged) return;
    known = state;
    openUntil = until;
    onChange?.(state, forMs);
  });

  async function untilAdmitted(caller: Line, signal: AbortSignal): Promise<CallEntry> {
    let failure: FailureKind = 'overloaded';
    for (let tries = 0; !signal.aborted; tries += 1) {
      const admission = await askOnce(caller);
      if (admission.kind === 'entered') return admission;
      failure = admission.kind === 'full' ? 'overloaded' : 'circuit_open';
      if (admission.kind === 'refused') break;
      await pauseFor(jitteredPauseMs(tries, random), clock, signal);
    }
    return { kind: 'kept_out', failure };
  }

  /** Without an answer of the store there is no place: an operator is never called more often than allowed. */
  async function askOnce(caller: Line): Promise<SharedAdmission> {
    try {
      return await operator.admit(caller);
    } catch {
      return { kind: 'full' };
    }
  }

  return {
    refuses: () => known === 'open' && clock.elapsed() < openUntil,
    enterAtOnce: () => null,
    async enter(abandoned, callers) {
      const patience = openDeadline({ clock, timeoutMs: maxWaitMs, parent: abandoned });
      try {
        const place = await gate.enter(patience.signal, callers);
        if (place.kind === 'turned_away') return { kind: 'kept_out', failure: 'overloaded' };
        const entry = await untilAdmitted(place.line, patience.signal);
        if (entry.kind === 'entered') return leaveBoth(entry, place);
        place.leave();
        return entry;
      } finally {
        patience.close();
      }
    },
  };
}

function leaveBoth(entry: EnteredCall, place: { leave(): void }): EnteredCall {
  return {
    ...entry,
    leave() {
      entry.leave();
      place.leave();
    },
  };
}

/** Limits that nodes count together, so that an operator or a vendor is not called more often when there are more nodes. */
export type OperatorLimits = {
  readonly operator: OpenSharedOperator;
  readonly account: OpenSharedAccount;
};
