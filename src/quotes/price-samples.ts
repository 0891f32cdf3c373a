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
  const kept = logs.slice(-MAX_SAMPLES);
  // Typed arrays are sorted by value without a comparison in JavaScript: a search updates some fifty of these.
  const sorted = new Float64Array(kept).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const lowerQuartile = at(0.25);
  return { logs: kept, median: at(0.5), lowerQuartile, spread: at(0.75) - lowerQuartile };
}

/** What one search has shown, thinned evenly over its range when it is more than one search may add. */
export function withNewSamples(known: PriceSamples | undefined, logs: readonly number[]): PriceSamples {
  return samplesOf([...(known?.logs ?? []), ...thinned(logs)]);
}

function thinned(logs: readonly number[]): readonly number[] {
  if (logs.length <= MAX_NEW_SAMPLES) return logs;
  const sorted = logs.toSorted((one, other) => one - other);
  const step = (sorted.length - 1) / (MAX_NEW_SAMPLES - 1);
  return Array.from({ length: MAX_NEW_SAMPLES }, (_, at) => sorted[Math.round(at * step)] ?? 0);
}
