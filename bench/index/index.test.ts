import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { noonOf } from '../inventory/bench-inventory.ts';
import { createSyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { createAskedIndex, STEPS } from './ask.ts';
import { buildIndex } from './build-index.ts';
import { indexFigures, sizeFigure } from './index-figures.ts';
import { measureIndexes } from './index-part.ts';
import type { IndexCosts } from './measure-index.ts';
import { inTurn, timeQuestions } from './time-questions.ts';

const TODAY = 20_880;

describe('the benchmark of the index', () => {
  it('measures every step for a place, a country and the network, in a process of its own', {
    timeout: 60_000,
  }, async () => {
    const work = { seed: 3, today: TODAY, questions: 4, passes: 1, maxMs: 1, warmUpMs: 0 };
    const measured: IndexCosts[] = [];
    for await (const costs of measureIndexes([{ homes: 1000 }], work)) measured.push(costs);
    const [costs] = measured;
    assert.ok(costs && measured.length === 1);
    assert.deepEqual([costs.homes, costs.biggestPlace], [1000, 200]);
    const areas = Map.groupBy(costs.steps, ({ area }) => area);
    const inPlaces = STEPS.filter((step) => step !== 'destinations');
    assert.deepEqual(
      [...areas].map(([area, steps]) => [area, steps.map(({ step }) => step)]),
      [
        ['place', inPlaces],
        ['country', inPlaces],
        ['network', [...STEPS]],
      ],
    );
    for (const { allBrands, oneBrand } of costs.steps) {
      assert.ok(allBrands.medianUs > 0 && oneBrand.p99Us >= oneBrand.medianUs);
    }
    assert.ok(costs.bytesPerHome > 100 && costs.buildUsPerHome > 0 && costs.replaced.medianUs > 0);
    const figures = indexFigures(costs);
    assert.ok(figures.length >= 2 + 2 + costs.steps.length + 3);
    assert.ok(figures.every(({ what, isMet }) => isMet !== null || what === 'snapshot written'));
    assert.match(sizeFigure(costs).what, /^1,000 homes: full question, place of 200$/);
  });

  it('counts the memory that the index keeps and not what was only made for it', () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
    const inventory = createSyntheticInventory({ seed: 3, homes: 1000, today: TODAY });
    const { index, bytesPerHome } = buildIndex(inventory, { gc });
    assert.ok(bytesPerHome > 300 && bytesPerHome < 20_000, `${bytesPerHome} bytes a home`);
    const criteria = { brand: null, place: null, checkInMonth: null, checkIn: null, checkOut: null };
    assert.equal(index.step('has match', { ...criteria, guests: null, amenities: [] }), 1);
  });
});

describe('the index as the benchmark asks it', () => {
  it('answers the full question about the day of the inventory', async () => {
    const inventory = createSyntheticInventory({ seed: 3, homes: 1000, today: TODAY });
    const index = createAskedIndex(inventory);
    index.load(inventory.homes());
    const place = inventory.cities[0]?.place ?? '';
    const stay = { brand: null, place, checkInMonth: null, guests: 2, amenities: [] };
    const answer = index.fullQuestion({ ...stay, checkIn: TODAY + 30, checkOut: TODAY + 35 });
    assert.ok(answer.count > 20);
    assert.equal(answer.totals.length, 20);
    const priced = answer.totals.filter((total) => total !== null);
    assert.deepEqual(
      priced,
      priced.toSorted((one, other) => one - other),
    );
    assert.ok([...answer.amenities.values()].every((count) => count > 0 && count <= answer.count));
    assert.equal(index.fullQuestion({ ...stay, checkIn: TODAY - 2, checkOut: TODAY + 2 }).count, 0);
    assert.equal(noonOf(TODAY) % 86_400_000, 43_200_000);
    assert.ok((await index.rollOver()) >= 0);
    assert.equal(
      index.fullQuestion({ ...stay, checkIn: TODAY, checkOut: TODAY + 3 }).count,
      0,
      'a day has passed',
    );
  });
});

describe('the time of questions', () => {
  it('is the quickest of each, in order of their size', () => {
    const asked: number[] = [];
    const { medianUs, p99Us } = timeQuestions([1, 2, 3], (question) => asked.push(question), {
      passes: 2,
      maxMs: 10_000,
      warmUpMs: 0,
      others: [4, 5],
    });
    assert.deepEqual(asked, [4, 1, 2, 3, 1, 2, 3], 'another one was asked before');
    assert.ok(medianUs > 0 && p99Us >= medianUs);
  });

  it('begins with others, from the first again until it is over', () => {
    const asked = inTurn([1, 2], Number.POSITIVE_INFINITY);
    assert.deepEqual([...asked.take(5)], [1, 2, 1, 2, 1]);
    assert.deepEqual([...inTurn([1, 2], 0)], [1]);
    assert.deepEqual([...inTurn([], Number.POSITIVE_INFINITY)], []);
  });

  it('ends when there is no more of it, but not before a dozen questions', () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
    };
    timeQuestions(Array.from({ length: 50 }), ask, { passes: 3, maxMs: -1, warmUpMs: 0, others: [] });
    assert.equal(asked, 12);
  });
});
