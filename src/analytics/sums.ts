import type { Clock } from '../clock.ts';
import { type Count, hourOf, type Labels } from './count.ts';
import type { Measure } from './measures.ts';

/** Counts something. It never throws and never waits: a caller is waiting for an answer. */
export type CountActivity = (measure: Measure, labels: Partial<Labels>, amounts?: Amounts) => void;

export type Amounts = {
  /** 1 by default. */
  readonly count?: number;
  /** Rounded to an integer. */
  readonly sum?: number;
  /** The hour it belongs to; the current one by default. */
  readonly hour?: number;
};

/** What was counted and not handed on yet. */
export type Sums = {
  readonly count: CountActivity;
  /** What another thread has summed up. */
  add(counts: readonly Count[]): void;
  /** Hands out all that wait, the oldest first. Counts that add up to zero are left out. */
  take(): readonly Count[];
  readonly size: number;
  /** How many counts were dropped since the last call, because too many were waiting. */
  takeLost(): number;
};

const MAX_WAITING_COUNTS = 100_000;

type WaitingCount = { -readonly [Key in keyof Count]: Count[Key] };

/**
 * Nested maps rather than one with long keys: building such a key takes four times as long as all of these lookups, and this runs with
 * every request.
 */
type ByHour = Map<number, ByBrand>;
type ByBrand = Map<string, ByAssistant>;
type ByAssistant = Map<string, ByPlace>;
type ByPlace = Map<string, ByFacet>;
type ByFacet = Map<string, ByReason>;
type ByReason = Map<string, WaitingCount>;

export function createSums({
  clock,
  onFirst,
  maxCounts = MAX_WAITING_COUNTS,
}: {
  readonly clock: Pick<Clock, 'now'>;
  /** Called when the first count waits. */
  readonly onFirst: () => void;
  readonly maxCounts?: number;
}): Sums {
  let byMeasure = new Map<Measure, ByHour>();
  let waiting: WaitingCount[] = [];
  let lost = 0;

  function put(
    measure: Measure,
    hour: number,
    { brand = '', assistant = '', place = '', facet = '', reason = '' }: Partial<Labels>,
    count: number,
    sum: number,
  ): void {
    const byAssistant = byMeasure.get(measure)?.get(hour)?.get(brand);
    const known = byAssistant?.get(assistant)?.get(place)?.get(facet)?.get(reason);
    if (known) {
      known.count += count;
      known.sum += sum;
    } else if (waiting.length >= maxCounts) {
      lost += 1;
    } else {
      keep({ measure, hour, brand, assistant, place, facet, reason, count, sum });
    }
  }

  function keep(one: WaitingCount): void {
    const ofBrand = within(within(within(byMeasure, one.measure), one.hour), one.brand);
    const ofPlace = within(within(ofBrand, one.assistant), one.place);
    within(ofPlace, one.facet).set(one.reason, one);
    if (waiting.push(one) === 1) onFirst();
  }

  return {
    count(measure, labels, amounts) {
      const hour = amounts?.hour ?? hourOf(clock.now());
      // `+ 0` turns -0 into 0.
      put(measure, hour, labels, amounts?.count ?? 1, Math.round(amounts?.sum ?? 0) + 0);
    },
    add(counts) {
      for (const one of counts) put(one.measure, one.hour, one, one.count, one.sum);
    },
    take() {
      const taken = waiting.filter(({ count, sum }) => count !== 0 || sum !== 0);
      byMeasure = new Map();
      waiting = [];
      return taken;
    },
    get size() {
      return waiting.length;
    },
    takeLost() {
      const before = lost;
      lost = 0;
      return before;
    },
  };
}

function within<Key, InnerKey, Value>(level: Map<Key, Map<InnerKey, Value>>, key: Key): Map<InnerKey, Value> {
  let inner = level.get(key);
  if (inner === undefined) {
    inner = new Map();
    level.set(key, inner);
  }
  return inner;
}
