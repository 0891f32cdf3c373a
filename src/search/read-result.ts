import type { Clock } from '../clock.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { LiveSession } from '../sessions/find-session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { withToken } from '../sessions/token-free-body.ts';
import { createReadyResults } from './ready-results.ts';
import { currentStep, type Step } from './step.ts';

export type ResultReading =
  | { readonly kind: 'result'; readonly body: Uint8Array }
  | { readonly kind: 'not_ready'; readonly step: Step };

export type ReadResult = (found: LiveSession) => Promise<ResultReading>;

/** The last complete envelope, as the bytes that were stored: identical each time. */
export function createReadResult({
  sessions,
  index,
  network,
  clock,
}: {
  readonly sessions: Pick<SessionStore, 'result'>;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly clock: Clock;
}): ReadResult {
  const readyResults = createReadyResults();
  return async ({ session, token }) => {
    const ready = session.result ? readyResults.find(session) : undefined;
    if (ready) return { kind: 'result', body: ready };
    const stored = session.result ? await sessions.result(session.id) : undefined;
    if (stored) {
      const body = withToken(stored, token);
      readyResults.keep(session, body);
      return { kind: 'result', body };
    }
    return { kind: 'not_ready', step: currentStep(session, { index, network, now: clock.now() }) };
  };
}
