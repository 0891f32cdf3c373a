import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import type { BookingSystemFailure } from '../../quotes/booking-system.ts';

/** Servers on which the feeds of a brand go on giving no answer: each would keep a place of its host for ten seconds. */
export type SilentOrigins = {
  noteAnswer(origin: string): void;
  /** How asking for a feed has failed, and after how long. */
  noteFailure(origin: string, failure: BookingSystemFailure, tookMs: number): void;
  isSilent(origin: string): boolean;
};

/** One feed that hangs says nothing about the others. */
const MIN_SILENCES_IN_A_ROW = 8;
/** A connection that is refused at once costs nobody anything; one that is ended after a while is as bad as one that hangs. */
const MIN_SILENCE_MS = 1000;
const REST_MS = 60_000;
const MAX_ORIGINS = 100;

export function createSilentOrigins(clock: Pick<Clock, 'elapsed'>): SilentOrigins {
  const silences = new LRUCache<string, { readonly inARow: number; readonly at: number }>({
    max: MAX_ORIGINS,
  });

  function noteAnswer(origin: string): void {
    silences.delete(origin);
  }

  return {
    noteAnswer,
    noteFailure(origin, { kind }, tookMs) {
      if (kind !== 'timeout' && kind !== 'unreachable') return noteAnswer(origin);
      // A quick failure is no answer: it ends no silence either.
      if (tookMs < MIN_SILENCE_MS) return;
      silences.set(origin, { inARow: (silences.get(origin)?.inARow ?? 0) + 1, at: clock.elapsed() });
    },
    isSilent(origin) {
      const silence = silences.get(origin);
      if (!silence || silence.inARow < MIN_SILENCES_IN_A_ROW) return false;
      return clock.elapsed() - silence.at < REST_MS;
    },
  };
}
