import type { Clock } from '../clock.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

/** `forMs` is how long an open one stays so; 0 for the other states. */
export type BreakerListener = (state: BreakerState, forMs: number) => void;

/** How an admitted call ended. An abandoned one says nothing about the operator. */
export type CallResult = 'succeeded' | 'failed' | 'abandoned';

export type CircuitBreaker = {
  /** Whether a call would be refused right now, without making one. While a probe is under way nobody knows. */
  refuses(): boolean;
  admit(): CallAdmission;
};

export type CallAdmission =
  /** Report the call's result exactly once. */
  | { readonly kind: 'admitted'; report(result: CallResult): void }
  /** Ask for admission again at the end of the probe. */
  | { readonly kind: 'awaits_probe'; readonly probeEnd: Promise<void> }
  | { readonly kind: 'refused' };

/** An operator mostly fails when of so many calls of the window this share has failed; then it is left alone. */
export const BREAKER_RULE = { windowSeconds: 30, minCalls: 5, failureShare: 0.5, openMs: 15_000 } as const;

/** Stops calls to an operator that mostly fails; after a pause a single probe decides whether they resume, and the others wait for it. */
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
  let openUntil = 0;
  let probe: PromiseWithResolvers<void> | null = null;
  // Results of calls admitted before a change of state are ignored.
  let generation = 0;

  function change(to: BreakerState): void {
    state = to;
    generation += 1;
    seconds.clear();
    const forMs = to === 'open' ? BREAKER_RULE.openMs : 0;
    openUntil = clock.elapsed() + forMs;
    endProbe();
    onChange?.(to, forMs);
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

  function currentState(): BreakerState {
    if (state === 'open' && clock.elapsed() >= openUntil) change('half_open');
    return state;
  }

  function report(admittedIn: number, result: CallResult): void {
    if (admittedIn !== generation) return;
    if (state === 'half_open') {
      if (result === 'abandoned') endProbe();
      else change(result === 'succeeded' ? 'closed' : 'open');
      return;
    }
    if (result === 'abandoned') return;
    count(result === 'failed');
    if (result === 'failed' && mostlyFails()) change('open');
  }

  const refuses = () => currentState() === 'open';

  return {
    refuses,
    admit() {
      if (refuses()) return { kind: 'refused' };
      if (probe) return { kind: 'awaits_probe', probeEnd: probe.promise };
      if (state === 'half_open') probe = Promise.withResolvers<void>();
      const admittedIn = generation;
      return { kind: 'admitted', report: (result) => report(admittedIn, result) };
    },
  };
}
