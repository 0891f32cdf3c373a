import type { Clock } from '../clock.ts';
import { type Count, hourOf, type Labels, type Measure } from './count.ts';

/** The interval at which counts go to the store. */
export const FLUSH_INTERVAL_MS = 1000;

/** Adds to a count. Never throws and never waits, because a caller is waiting for an answer. */
export type CountActivity = (measure: Measure, labels: Partial<Labels>, amounts?: Amounts) => void;

type Amounts = {
  /** 1 by default. */
  readonly count?: number;
  /** Rounded to an integer. */
  readonly sum?: number;
  /** The hour it belongs to; the current one by default. */
  readonly hour?: number;
};

/** Counts that are not handed on yet. */
type Sums = {
  readonly count: CountActivity;
  /** Removes and returns all waiting counts, the oldest first, without those that add up to zero. */
  take(): readonly Count[];
  readonly size: number;
  /** The number of counts dropped since the last call, because too many were waiting. */
  takeLost(): number;
};

const MAX_WAITING_COUNTS = 100_000;

type WaitingCount = { -readonly [Key in keyof Count]: Count[Key] };

/**
 * Nested maps rather than one with long keys: building such a key takes four times as long as all of these lookups, and this runs for every
 * request.
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
      insert({ measure, hour, brand, assistant, place, facet, reason, count, sum });
    }
  }

  function insert(one: WaitingCount): void {
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
