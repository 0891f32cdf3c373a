import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { candidatesWanted, fairAskingOrder, maxQuestionsPerBrand } from './asking-order.ts';
import type { BrandCandidates } from './estimate-candidates.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

function brandOf(brand: string, estimates: readonly number[], isPredictable = false): BrandCandidates {
  const candidates = estimates
    .toSorted((a, b) => a - b)
    .map((estimate, at) => ({
      candidate: { property: `${brand}:${at}`, brand, place: 'lisbon-pt', indicativeTotal: estimate },
      estimate,
    }));
  return { brand, candidates, isPredictable };
}

function firstOf(brands: readonly BrandCandidates[], questions: number, mostOfBrand = NO_LIMIT): string[] {
  const { next } = fairAskingOrder(brands, mostOfBrand);
  const asked: string[] = [];
  for (let turn = next(); turn && asked.length < questions; turn = next())
    asked.push(turn.candidate.property);
  return asked;
}

const count = (asked: readonly string[], brand: string) =>
  asked.filter((id) => id.startsWith(`${brand}:`)).length;

test('brands take turns, each with its cheapest first, whatever the others publish', () => {
  const asked = firstOf([brandOf('free', [0, 0, 0, 0]), brandOf('honest', [900, 700, 800])], 6);
  assert.deepEqual(asked, ['free:0', 'honest:0', 'free:1', 'honest:1', 'free:2', 'honest:2']);
});

test('a brand that refused is next again, until it has had all the questions that it can get', () => {
  const { next, giveTurnBack } = fairAskingOrder([brandOf('a', [1, 1, 1, 1]), brandOf('b', [1, 1, 1])], 3);
  const asked: (string | undefined)[] = [next()?.candidate.property, next()?.candidate.property];
  giveTurnBack('b');
  asked.push(next()?.candidate.property);
  giveTurnBack('b');
  asked.push(next()?.candidate.property);
  giveTurnBack('b');
  asked.push(next()?.candidate.property);
  assert.deepEqual(asked, ['a:0', 'b:0', 'b:1', 'b:2', 'a:1']);
});

test('what a brand does not use goes to the others', () => {
  const asked = firstOf([brandOf('small', [5]), brandOf('large', [1, 2, 3, 4, 5, 6])], 6);
  assert.deepEqual([count(asked, 'small'), count(asked, 'large')], [1, 5]);
});

test('more brands than questions: the cheapest of as many brands as can be asked', () => {
  const brands = [30, 10, 40, 20].map((price) => brandOf(`b${price}`, [price, price]));
  assert.deepEqual(firstOf(brands, 3), ['b10:0', 'b20:0', 'b30:0']);
});

test('a brand whose quotes bore its calendars out gets every second question for its lower prices', () => {
  const low = Array.from({ length: 20 }, (_, at) => 100 + at);
  const high = low.map((price) => price * 9);
  const asked = firstOf([brandOf('low', low, true), brandOf('high', high, true)], 12);
  assert.deepEqual([count(asked, 'low'), count(asked, 'high')], [9, 3]);
});

test('a brand that refuses everything is asked a few times its share, never for all it has', () => {
  const limits = { maxOptions: 20, maxQuotes: 60 };
  assert.equal(maxQuestionsPerBrand({ brands: 1, ...limits }), 180);
  assert.equal(maxQuestionsPerBrand({ brands: 40, ...limits }), 60, 'it can still fill the result alone');
  assert.equal(firstOf([brandOf('full', Array(1000).fill(1))], 1000, 180).length, 180);
});

const brands = fc
  .uniqueArray(
    fc.record({
      brand: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      estimates: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 25 }),
      isPredictable: fc.boolean(),
    }),
    { minLength: 1, selector: ({ brand }) => brand },
  )
  .map((all) => all.map(({ brand, estimates, isPredictable }) => brandOf(brand, estimates, isPredictable)));

/** One question after the other, by trying all candidates that are left. */
function plainOrder(all: readonly BrandCandidates[], mostOfBrand: number): string[] {
  const asked: { readonly property: string; readonly brand: string }[] = [];
  const turns: string[] = [];
  const turnsOf = (brand: string) => turns.filter((one) => one === brand).length;
  const askedOf = (brand: string) => asked.filter((one) => one.brand === brand).length;
  const left = () =>
    all
      .flatMap(({ brand, candidates, isPredictable }) =>
        candidates.map(({ candidate, estimate }, at) => ({
          ...candidate,
          brand,
          estimate,
          at,
          isPredictable,
        })),
      )
      .filter(({ brand, at }) => at === askedOf(brand) && at < mostOfBrand)
      .sort((a, b) => a.estimate - b.estimate || (a.brand < b.brand ? -1 : 1));
  for (let open = left(); open.length > 0; open = left()) {
    const fewest = Math.min(...open.map(({ brand }) => turnsOf(brand)));
    const cheapest =
      fewest > 0 && asked.length % 2 === 1 ? open.find(({ isPredictable }) => isPredictable) : undefined;
    const next = cheapest ?? open.find(({ brand }) => turnsOf(brand) === fewest);
    if (next && !cheapest) turns.push(next.brand);
    if (next) asked.push(next);
  }
  return asked.map(({ property }) => property);
}

test('the order is the plain one', () => {
  fc.assert(
    fc.property(brands, fc.integer({ min: 1, max: 30 }), (all, mostOfBrand) => {
      assert.deepEqual(firstOf(all, NO_LIMIT, mostOfBrand), plainOrder(all, mostOfBrand));
    }),
  );
});

test('after any number of questions every brand has its floor: half a share, and a whole one where nobody is predictable', () => {
  fc.assert(
    fc.property(brands, fc.integer({ min: 1, max: 60 }), (all, questions) => {
      const asked = firstOf(all, questions);
      assert.equal(asked.length, Math.min(questions, all.flatMap(({ candidates }) => candidates).length));
      assert.equal(new Set(asked).size, asked.length);
      const isEqual = all.every(({ isPredictable }) => !isPredictable);
      const floor = Math.floor(asked.length / all.length / (isEqual ? 1 : 2));
      for (const { brand, candidates } of all) {
        assert.ok(count(asked, brand) >= Math.min(candidates.length, floor), brand);
        if (questions >= all.length) assert.ok(asked.includes(`${brand}:0`), 'its cheapest');
      }
    }),
  );
});

test('enough candidates are wanted for every question, and of each brand for its share of them', () => {
  const { cheapest, cheapestOfBrand } = candidatesWanted({ maxOptions: 20, maxQuotes: 60 });
  assert.equal(cheapest, 180);
  assert.deepEqual([1, 7, 400].map(cheapestOfBrand), [180, 27, 3]);
});
