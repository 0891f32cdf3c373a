import { type Clock, pauseFor } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import { openDeadline } from '../limits/deadline.ts';
import type { Line } from '../limits/fair-queue.ts';
import type { ConcurrencyGate } from '../limits/fair-semaphore.ts';
import { jitteredPauseMs } from '../limits/shared-account.ts';
import type { Random } from '../random.ts';
import type { CallEntrance, CallEntry, EnteredCall } from './call-entrance.ts';
import type { BreakerListener, BreakerState } from './circuit-breaker.ts';
import type { SharedAdmission, SharedOperator } from './shared-operator.ts';

/** Two tellings of the same opening differ by the time that the telling took. */
const SAME_OPENING_MS = 1000;

/**
 * For a process that is one of several nodes. Callers wait in the fair line of their node's own gate, and whoever leaves that asks for
 * a place among the calls of all nodes, with pauses until there is one. What the breaker has come to is told with every answer of the
 * store, so that no call begins in ignorance of it.
 */
export function createSharedEntrance({
  gate,
  open,
  maxWaitMs,
  onChange,
  clock,
  random,
}: {
  /** Of this node: one address has as many places of it as of all nodes together. */
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
    const isNews = state !== known || (state === 'open' && until > openUntil + SAME_OPENING_MS);
    if (!isNews) return;
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

  /** While nobody knows whether there is a place there is none: an operator is never asked more than it may be. */
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
        if (entry.kind === 'entered') return leavingBoth(entry, place);
        place.leave();
        return entry;
      } finally {
        patience.close();
      }
    },
  };
}

function leavingBoth(entry: EnteredCall, place: { leave(): void }): EnteredCall {
  return {
    ...entry,
    leave() {
      entry.leave();
      place.leave();
    },
  };
}
