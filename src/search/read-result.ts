import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Answer, answerWith } from '../contract/exchange.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { LiveSession, SessionId } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { withToken } from '../sessions/session-token.ts';
import { currentStep, type Step } from './step.ts';

export type ResultReading =
  | { readonly kind: 'result'; readonly answer: Answer }
  | { readonly kind: 'not_ready'; readonly step: Step };

export type ReadResult = (found: LiveSession) => Promise<ResultReading>;

const MAX_READY_BYTES = 32 * 1024 * 1024;

/** The last complete envelope, byte for byte as it was stored. */
export function createReadResult({
  sessions,
  index,
  network,
  clock,
  maxReadyBytes = MAX_READY_BYTES,
}: {
  readonly sessions: Pick<SessionStore, 'result'>;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly clock: Clock;
  readonly maxReadyBytes?: number;
}): ReadResult {
  // With the token inserted: results are read repeatedly, and inserting it into 30 KB costs more than sending them.
  // In memory only, because tokens are never stored.
  const ready = new LRUCache<SessionId, { readonly revision: number; readonly answer: Answer }>({
    maxSize: maxReadyBytes,
    sizeCalculation: ({ answer }) => answer.body.length,
  });

  return async ({ session, token }) => {
    if (session.result) {
      const known = ready.get(session.id);
      if (known?.revision === session.revision) return { kind: 'result', answer: known.answer };
      const stored = await sessions.result(session.id);
      if (stored) {
        const answer = answerWith(withToken(stored, token));
        ready.set(session.id, { revision: session.revision, answer });
        return { kind: 'result', answer };
      }
    }
    return { kind: 'not_ready', step: currentStep(session, { index, network, now: clock.now() }) };
  };
}
