import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { CallerPath } from './fair-semaphore.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

/** `forMs` is how long an open one stays so; 0 for the other states. */
export type BreakerListener = (state: BreakerState, forMs: number, circuit: string) => void;

/** How an admitted call ended. An abandoned one says nothing about the operator. */
export type CallResult = 'succeeded' | 'failed' | 'abandoned';

/** Admits calls to an operator, by its circuit breaker and, where nodes share it, by its places. */
export type GuardedOperator = {
  /** Tries once, without waiting for a place. Rejects when the store does not answer. */
  admit(caller: CallerPath): Promise<CallAdmission>;
};

type CallAdmission =
  | {
      readonly kind: 'entered';
      /** Resolves when the breaker's state is known. Never rejects. */
      report(result: CallResult): Promise<void>;
      leave(): void;
    }
  /** All places are taken, or the breaker's probe is in flight: try again soon. */
  | { readonly kind: 'full' }
  /** The breaker is open. */
  | { readonly kind: 'refused' };

/** The breaker opens after this many failed calls in a row. */
export const BREAKER_RULE = { failures: 5, openMs: 15_000 } as const;

type Circuit = {
  failures: number;
  /** Null while it is closed. */
  openUntil: number | null;
  isProbing: boolean;
  /** Results of calls admitted before a change of state are ignored. */
  generation: number;
};

/** Callers beyond this lose their own circuit. */
export const MAX_CIRCUITS = 1000;

/** The names of the circuits that may apply to a caller: its own, and that of its assistant. */
export function circuitNames([assistant = '', address = '']: CallerPath): readonly [string, string] {
  return [`${assistant}\n${address}`, assistant];
}

/**
 * Stops calls to an operator that fails all of them; after a pause a single call decides whether they resume. Calls may fail because of
 * one caller's questions, so a caller that the operator has answered has a circuit of its own, and the others of an assistant share one.
 */
export function createCircuitBreaker({
  clock,
  onBreaker,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly onBreaker: BreakerListener;
}): GuardedOperator {
  const circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });

  function report(circuit: Circuit, name: string, admittedIn: number, result: CallResult): void {
    if (admittedIn !== circuit.generation) return;
    const wasClosed = circuit.openUntil === null;
    circuit.isProbing = false;
    if (result === 'abandoned') return;
    circuit.failures = result === 'failed' ? circuit.failures + 1 : 0;
    if (wasClosed && circuit.failures < BREAKER_RULE.failures) return;
    circuit.generation += 1;
    circuit.openUntil = result === 'failed' ? clock.elapsed() + BREAKER_RULE.openMs : null;
    if (result === 'failed') onBreaker('open', BREAKER_RULE.openMs, name);
    else onBreaker('closed', 0, name);
  }

  function circuitNamed(name: string): Circuit {
    const circuit = circuits.get(name) ?? { failures: 0, openUntil: null, isProbing: false, generation: 0 };
    circuits.set(name, circuit);
    return circuit;
  }

  return {
    async admit(caller: CallerPath) {
      const [own, ofAssistant] = circuitNames(caller);
      const name = circuits.has(own) ? own : ofAssistant;
      const circuit = circuitNamed(name);
      const { openUntil, generation } = circuit;
      if (openUntil !== null) {
        if (clock.elapsed() < openUntil) return { kind: 'refused' };
        if (circuit.isProbing) return { kind: 'full' };
        circuit.isProbing = true;
        onBreaker('half_open', 0, name);
      }
      return {
        kind: 'entered',
        async report(result) {
          report(circuit, name, generation, result);
          if (result !== 'succeeded' || circuits.has(own)) return;
          circuitNamed(own);
          onBreaker('closed', 0, own);
        },
        leave: () => undefined,
      };
    },
  };
}

/** The last known state of each operator's breaker. */
export type BreakerStates = {
  note(brand: string, state: BreakerState): void;
  of(brand: string): BreakerState;
};

export function createBreakerStates(clock: Pick<Clock, 'elapsed'>): BreakerStates {
  const noted = new Map<string, { readonly state: BreakerState; readonly at: number }>();
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
