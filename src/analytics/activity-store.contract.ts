import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import {
  type ActivityStore,
  type CountedLabels,
  type CountQuestion,
  type MostCountedQuestion,
  NOTHING_MOST_COUNTED,
} from './activity-store.ts';
import { type Count, MEASURES, type Measure, NO_LABELS } from './count.ts';

const ALWAYS: CountQuestion = { measures: MEASURES, from: 0, to: 1_000_000 };
const AT = 1_800_000_000_000;

export function sampleCount(measure: Measure, hour: number, changes: Partial<Count> = {}): Count {
  return { ...NO_LABELS, measure, hour, count: 1, sum: 0, ...changes };
}

/** What every store of counts promises. */
export function activityStoreContract({
  newStore,
}: {
  readonly newStore: (test: TestContext) => Promise<ActivityStore>;
}): void {
  async function storeWith(test: TestContext, counts: readonly Count[]): Promise<ActivityStore> {
    const store = await newStore(test);
    await store.add({ id: 'first', at: AT, counts });
    return store;
  }

  it('sums what was added over the hours, or by hour', async (t) => {
    const store = await storeWith(t, [
      sampleCount('requests', 10, { assistant: 'a', sum: 5 }),
      sampleCount('requests', 11, { assistant: 'a', sum: 7 }),
      sampleCount('requests', 11, { assistant: 'b', count: 3 }),
    ]);
    await store.add({
      id: 'second',
      at: AT,
      counts: [sampleCount('requests', 11, { assistant: 'a', count: 2 })],
    });
    assert.deepEqual(inOrder(await store.read(ALWAYS)), [
      { ...NO_LABELS, measure: 'requests', assistant: 'a', hour: null, count: 4, sum: 12 },
      { ...NO_LABELS, measure: 'requests', assistant: 'b', hour: null, count: 3, sum: 0 },
    ]);
    assert.deepEqual(inOrder(await store.read({ ...ALWAYS, byHour: true })), [
      { ...NO_LABELS, measure: 'requests', assistant: 'a', hour: 10, count: 1, sum: 5 },
      { ...NO_LABELS, measure: 'requests', assistant: 'a', hour: 11, count: 3, sum: 7 },
      { ...NO_LABELS, measure: 'requests', assistant: 'b', hour: 11, count: 3, sum: 0 },
    ]);
  });

  it('reads only the measures, hours and brand that are asked for', async (t) => {
    const store = await storeWith(t, [
      ...[9, 10, 12, 13].map((hour) =>
        sampleCount('sessions', hour, { brand: 'azul', count: 2 ** (hour - 9) }),
      ),
      sampleCount('sessions', 10, { count: 100 }),
      sampleCount('searches', 10, { brand: 'azul', count: 1_000 }),
      sampleCount('shed', 10, { count: 10_000 }),
    ]);
    const counted = async (question: Partial<CountQuestion>) =>
      inOrder(await store.read({ ...ALWAYS, from: 10, to: 12, ...question })).map(({ count }) => count);
    assert.deepEqual(await counted({ measures: ['sessions'] }), [100, 10]);
    assert.deepEqual(await counted({ measures: ['sessions'], brand: 'azul' }), [10]);
    assert.deepEqual(await counted({ measures: ['sessions'], brand: '' }), [100]);
    assert.deepEqual(await counted({ measures: ['sessions', 'searches'], brand: 'azul' }), [1_000, 10]);
    assert.deepEqual(await counted({ measures: ['sessions'], brand: 'verde' }), []);
    assert.deepEqual(await counted({ measures: [] }), []);
    assert.deepEqual(await counted({ measures: ['sessions'], from: 12, to: 10 }), []);
  });

  it('adds a batch once, however often and from wherever it is sent', async (t) => {
    const store = await newStore(t);
    const batch = { id: 'once', at: AT, counts: [sampleCount('sessions', 10)] };
    await Promise.all([store.add(batch), store.add(batch)]);
    await store.add(batch);
    await store.add({ ...batch, id: 'another' });
    assert.deepEqual(await countsOf(store), [2]);
  });

  it('remembers an empty batch too', async (t) => {
    const store = await newStore(t);
    await store.add({ id: 'empty', at: AT, counts: [] });
    await store.add({ id: 'empty', at: AT, counts: [sampleCount('sessions', 10)] });
    assert.deepEqual(await countsOf(store), []);
  });

  it('takes away what is negative, and leaves out what came to nothing', async (t) => {
    const store = await storeWith(t, [
      sampleCount('standings', 10, { facet: 'destination' }),
      sampleCount('standings', 10, { facet: 'destination', count: -1 }),
      sampleCount('standings', 10, { facet: 'guests', count: -2 }),
      sampleCount('drifts', 10, { count: 0, sum: -30 }),
      sampleCount('drifts', 11, { brand: 'azul', count: 1 }),
      sampleCount('drifts', 12, { brand: 'azul', count: -1 }),
    ]);
    const read = inOrder(await store.read(ALWAYS));
    assert.deepEqual(
      read.map(({ facet, count, sum }) => [facet, count, sum]),
      [
        ['', 0, -30],
        ['guests', -2, 0],
      ],
    );
  });

  it('tells labels apart by every character, and keeps them as they are', async (t) => {
    const texts = [
      ' ',
      '"',
      "'",
      '\\',
      ',',
      '|',
      '\n',
      '\t',
      '%',
      '_',
      '{}',
      '[]',
      'null',
      'é',
      'e\u0301',
      '\u{1f3e0}',
      'A',
      'a',
      'ß',
      '\u202e',
    ];
    const labels = texts.flatMap((text) => [
      { ...NO_LABELS, facet: text },
      { ...NO_LABELS, place: text, reason: `${text}${text}` },
      { ...NO_LABELS, brand: text, assistant: text, place: text, facet: text, reason: text },
    ]);
    const store = await storeWith(
      t,
      labels.map((label, index) => ({ ...sampleCount('wishes', 10, label), count: index + 1 })),
    );
    assert.deepEqual(
      inOrder(await store.read(ALWAYS)),
      inOrder(
        labels.map((label, index) => ({ ...label, measure: 'wishes', hour: null, count: index + 1, sum: 0 })),
      ),
    );
    assert.equal((await store.read({ ...ALWAYS, brand: '%' })).length, 1);
  });

  it('takes labels that are no proper text, as the same replacement', async (t) => {
    const store = await storeWith(t, [
      sampleCount('wishes', 10, { facet: 'a\0b' }),
      sampleCount('wishes', 10, { facet: 'a\ufffdb' }),
      sampleCount('wishes', 10, { facet: 'a\ud800b' }),
    ]);
    assert.deepEqual(
      (await store.read(ALWAYS)).map(({ facet, count }) => [facet, count]),
      [['a\ufffdb', 3]],
    );
  });

  it('is exact up to the largest whole number, and goes on beyond it', async (t) => {
    const largest = Number.MAX_SAFE_INTEGER;
    const store = await storeWith(t, [
      sampleCount('requests', 10, { facet: 'exact', sum: largest - 1 }),
      sampleCount('requests', 10, { facet: 'exact', sum: 1 }),
      sampleCount('requests', 10, { facet: 'less', count: -largest, sum: -largest }),
      sampleCount('requests', 10, { facet: 'beyond', count: 1e300, sum: largest }),
      sampleCount('requests', 11, { facet: 'beyond', count: 1e300, sum: largest }),
    ]);
    const bySum = (await store.read(ALWAYS)).toSorted((one, other) => one.sum - other.sum);
    assert.deepEqual(
      bySum.map(({ count, sum }) => [count, sum]),
      [
        [-largest, -largest],
        [2, largest],
        [2e300, largest * 2],
      ],
    );
  });

  it('adds a batch of thousands', async (t) => {
    const counts = Array.from({ length: 5_000 }, (_, index) =>
      sampleCount('missing_places', 10 + (index % 7), { facet: `place ${index % 2_500}`, sum: index }),
    );
    const store = await storeWith(t, counts);
    const read = await store.read(ALWAYS);
    assert.equal(read.length, 2_500);
    assert.equal(
      sumOf(read, ({ count }) => count),
      5_000,
    );
    assert.equal(
      sumOf(read, ({ sum }) => sum),
      (4_999 * 5_000) / 2,
    );
  });

  it('loses nothing of batches that come at once in any order', async (t) => {
    const store = await newStore(t);
    const counts = Array.from({ length: 50 }, (_, index) =>
      sampleCount('options', 10, { place: `${index}` }),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.add({ id: `batch ${index}`, at: AT, counts: index % 2 === 0 ? counts : counts.toReversed() }),
      ),
    );
    assert.deepEqual(new Set(await countsOf(store)), new Set([20]));
    assert.equal((await countsOf(store)).length, 50);
  });

  it('knows of which facets most was counted, over all hours and other labels', async (t) => {
    const asked = (facet: string, count: number, changes: Partial<Count> = {}) =>
      sampleCount('missing_places', 10, { facet, count, ...changes });
    const store = await storeWith(t, [
      asked('ys', 2),
      asked('ys', 3, { hour: 12 }),
      asked('ys', 4, { brand: 'azul' }),
      asked('ys', 100, { hour: 13 }),
      asked('ys', 100, { measure: 'wishes' }),
      ...['\u{1f3e0}', '\ufffd', 'b', 'B', 'é'].map((facet) => asked(facet, 3)),
      asked('few', 2),
      asked('fewer', 1),
      asked('nothing', 1),
      asked('nothing', -1, { hour: 11 }),
      asked('less', -5),
      asked('', 7),
      asked('', 1, { brand: 'azul' }),
    ]);
    const most = (question: Partial<MostCountedQuestion> = {}) =>
      store.mostCounted({ measure: 'missing_places', from: 10, to: 12, atLeast: 3, limit: 10, ...question });
    const alike = ['B', 'b', 'é', '\ufffd', '\u{1f3e0}'].map((facet) => ({ facet, count: 3 }));
    const ys = { facet: 'ys', count: 9 };
    assert.deepEqual(await most(), { facets: [ys, ...alike], beyondLimit: 0, fewer: 2, unnamed: 8 });
    assert.deepEqual(await most({ limit: 3 }), {
      facets: [ys, ...alike.slice(0, 2)],
      beyondLimit: 3,
      fewer: 2,
      unnamed: 8,
    });
    assert.deepEqual(await most({ atLeast: 9 }), { facets: [ys], beyondLimit: 0, fewer: 7, unnamed: 8 });
    assert.deepEqual(await most({ brand: 'azul' }), {
      facets: [{ facet: 'ys', count: 4 }],
      beyondLimit: 0,
      fewer: 0,
      unnamed: 1,
    });
    assert.deepEqual(await most({ brand: 'verde' }), NOTHING_MOST_COUNTED);
    assert.deepEqual(await most({ measure: 'shed' }), NOTHING_MOST_COUNTED);
    assert.deepEqual(await most({ from: 11, to: 11 }), NOTHING_MOST_COUNTED);
    assert.deepEqual(await most({ atLeast: 1000 }), { facets: [], beyondLimit: 0, fewer: 8, unnamed: 8 });
  });

  it('knows the first and the last hour of all measures', async (t) => {
    const store = await newStore(t);
    assert.equal(await store.span(), null);
    await store.add({ id: 'a', at: AT, counts: [sampleCount('shed', 12)] });
    assert.deepEqual(await store.span(), { from: 12, to: 12 });
    await store.add({ id: 'b', at: AT, counts: [sampleCount('amenities', 14), sampleCount('options', 11)] });
    assert.deepEqual(await store.span(), { from: 11, to: 14 });
  });

  it('deletes the oldest first, no more than asked for, and nothing of the hour itself', async (t) => {
    const store = await storeWith(t, [
      sampleCount('shed', 10),
      sampleCount('amenities', 11, { facet: 'pool' }),
      sampleCount('amenities', 11, { facet: 'sauna' }),
      sampleCount('sessions', 11),
      sampleCount('sessions', 12),
      sampleCount('sessions', 13),
    ]);
    const hours = async () =>
      (await store.read({ ...ALWAYS, byHour: true })).map(({ hour }) => hour ?? 0).sort();
    assert.equal(await store.deleteBefore(10, 100), 0);
    assert.equal(await store.deleteBefore(13, 2), 2);
    assert.deepEqual(await hours(), [11, 11, 12, 13]);
    assert.equal(await store.deleteBefore(13, 3), 3);
    assert.deepEqual(await hours(), [13]);
    assert.equal(await store.deleteBefore(13, 3), 0);
    assert.deepEqual(await store.span(), { from: 13, to: 13 });
  });

  it('does not add a recent batch again after deleting', async (t) => {
    const batch = { id: 'kept', at: AT, counts: [sampleCount('sessions', 10)] };
    const store = await newStore(t);
    await store.add(batch);
    assert.equal(await store.deleteBefore(11, 10), 1);
    await store.add(batch);
    assert.deepEqual(await countsOf(store), []);
  });
}

async function countsOf(store: ActivityStore): Promise<readonly number[]> {
  return (await store.read(ALWAYS)).map(({ count }) => count);
}

function sumOf(counts: readonly CountedLabels[], value: (one: CountedLabels) => number): number {
  return counts.reduce((sum, one) => sum + value(one), 0);
}

/** Compared by their texts, and their members in one order. */
function inOrder(counts: readonly CountedLabels[]): readonly CountedLabels[] {
  const keyOf = ({ measure, hour, brand, assistant, place, facet, reason }: CountedLabels) =>
    JSON.stringify([measure, brand, assistant, place, facet, reason, hour]);
  return counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
