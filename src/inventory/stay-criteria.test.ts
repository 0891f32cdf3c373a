import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ANY_STAY, criteriaKey, type StayCriteria } from './stay-criteria.ts';

const TEXTS = ['', 'a', 'b', 'null', '"', ',', '","', '\\', 'a","b', '\ud800'];
const NUMBERS = [null, 0, 1, -1, 0.1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Few values that are easily mistaken for each other, so that most criteria meet one that nearly equals them. */
const criteria: fc.Arbitrary<StayCriteria> = fc.record({
  brand: fc.constantFrom(null, ...TEXTS),
  place: fc.constantFrom(null, ...TEXTS),
  checkInMonth: fc.constantFrom(...NUMBERS),
  checkIn: fc.constantFrom(...NUMBERS),
  checkOut: fc.constantFrom(...NUMBERS),
  guests: fc.constantFrom(...NUMBERS),
  amenities: fc.array(fc.constantFrom(...TEXTS), { maxLength: 3 }),
});

describe('the key of criteria', () => {
  it('differs when a single member differs', () => {
    fc.assert(
      fc.property(criteria, criteria, (one, other) => {
        for (const member of Object.keys(ANY_STAY) as (keyof StayCriteria)[]) {
          const changed = { ...one, [member]: other[member] };
          assert.equal(criteriaKey(changed) === criteriaKey(one), sameMembers(changed, one), member);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('does not let what one member says run over into the next', () => {
    fc.assert(
      fc.property(criteria, criteria, (one, other) => {
        assert.equal(criteriaKey(one) === criteriaKey(other), sameMembers(one, other));
      }),
    );
    for (const members of [
      ['checkInMonth', 'checkIn'],
      ['checkIn', 'checkOut'],
      ['checkOut', 'guests'],
    ] as const) {
      const said = (one: number, other: number) => ({ ...ANY_STAY, [members[0]]: one, [members[1]]: other });
      assert.notEqual(criteriaKey(said(1, 11)), criteriaKey(said(11, 1)), members.join());
    }
    assert.notEqual(
      criteriaKey({ ...ANY_STAY, brand: 'a","b', place: null }),
      criteriaKey({ ...ANY_STAY, brand: 'a', place: 'b' }),
    );
    assert.notEqual(
      criteriaKey({ ...ANY_STAY, amenities: ['a,b'] }),
      criteriaKey({ ...ANY_STAY, amenities: ['a', 'b'] }),
    );
  });

  it('is the same for the same members in another order', () => {
    const { amenities, ...rest } = { ...ANY_STAY, place: 'lisbon-pt', amenities: ['pool', 'wifi'] };
    assert.equal(criteriaKey({ amenities: ['wifi', 'pool'], ...rest }), criteriaKey({ ...rest, amenities }));
  });
});

function sameMembers(one: StayCriteria, other: StayCriteria): boolean {
  const sorted = (criteria: StayCriteria) => ({ ...criteria, amenities: criteria.amenities.toSorted() });
  return isDeepStrictEqual(sorted(one), sorted(other));
}
