import { type Clock, pauseFor } from '../../clock.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5000;

/** Tries again for as long as the server cannot be reached or is busy: nodes and servers may start in any order. Other failures are for the owner. */
export async function untilReachable<Value>(
  work: () => Promise<Value>,
  {
    server,
    clock,
    report,
    signal,
  }: {
    readonly server: string;
    readonly clock: Pick<Clock, 'after'>;
    readonly report: (warning: string) => void;
    /** Ends the waiting. */
    readonly signal: AbortSignal;
  },
): Promise<Value> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
    try {
      return await work();
    } catch (failure) {
      if (!isTemporary(failure)) throw failure;
      report(`The start waits for ${server}: ${failure.message}`);
      await pauseFor(pause, clock, signal);
      if (signal.aborted) throw failure;
    }
  }
}

export function isTemporary(failure: unknown): failure is StorageFailure {
  return failure instanceof StorageFailure && (failure.kind === 'unreachable' || failure.kind === 'busy');
}
