import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Candidate } from '../availability/availability-index.ts';
import { plausibilityIn } from './implausible-totals.ts';
import { createPriceMemory, type PriceMemory } from './price-memory.ts';

const stay = { nights: 2, guests: 2, currency: 'EUR' };

function candidate(property: string, indicativeTotal: number | null, place = 'lisbon-pt'): Candidate {
  return { property, brand: property.split(':')[0] ?? '', place, indicativeTotal };
}

/** Five quotes of the brand. */
function street(brand: string, total: number, indicative: number | null = total, place = 'lisbon-pt') {
  return Array.from({ length: 5 }, (_, at) => ({
    candidate: candidate(`${brand}:street${at}`, indicative, place),
    total,
  }));
}

function memoryOf(...streets: readonly ReturnType<typeof street>[]): PriceMemory {
  const memory = createPriceMemory();
  for (const quotes of streets) {
    memory.learn(
      quotes[0]?.candidate.brand ?? '',
      stay,
      quotes.map(({ candidate: one, total }) => ({ ...one, total })),
    );
  }
  return memory;
}

const judge = (one: Candidate, total: number, { learned } = memoryOf(), given = street('none', 1).slice(5)) =>
  plausibilityIn({ stay, learned })(given)(one, total);

describe('a total is implausible', () => {
  it('below a tenth of its calendar and of what its place costs', () => {
    const memory = memoryOf(street('fair', 20_000));
    assert.equal(judge(candidate('odd:1', 30_000), 1999, memory), true);
    assert.equal(judge(candidate('odd:1', 30_000), 2001, memory), false);
    assert.equal(judge(candidate('odd:1', 10_000), 1001, memory), false, 'its calendar is the lower one');
  });

  it('below a tenth of its calendar and of its own last quote, also where nobody else is', () => {
    const memory = memoryOf(street('odd', 20_000));
    assert.equal(judge(candidate('odd:street0', 20_000), 1900, memory), true);
    assert.equal(judge(candidate('odd:street0', 20_000), 2000, memory), false);
  });

  it('above a thousand times what three other brands ask in the search: it could be a number to call', () => {
    const given = ['fair', 'dear', 'mild'].flatMap((brand) => street(brand, 15_000));
    const odd = candidate('odd:1', 912_345_678_00);
    assert.equal(judge(odd, 912_345_678_00, undefined, given), true);
    assert.equal(judge(odd, 15_000_000, undefined, given), false);
    assert.equal(judge(odd, 912_345_678_00, undefined, given.slice(5)), false, 'two could be those that lie');
  });

  it('below a hundredth of what three other brands ask, whatever its calendar says', () => {
    const two = memoryOf(street('fair', 80_000), street('dear', 90_000));
    const dear = memoryOf(street('fair', 80_000), street('dear', 90_000), street('mild', 130_000));
    for (const indicative of [null, 150]) {
      assert.equal(judge(candidate('lie:1', indicative), 799, two), false, 'two could be those that lie');
      assert.equal(judge(candidate('lie:1', indicative), 799, dear), true);
      assert.equal(judge(candidate('lie:1', indicative), 801, dear), false);
    }
    assert.equal(judge(candidate('lie:1', null, 'porto-pt'), 799, dear), false, 'another place');
  });

  it('when no home could be let for it', () => {
    assert.equal(judge(candidate('lie:1', null), 19), true);
    assert.equal(judge(candidate('lie:1', 2), 2), true);
    assert.equal(judge(candidate('lie:1', null), 20), false);
  });

  it('below a fifth of the median of what three other brands ask in this search, one home of each is enough', () => {
    const one = (brand: string, total: number) => street(brand, total).slice(4);
    const others = [...one('fair', 80_000), ...one('dear', 90_000), ...one('mild', 100_000)];
    const lie = candidate('lie:street0', null);
    const itself = street('lie', 16_000);
    const judgeAmong = (total: number, given: ReturnType<typeof street>, memory = memoryOf()) =>
      judge(lie, total, memory, [...itself, ...given]);
    assert.equal(judgeAmong(15_999, others), true);
    assert.equal(
      judgeAmong(16_000, others),
      false,
      'the lowest of three is the one that all of them bear out',
    );
    assert.equal(judgeAmong(15_999, others.slice(1)), false, 'two could be those that lie');
    assert.equal(judgeAmong(17_999, [...others, ...one('more', 100_000)]), true, 'three of four agree');
    assert.equal(judgeAmong(15_999, [...others, ...one('hostel', 20_000)]), true);
    const cheap = [...one('hostel', 20_000), ...one('cabin', 20_000), ...one('tent', 20_000)];
    assert.equal(judgeAmong(10_000, [...others, ...cheap]), false, 'half of the others are near');
    const alsoCheap = [...others, ...street('mild', 100_000), ...one('mild', 20_000)];
    assert.equal(
      judgeAmong(15_999, alsoCheap),
      false,
      'dear homes of a brand with cheap ones are no evidence',
    );
    const ownRecord = memoryOf(street('lie', 16_000));
    assert.equal(judgeAmong(15_999, others, ownRecord), true, 'its own record does not help it');
    assert.equal(judge(candidate('lie:1', null, 'porto-pt'), 15_999, memoryOf(), others), false, 'elsewhere');
    assert.equal(judge(candidate('fair:street4', null), 80_000, memoryOf(), others), false);
  });
});

describe('a total is believed', () => {
  it('below a fifth of what three other brands were quoted at for other dates and parties', () => {
    const august = memoryOf(street('fair', 80_000), street('dear', 90_000), street('mild', 130_000));
    assert.equal(judge(candidate('late:1', null), 8000, august), false);
    const november = [...street('fair', 8000), ...street('dear', 9000), ...street('mild', 13_000)];
    for (const { candidate: one, total } of november) {
      assert.equal(judge(one, total, august, november), false, one.property);
    }
  });

  it('when one or two rivals ask absurd prices, whether or not it publishes any', () => {
    const absurd = memoryOf(street('evil', 200_000_000), street('evil2', 200_000_000));
    for (const indicative of [null, 20_000]) {
      assert.equal(judge(candidate('honest:1', indicative), 20_000, absurd), false);
    }
  });

  it('without evidence, however low', () => {
    assert.equal(judge(candidate('new:1', 1_000_000), 200), false);
    assert.equal(judge(candidate('new:1', null), 200), false);
    const few = memoryOf(street('fair', 20_000).slice(1));
    assert.equal(judge(candidate('new:1', 20_000), 200, few), false, 'four quotes do not tell');
  });

  it('for every honest cheap home: within a fifth of its calendar, a fiftieth of the place without one', () => {
    const price = fc.integer({ min: 100, max: 10_000_000 });
    const honest = (total: number) => Math.max(20, Math.ceil(total));
    fc.assert(
      fc.property(
        price,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        price,
        fc.boolean(),
        (calendar, share, rival, isAlone) => {
          const memory = isAlone ? memoryOf() : memoryOf(street('rival', rival));
          assert.equal(judge(candidate('fair:1', calendar), honest(calendar * share), memory), false);
          const given = street('rival', rival);
          assert.equal(judge(candidate('fair:1', calendar), honest(calendar * share), memory, given), false);
          assert.equal(judge(candidate('fair:1', null), honest(rival / 50), memory, given), false);
        },
      ),
    );
  });
});
