import { LRUCache } from 'lru-cache';
import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { Network } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { type Answer, answerWith, type View } from '../contract/exchange.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { LiveSession, Session, SessionId } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { withToken } from '../sessions/session-token.ts';
import { compactResult } from './answers/compact-result.ts';
import { withSideEffects } from './answers/result-answer.ts';
import { NO_SIDE_EFFECTS, type SideEffects } from './answers/side-effects.ts';
import { retryAfterSilence } from './complete-search.ts';
import { currentStep, type Step } from './step.ts';
import { SESSION_EXPIRED, SESSION_GONE, type StepOutcome } from './step-request.ts';

export type ResultReading =
  | { readonly kind: 'result'; readonly answer: Answer }
  | {
      readonly kind: 'not_ready';
      readonly step: Step;
      /** When the operators were silent: how long to wait before they are asked again. */
      readonly retryAfterSeconds: number | null;
    }
  /** The result was deleted with an expired session; the wall clock may have been set back since. */
  | { readonly kind: 'deleted' }
  /** The session was deleted since it was found. */
  | { readonly kind: 'gone' };

/** `sideEffects` are those of a request that changed nothing: they are added to the answer, not to the stored result. */
export type ReadResult = (
  found: LiveSession,
  view: View,
  sideEffects?: SideEffects,
) => Promise<ResultReading>;

/** For a session that has a result. */
export function outcomeOf(reading: ResultReading): StepOutcome {
  if (reading.kind === 'result') return { kind: 'answered', answer: reading.answer };
  return reading.kind === 'gone' ? SESSION_GONE : SESSION_EXPIRED;
}

/** A result changes only with the revision. */
type ReadyResult = { readonly revision: number; readonly text: Uint8Array };

const MAX_READY_BYTES = 32 * 1024 * 1024;

/** The last complete envelope, byte for byte as it was stored; the compact view is made from it. */
export function createReadResult({
  sessions,
  index,
  network,
  clock,
  maxReadyBytes = MAX_READY_BYTES,
}: {
  readonly sessions: Pick<SessionStore, 'result' | 'find'>;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly clock: Clock;
  readonly maxReadyBytes?: number;
}): ReadResult {
  // Holds results with the token inserted: results are read repeatedly, and inserting it into 30 KB costs more than sending them. In memory
  // only, because tokens are never stored.
  const ready = new LRUCache<`${View} ${SessionId}`, ReadyResult>({
    maxSize: maxReadyBytes,
    sizeCalculation: ({ text }) => text.length,
  });

  return async ({ session, token }, view, sideEffects = NO_SIDE_EFFECTS) => {
    if (session.result) {
      const text = await textFor(session, token, view);
      if (!text) return { kind: (await sessions.find(session.id)) ? 'deleted' : 'gone' };
      const isPlain = !sideEffects.fulfilled && !sideEffects.isFromEarlierStep;
      const stored = { text, read: () => resultIn(text) };
      const body = isPlain ? stored : withSideEffects(resultIn(text), sideEffects);
      return { kind: 'result', answer: answerWith(body, { current: session.result.answersPayload }) };
    }
    return {
      kind: 'not_ready',
      step: currentStep(session, { index, network, unready: [], now: clock.now() }),
      retryAfterSeconds: session.operatorsSilent ? retryAfterSilence(session, clock.now()) : null,
    };
  };

  async function textFor(
    { id, revision }: Session,
    token: string,
    view: View,
  ): Promise<Uint8Array | undefined> {
    const known = ready.get(`${view} ${id}`);
    if (known?.revision === revision) return known.text;
    const stored = await sessions.result(id);
    if (!stored) return undefined;
    const full = withToken(stored, token);
    const text = view === 'full' ? full : Buffer.from(JSON.stringify(compactResult(resultIn(full))));
    ready.set(`${view} ${id}`, { revision, text });
    return text;
  }
}

function resultIn(text: Uint8Array): ResultBody {
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
}
