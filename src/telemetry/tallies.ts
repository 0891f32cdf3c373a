import { Counter, type Histogram, type Registry } from 'prom-client';

// Metrics that every request or every call for prices adds to. They are plain numbers until a scrape, which
// takes a tenth to a half of the time of prom-client's own lookup by labels.

/** Adds one, or `added`, to the count of these label values. */
export type Tally = (labels: readonly string[], added?: number) => void;
export type DurationTally = (label: string, seconds: number) => void;

export function createTally<Label extends string>(configuration: {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly registers: Registry[];
}): Tally {
  const root = newLabelLevel([]);
  const counted: LabelLevel[] = [];
  new Counter({
    ...configuration,
    labelNames: [...configuration.labelNames],
    collect() {
      this.reset();
      for (const { labels, count } of counted) this.labels(...labels).inc(count);
    },
  });
  return (labels, added = 1) => {
    let level = root;
    for (const label of labels) level = level.next.get(label) ?? nextLabelLevel(level, label);
    if (level.count === 0) counted.push(level);
    level.count += added;
  };
}

/** One map per label: building a key of all labels takes longer than a lookup of each. */
type LabelLevel = {
  readonly labels: readonly string[];
  readonly next: Map<string, LabelLevel>;
  count: number;
};

function newLabelLevel(labels: readonly string[]): LabelLevel {
  return { labels, next: new Map(), count: 0 };
}

function nextLabelLevel(level: LabelLevel, label: string): LabelLevel {
  const next = newLabelLevel([...level.labels, label]);
  level.next.set(label, next);
  return next;
}

/** `counts` by bucket; the last is beyond all bounds. */
type Durations = { readonly counts: number[]; sum: number };

/** A histogram with one label. */
export function createDurationTally({
  name,
  help,
  labelName,
  buckets,
  registry,
}: {
  readonly name: string;
  readonly help: string;
  readonly labelName: string;
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}): DurationTally {
  const durationsOf = new Map<string, Durations>();

  function* samples() {
    for (const [label, { counts, sum }] of durationsOf) {
      const labels = { [labelName]: label };
      let count = 0;
      for (const [bucket, inBucket] of counts.entries()) {
        count += inBucket;
        const le = buckets[bucket] ?? '+Inf';
        yield { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
      }
      yield { labels, value: sum, metricName: `${name}_sum` };
      yield { labels, value: count, metricName: `${name}_count` };
    }
  }

  const metric = {
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: [...samples()] }),
  };
  // A registry needs no more of a metric than this, but its types require one of prom-client's own classes.
  registry.registerMetric(metric as unknown as Histogram);

  return (label, seconds) => {
    let durations = durationsOf.get(label);
    if (!durations) {
      durations = { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
      durationsOf.set(label, durations);
    }
    let bucket = 0;
    while (seconds > (buckets[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
    durations.sum += seconds;
  };
}
