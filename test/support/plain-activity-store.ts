import type { ActivityStore, CountBatch } from '../../src/analytics/activity-store.ts';
import type { Count } from '../../src/analytics/count.ts';

/** What stores of counts do, in the plainest way, with answers that a test can make go wrong. */
export type PlainActivityStore = Pick<ActivityStore, 'add'> & {
  /** `refused`: nothing is stored. `answer_lost`: it is stored, and nobody hears of it. */
  fault: 'refused' | 'answer_lost' | null;
  /** How often batches were sent, whatever became of them. */
  tries: number;
  /** Those that were stored, each once. */
  batches(): readonly CountBatch[];
  /** All that came to something, as one text for each with what was counted and summed. */
  totals(): Readonly<Record<string, string>>;
};

export function createPlainActivityStore(): PlainActivityStore {
  const added = new Map<string, CountBatch>();
  return {
    fault: null,
    tries: 0,
    async add(batch) {
      this.tries += 1;
      if (this.fault === 'refused') throw new Error('the store is away');
      const known = added.get(batch.id);
      if (known && JSON.stringify(known) !== JSON.stringify(batch)) throw new Error('a batch has changed');
      added.set(batch.id, structuredClone(batch));
      if (this.fault === 'answer_lost') throw new Error('the answer was lost');
    },
    batches: () => [...added.values()],
    totals: () => totalsOf([...added.values()].flatMap(({ counts }) => counts)),
  };
}

/** The sums of counts that are alike, without those that came to nothing, in the order of their texts. */
export function totalsOf(counts: readonly Count[]): Readonly<Record<string, string>> {
  const sums = new Map<string, { count: number; sum: number }>();
  for (const { measure, hour, brand, assistant, place, facet, reason, count, sum } of counts) {
    const text = `${measure} @${hour} brand=${brand} assistant=${assistant} place=${place} facet=${facet} reason=${reason}`;
    const known = sums.get(text) ?? { count: 0, sum: 0 };
    sums.set(text, { count: known.count + count, sum: known.sum + sum });
  }
  return Object.fromEntries(
    [...sums]
      .filter(([, { count, sum }]) => count !== 0 || sum !== 0)
      .map(([text, { count, sum }]) => [text, `${count}, ${sum} in all`] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
