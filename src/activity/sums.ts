import type { Clock } from '../clock.ts';
import { type Count, hourOf, type Labels } from './count.ts';
import type { Measure } from './measures.ts';

/** Counts something. It never throws and never waits, because a caller does. */
export type CountActivity = (measure: Measure, labels: Partial<Labels>, amounts?: Amounts) => void;

export type Amounts = {
  /** One, unless it says otherwise. */
  readonly count?: number;
  /** Rounded to an integer. */
  readonly sum?: number;
  /** In which it counts; the one that it is. */
  readonly hour?: number;
};

/** What was counted and has not gone anywhere yet. */
export type Sums = {
  readonly count: CountActivity;
  /** What another thread has summed up. */
  add(counts: readonly Count[]): void;
  /** Hands out at most so many, the oldest first. What came to nothing is left out. */
  take(limit: number): readonly Count[];
  readonly size: number;
  /** How many were left out since this was asked last, because too many were waiting. */
  takeLost(): number;
};

const MAX_WAITING_COUNTS = 100_000;

type WaitingCount = { -readonly [Key in keyof Count]: Count[Key] };

/** One text as the key and one lookup: this runs with every request. */
export function createSums({
  clock,
  onFirst,
  maxCounts = MAX_WAITING_COUNTS,
}: {
  readonly clock: Pick<Clock, 'now'>;
  /** Called when something waits where nothing did. */
  readonly onFirst: () => void;
  readonly maxCounts?: number;
}): Sums {
  const sums = new Map<string, WaitingCount>();
  let lost = 0;

  function put(
    measure: Measure,
    hour: number,
    { brand = '', assistant = '', place = '', facet = '', reason = '' }: Partial<Labels>,
    count: number,
    sum: number,
  ): void {
    const key = `${measure}\n${hour}\n${brand}\n${assistant}\n${place}\n${facet}\n${reason}`;
    const known = sums.get(key);
    if (known) {
      known.count += count;
      known.sum += sum;
    } else if (sums.size >= maxCounts) {
      lost += 1;
    } else {
      sums.set(key, { measure, hour, brand, assistant, place, facet, reason, count, sum });
      if (sums.size === 1) onFirst();
    }
  }

  return {
    count(measure, labels, amounts) {
      const hour = amounts?.hour ?? hourOf(clock.now());
      // A zero has no sign.
      put(measure, hour, labels, amounts?.count ?? 1, Math.round(amounts?.sum ?? 0) + 0);
    },
    add(counts) {
      for (const one of counts) put(one.measure, one.hour, one, one.count, one.sum);
    },
    take(limit) {
      const taken: WaitingCount[] = [];
      for (const [key, sum] of sums) {
        if (taken.length >= limit) break;
        sums.delete(key);
        if (sum.count !== 0 || sum.sum !== 0) taken.push(sum);
      }
      return taken;
    },
    get size() {
      return sums.size;
    },
    takeLost() {
      const before = lost;
      lost = 0;
      return before;
    },
  };
}
