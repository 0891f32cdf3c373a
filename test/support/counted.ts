import { type Count, hourOf, type Labels, type Measure, NO_LABELS } from '../../src/analytics/count.ts';
import { createMemoryOwnerStore } from '../../src/storage/memory/storage.ts';

/** A count as tests write it: what, when, its labels, how often and their sum. */
export type Counted = readonly [Measure, at: number, labels: Partial<Labels>, count?: number, sum?: number];

export function countsOf(all: readonly Counted[]): readonly Count[] {
  return all.map(([measure, at, labels, count = 1, sum = 0]) => {
    return { ...NO_LABELS, ...labels, measure, hour: hourOf(at), count, sum };
  });
}

/** A store in memory that holds these counts. */
export async function activityWith(all: readonly Counted[]) {
  const { activity } = createMemoryOwnerStore();
  await activity.add({ id: 'all', at: 0, counts: countsOf(all) });
  return activity;
}
