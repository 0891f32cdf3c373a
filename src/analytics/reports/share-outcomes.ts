import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import type { Report } from './report.ts';
import type { MakeReport } from './reports.ts';

/** Pages refresh themselves about as often. */
const SHARED_MS = 5000;
const MAX_SHARED = 50;

type SharedReport = { readonly report: Promise<Report>; madeAt: number };

/**
 * Requests for the same outcomes share one reading while it is under way and for a few seconds after it: that of a hundred thousand bookings
 * takes seconds, and open tabs must not add up. All other reports are made for each request.
 */
export function shareOutcomes(make: MakeReport, clock: Pick<Clock, 'elapsed'>): MakeReport {
  const shared = new LRUCache<string, SharedReport>({ max: MAX_SHARED });

  function begin(key: string, making: Promise<Report>): Promise<Report> {
    const begun: SharedReport = { report: making, madeAt: Number.POSITIVE_INFINITY };
    shared.set(key, begun);
    making.then(
      () => {
        begun.madeAt = clock.elapsed();
      },
      () => shared.delete(key),
    );
    return making;
  }

  return (id, range) => {
    if (id !== 'outcomes') return make(id, range);
    const key = [range.from, range.to, range.brand ?? ''].join('\n');
    const known = shared.get(key);
    return known && clock.elapsed() - known.madeAt < SHARED_MS ? known.report : begin(key, make(id, range));
  };
}
