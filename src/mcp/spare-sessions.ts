import type { Clock } from '../clock.ts';
import type { SessionBody } from '../contract/session-body.ts';
import { MAX_REPEAT_MS } from '../sessions/recent-openings.ts';

/**
 * Sessions that calls without a handle have opened and not used, because the search was refused until later. Nobody was told of
 * them, so the next call that needs one takes it: whoever calls again and again would otherwise leave a session open each time.
 */
export type SpareSessions = {
  /** The newest one of this name, which is nobody else's from then on. */
  take(name: string): SessionBody | undefined;
  /** The next who takes it has it for nearly as long as a new one, so one that is old is not kept. */
  keep(name: string, opened: SessionBody): void;
};

/** Beyond it the oldest are left to expire. */
const MAX_SPARES = 1000;

type Spare = { readonly name: string; readonly opened: SessionBody; readonly keptSince: number };

export function createSpareSessions(clock: Pick<Clock, 'elapsed'>): SpareSessions {
  const spares: Spare[] = [];
  /** Of those that were taken, for one that is given back again. */
  const since = new WeakMap<SessionBody, number>();
  const isRecent = (keptSince: number) => clock.elapsed() - keptSince <= MAX_REPEAT_MS;

  return {
    take(name) {
      const place = spares.findLastIndex((spare) => spare.name === name && isRecent(spare.keptSince));
      const [spare] = place < 0 ? [] : spares.splice(place, 1);
      return spare?.opened;
    },
    keep(name, opened) {
      const keptSince = since.get(opened) ?? clock.elapsed();
      since.set(opened, keptSince);
      if (isRecent(keptSince) && spares.push({ name, opened, keptSince }) > MAX_SPARES) spares.shift();
    },
  };
}
