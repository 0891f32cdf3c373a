import type { Clock } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';
import type { Line } from '../limits/fair-queue.ts';
import type { Callers, ConcurrencyGate, EnteredGate } from '../limits/fair-semaphore.ts';
import type { AdmittedCall, CircuitBreaker } from './circuit-breaker.ts';

/** The way of a call to an operator: through its gate, and with the leave of its breaker. */
export type CallEntrance = {
  /** Whether calls are refused right now, as far as this process knows. */
  refuses(): boolean;
  /** Null for a call that has to wait, or to ask others. */
  enterAtOnce(line?: Line): EnteredCall | null;
  enter(abandoned: AbortSignal, callers: Callers): Promise<CallEntry>;
};

export type CallEntry = EnteredCall | { readonly kind: 'kept_out'; readonly failure: FailureKind };

/** A place at the gate, and the breaker's leave to call. */
export type EnteredCall = AdmittedCall & { readonly kind: 'entered'; leave(): void };

/** For a process that is alone with the operator. */
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
    /** Most calls find a free place and a closed breaker, and need no timer and no signal for that. */
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
        // With a place, so that the gate's turns and limits count for those who wait for a probe too.
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
