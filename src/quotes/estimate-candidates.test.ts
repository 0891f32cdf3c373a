import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Candidate } from '../availability/availability-index.ts';
import { estimateCandidates } from './estimate-candidates.ts';
import { createPriceMemory } from './price-memory.ts';

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

  it('as any other where nothing is known at all, and never as free', () => {
    const all = Object.values(estimates([silent, candidate('b:1', null)]));
    assert.deepEqual(all, [1, 1]);
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

  it('is not when some of its calendars are lures', () => {
    assert.deepEqual(predictable([...known('a', 100, 100, 4), ...known('a', 1, 90_000, 5)]), [false]);
  });

  it('lists its candidates by estimate, equal ones by id', () => {
    const all = [candidate('a:3', 5), candidate('a:2', 9), candidate('a:1', 9), candidate('a:0', null)];
    const [brand] = estimateCandidates({ candidates: all, stay, learned: afterQuotes([]) });
    assert.deepEqual(
      brand?.candidates.map(({ candidate: { property } }) => property),
      ['a:3', 'a:0', 'a:1', 'a:2'],
    );
  });
});
