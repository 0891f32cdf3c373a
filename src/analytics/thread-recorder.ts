import type { Network } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import type { SearchObserver } from '../search/search-observer.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { createRequestRecorder } from './record-requests.ts';
import { createSearchRecorder } from './record-searches.ts';
import { createSessionTallies, type SessionTallies } from './session-tallies.ts';
import type { CountActivity } from './sums.ts';

/** Counts what is asked of a thread that answers callers. */
export type ThreadRecorder = Pick<SessionTallies, 'flush' | 'stop'> & {
  readonly searches: SearchObserver;
  readonly finished: (request: FinishedRequest) => void;
  readonly shed: (kind: string) => void;
};

export function createThreadRecorder({
  count,
  onLost,
  sessions,
  network,
  clock,
  onFault,
}: {
  readonly count: CountActivity;
  readonly onLost: (counts: number) => void;
  readonly sessions: Pick<SessionStore, 'noteTallies'>;
  readonly network: Network;
  readonly clock: Clock;
  readonly onFault: (fault: unknown) => void;
}): ThreadRecorder {
  const tallies = createSessionTallies({ sessions, count, onLost, clock });
  return {
    searches: createSearchRecorder({ count, tallies, network, clock, onFault }),
    finished: createRequestRecorder(count),
    shed: (kind) => count('shed', { reason: kind }),
    flush: tallies.flush,
    stop: tallies.stop,
  };
}
