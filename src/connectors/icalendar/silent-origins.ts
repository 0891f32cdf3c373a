import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { retryAfterMs } from '../../outbound/read-answer.ts';

/** Servers that are not asked for feeds of a brand for a while: those that go on giving no answer, because each feed would keep a place of its host for ten seconds, and those that want a pause. */
export type SilentOrigins = {
  noteAnswer(origin: string): void;
  /** 429, or 503 with `Retry-After`, begins a pause, which no other answer ends. */
  noteStatus(origin: string, status: number, header: ReadHeader): void;
  /** How asking for a feed has failed, and after how long. */
  noteFailure(origin: string, failure: BookingSystemFailure, tookMs: number): void;
  /** Why the server is not asked now. */
  refusal(origin: string): BookingSystemFailure | undefined;
};

/** One feed that hangs says nothing about the others. */
const MIN_SILENCES_IN_A_ROW = 8;
/** A connection that is refused at once costs nobody anything; one that is ended after a while is as bad as one that hangs. */
const MIN_SILENCE_MS = 1000;
const REST_MS = 60_000;
/** Shorter than the last readings count by default, so that one pause withdraws no home that was read a minute before it. */
const MIN_PAUSE_MS = 180_000;
const MAX_PAUSE_MS = 3_600_000;
const MAX_ORIGINS = 100;

export function createSilentOrigins(clock: Pick<Clock, 'elapsed' | 'now'>): SilentOrigins {
  const silences = new LRUCache<string, { readonly inARow: number; readonly at: number }>({
    max: MAX_ORIGINS,
  });
  const pausesUntil = new LRUCache<string, number>({ max: MAX_ORIGINS });

  function noteAnswer(origin: string): void {
    silences.delete(origin);
  }

  return {
    noteAnswer,
    noteStatus(origin, status, header) {
      const namedMs = retryAfterMs(header, clock.now());
      if (status !== 429 && (status !== 503 || namedMs === undefined)) return;
      const pauseMs = Math.min(Math.max(namedMs ?? 0, MIN_PAUSE_MS), MAX_PAUSE_MS);
      pausesUntil.set(origin, Math.max(pausesUntil.get(origin) ?? 0, clock.elapsed() + pauseMs));
    },
    noteFailure(origin, { kind }, tookMs) {
      if (kind !== 'timeout' && kind !== 'unreachable') return noteAnswer(origin);
      // A quick failure is no answer: it ends no silence either.
      if (tookMs < MIN_SILENCE_MS) return;
      silences.set(origin, { inARow: (silences.get(origin)?.inARow ?? 0) + 1, at: clock.elapsed() });
    },
    refusal(origin) {
      if (clock.elapsed() < (pausesUntil.get(origin) ?? 0)) {
        return new BookingSystemFailure('rate_limited', 'its server has asked for a pause');
      }
      const silence = silences.get(origin);
      if (!silence || silence.inARow < MIN_SILENCES_IN_A_ROW || clock.elapsed() - silence.at >= REST_MS) {
        return undefined;
      }
      return new BookingSystemFailure('timeout', 'the last feeds on its server gave no answer');
    },
  };
}
