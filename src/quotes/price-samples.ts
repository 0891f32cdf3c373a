/** Logarithms of what was last observed, newest last, with what is read from them. A ratio and its inverse are equally far from 0. */
export type PriceSamples = {
  readonly logs: readonly number[];
  readonly median: number;
  readonly lowerQuartile: number;
  /** Between the quartiles: how much the middle half differs. */
  readonly spread: number;
};

/** Odd, so that the median is a sample. Few enough that a change of habit shows after some searches. */
const MAX_SAMPLES = 31;
/** Of one search: a single busy night must not push out all that was seen before. */
const MAX_NEW_SAMPLES = 9;

export function samplesOf(logs: readonly number[]): PriceSamples {
  return new SortedWhenRead(logs.slice(-MAX_SAMPLES));
}

/** With those of one search, which are thinned. */
export function withNewSamples(known: PriceSamples | undefined, logs: readonly number[]): PriceSamples {
  return samplesOf(known ? known.logs.concat(logs) : logs);
}

/** A search updates some fifty of these, and reads few of them before the next one updates them again. */
class SortedWhenRead implements PriceSamples {
  readonly logs: readonly number[];
  #sorted: readonly number[] | undefined;

  constructor(logs: readonly number[]) {
    this.logs = logs;
  }

  get median(): number {
    return this.#at(0.5);
  }

  get lowerQuartile(): number {
    return this.#at(0.25);
  }

  get spread(): number {
    return this.#at(0.75) - this.#at(0.25);
  }

  #at(share: number): number {
    this.#sorted ??= sortedCopy(this.logs);
    return this.#sorted[Math.floor((this.#sorted.length - 1) * share)] ?? 0;
  }
}

/** By insertion: for so few numbers it takes a third of the time that any sort of the language takes. */
function sortedCopy(logs: readonly number[]): readonly number[] {
  const sorted = logs.slice();
  for (let taken = 1; taken < sorted.length; taken += 1) {
    const log = sorted[taken] ?? 0;
    let at = taken;
    for (; at > 0 && (sorted[at - 1] ?? 0) > log; at -= 1) sorted[at] = sorted[at - 1] ?? 0;
    sorted[at] = log;
  }
  return sorted;
}

/** What one search has shown, evenly over its range when it is more than one search may add. */
export function thinned(logs: readonly number[]): readonly number[] {
  if (logs.length <= MAX_NEW_SAMPLES) return logs;
  const sorted = sortedCopy(logs);
  const step = (sorted.length - 1) / (MAX_NEW_SAMPLES - 1);
  return Array.from({ length: MAX_NEW_SAMPLES }, (_, at) => sorted[Math.round(at * step)] ?? 0);
}
