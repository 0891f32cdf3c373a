import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';

/** Hosts on which feeds go on giving no answer: each would take ten seconds of the reading of all calendars. */
export type SilentHosts = {
  /** How a reading of one of its feeds has ended. */
  note(host: string, hasAnswered: boolean): void;
  isSilent(host: string): boolean;
};

/** One feed that hangs says nothing about the others. */
const MIN_SILENCES_IN_A_ROW = 8;
const REST_MS = 60_000;
const MAX_HOSTS = 100;

export function createSilentHosts(clock: Pick<Clock, 'elapsed'>): SilentHosts {
  const silences = new LRUCache<string, { readonly inARow: number; readonly at: number }>({ max: MAX_HOSTS });
  return {
    note(host, hasAnswered) {
      if (hasAnswered) silences.delete(host);
      else silences.set(host, { inARow: (silences.get(host)?.inARow ?? 0) + 1, at: clock.elapsed() });
    },
    isSilent(host) {
      const silence = silences.get(host);
      if (!silence || silence.inARow < MIN_SILENCES_IN_A_ROW) return false;
      return clock.elapsed() - silence.at < REST_MS;
    },
  };
}
