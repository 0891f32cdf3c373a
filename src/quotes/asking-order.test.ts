import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import type { Candidate } from '../availability/availability-index.ts';
import {
  type BrandCandidates,
  estimateCandidates,
  fairAskingOrder,
  maxQuestionsPerBrand,
} from './asking-order.ts';
import { createPriceMemory } from './price-memory.ts';

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

const stay = { nights: 2, guests: 2, currency: 'EUR' };

function candidate(property: string, indicativeTotal: number | null, place = 'lisbon-pt'): Candidate {
  return { property, brand: property.split(':')[0] ?? '', place, indicativeTotal };
}

/** The brand has quoted these totals for homes with these indicative ones. */
function afterQuotes(quotes: readonly (readonly [Candidate, number])[], guests = 2) {
  const { learned, learn } = createPriceMemory();
  for (const [brand, given] of Map.groupBy(quotes, ([{ brand }]) => brand)) {
    learn(
      brand,
      { ...stay, guests },
      given.map(([one, total]) => ({ ...one, total })),
    );
  }
  return learned;
}

function estimates(candidates: readonly Candidate[], learned = afterQuotes([])) {
  const brands = estimateCandidates({ candidates, stay, learned });
  return Object.fromEntries(
    brands.flatMap(({ candidates: of }) =>
      of.map(({ candidate: { property }, estimate }) => [property, Math.round(estimate)]),
    ),
  );
}

const known = (brand: string, indicative: number, total: number, count = 8) =>
  Array.from({ length: count }, (_, at) => [candidate(`${brand}:known${at}`, indicative), total] as const);

describe('an estimate', () => {
  it('is the indicative total while nothing was learned', () => {
    assert.deepEqual(estimates([candidate('a:1', 300), candidate('b:1', 200)]), { 'a:1': 300, 'b:1': 200 });
  });

  it('is what the brand really charges, once it has quoted', () => {
    const learned = afterQuotes([...known('lure', 2, 180_000), ...known('fair', 20_000, 22_000)]);
    assert.deepEqual(estimates([candidate('lure:1', 2), candidate('fair:1', 20_000)], learned), {
      'lure:1': 180_000,
      'fair:1': 22_000,
    });
  });
});

it('is not what a larger party was quoted, for a home with or without prices', () => {
  const [priced, silent] = [candidate('a:1', 200), candidate('a:silent', null)];
  const forSix = afterQuotes([...known('a', 200, 900), [priced, 900], [silent, 900]], 6);
  assert.deepEqual(estimates([priced, silent], forSix), { 'a:1': 200, 'a:silent': 900 });
  const { learned, learn } = createPriceMemory();
  learn('a', stay, [
    { ...silent, total: 100 },
    { ...priced, total: 200 },
  ]);
  learn('a', { ...stay, guests: 6 }, [
    { ...priced, total: 900 },
    { ...silent, total: 900 },
  ]);
  assert.deepEqual(estimates([priced, silent], learned), { 'a:1': 200, 'a:silent': 100 });
});

it('is not what a home was quoted for another length, with a fee that weighs more or less in it', () => {
  const { learned, learn } = createPriceMemory();
  const homes = [400, 420, 440, 460].map((nightly, at) => ({
    ...candidate(`a:${at}`, nightly * 3),
    nightly,
  }));
  const fee = 800;
  for (const [nights, of] of [
    [3, homes],
    [1, homes.slice(0, 2)],
    [2, homes.slice(0, 1)],
  ] as const) {
    const quoted = of.map(({ nightly, ...one }) => ({ ...one, indicativeTotal: nightly * nights }));
    for (let search = 0; search < 9; search += 1) {
      learn(
        'a',
        { ...stay, nights },
        quoted.map((one) => ({ ...one, total: one.indicativeTotal + fee })),
      );
    }
  }
  const [brand] = estimateCandidates({ candidates: homes, stay: { ...stay, nights: 3 }, learned });
  assert.deepEqual(
    brand?.candidates.map((one) => one.candidate.property),
    ['a:0', 'a:1', 'a:2', 'a:3'],
  );
});

it('is moved little by what a home was quoted once on a dear date', () => {
  const { learned, learn } = createPriceMemory();
  const homes = [candidate('a:cheap', 100), candidate('a:other', 140)];
  const silent = [candidate('b:cheap', null), candidate('b:other', null)];
  const totals = { 'a:cheap': 100, 'a:other': 140, 'b:cheap': 110, 'b:other': 150 };
  const learnAt = (level: number, quoted: readonly Candidate[]) => {
    for (const [brand, ofBrand] of Map.groupBy(quoted, (one) => one.brand)) {
      const total = ({ property }: Candidate) => level * (totals[property as keyof typeof totals] ?? 0);
      learn(
        brand,
        stay,
        ofBrand.map((one) => ({ ...one, total: total(one) })),
      );
    }
  };
  for (let search = 0; search < 9; search += 1) learnAt(1, [...homes, ...silent]);
  learnAt(1.5, [...homes.slice(0, 1), ...silent.slice(0, 1)]);
  assert.deepEqual(estimates([...homes, ...silent], learned), { ...totals, 'b:cheap': 136 });
});

describe('a home without prices counts as', () => {
  const silent = candidate('a:silent', null);

  it('its own quote', () => {
    const learned = afterQuotes([...known('a', 100, 100), [silent, 7000]]);
    assert.equal(estimates([silent, candidate('a:1', 100)], learned)['a:silent'], 7000);
  });

  it('what its brand was quoted at in that place', () => {
    const quoted = [candidate('a:other', null), 9000] as const;
    assert.equal(estimates([silent, candidate('b:1', 100)], afterQuotes([quoted]))['a:silent'], 9000);
  });

  it('the brand’s other homes there, then the place, then the whole search', () => {
    const [lisbon, porto] = [candidate('b:1', 500), candidate('b:2', 900, 'porto-pt')];
    const own = candidate('a:1', 300);
    assert.equal(estimates([silent, own, lisbon, porto])['a:silent'], 300);
    assert.equal(estimates([silent, lisbon, porto])['a:silent'], 500);
    assert.equal(estimates([silent, porto])['a:silent'], 900);
    const learned = afterQuotes([[candidate('c:1', 10), 640]]);
    assert.equal(estimates([silent, porto], learned)['a:silent'], 640, 'others’ quotes in the place');
  });
});

describe('a brand', () => {
  const predictable = (quotes: readonly (readonly [Candidate, number])[]) =>
    estimateCandidates({ candidates: [candidate('a:1', 100)], stay, learned: afterQuotes(quotes) }).map(
      ({ isPredictable }) => isPredictable,
    );

  it('is predictable when its quotes have kept to its calendars, at whatever ratio', () => {
    assert.deepEqual(predictable(known('a', 1, 90_000)), [true]);
    assert.deepEqual(predictable([]), [false]);
    assert.deepEqual(predictable(known('a', 100, 100, 7)), [false], 'too few');
  });
});
