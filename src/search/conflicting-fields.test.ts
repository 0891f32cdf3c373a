import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchStage, stagedSession } from '../../test/support/search-stage.ts';
import type { Payload, SearchField } from '../contract/payload-fields.ts';
import type { StayCriteria } from '../inventory/stay-criteria.ts';
import { amenityConflictsWith, conflictsWith } from './conflicting-fields.ts';

const FIELDS = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
] as const;
const STAY: Payload = {
  brand_locked: true,
  destination: 'porto-pt',
  check_in_month: '2027-03',
  check_in_day: '2027-03-05',
  check_out: '2027-03-08',
  guests: '4',
};

test('the one answer that stands in the way is named', () => {
  const { facts } = searchStage();
  const session = stagedSession();
  const inPorto = { session, payload: { destination: 'porto-pt', guests: '2' }, facts };
  assert.deepEqual(conflictsWith('guests', '5', inPorto), {
    code: 'conflicts_with',
    fields: ['destination'],
  });
  assert.deepEqual(conflictsWith('brand_locked', true, { ...inPorto, payload: { guests: '6' } }), {
    code: 'conflicts_with',
    fields: ['guests'],
  });
});

test('several are named when no single one is enough', () => {
  const { facts } = searchStage();
  const situation = { session: stagedSession(), payload: { brand_locked: true, guests: '4' }, facts };
  assert.deepEqual(conflictsWith('destination', 'lisbon-pt', situation), {
    code: 'conflicts_with',
    fields: ['brand_locked'],
  });
  const five = { ...situation, payload: { brand_locked: true, destination: 'porto-pt' } };
  assert.deepEqual(conflictsWith('guests', '6', five), {
    code: 'conflicts_with',
    fields: ['brand_locked', 'destination'],
  });
});

test('a value that has no match even alone is at odds with nothing', () => {
  const situation = { session: stagedSession(), payload: STAY, facts: searchStage().facts };
  assert.equal(conflictsWith('destination', 'santa-cruz-1', situation), undefined);
  assert.equal(amenityConflictsWith('helipad', situation), undefined);
});

test('an amenity can be at odds with the filters that are on', () => {
  const session = stagedSession({ amenities: ['wifi'] });
  const situation = { session, payload: { destination: 'portugal' }, facts: searchStage().facts };
  assert.deepEqual(amenityConflictsWith('hot_tub', situation), {
    code: 'conflicts_with',
    fields: ['amenities'],
  });
  assert.deepEqual(amenityConflictsWith('hot_tub', { ...situation, payload: STAY }), {
    code: 'conflicts_with',
    fields: ['brand_locked', 'destination', 'amenities'],
  });
});

/** A set of answers that cannot all be given together. */
type Clash = readonly SearchField[];

const clashes = fc.array(fc.subarray([...FIELDS, 'amenities' as const], { minLength: 1 }), {
  minLength: 1,
  maxLength: 6,
});

test('the set is the one that a plain recursion finds first: it is enough, and none before it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FIELDS), fc.subarray([...FIELDS]), clashes, (field, received, all) => {
      const payload = Object.fromEntries(
        Object.entries(STAY).filter(([name]) => received.some((one) => one === name)),
      );
      const fits = (answers: readonly SearchField[]) => hasNoClash(all, answers);
      const others = received.filter((one) => one !== field);
      fc.pre(!fits([...others, field]));
      const expected = firstThatSuffices(others, (left) => fits([...left, field]));
      const reason = conflictsWith(field, STAY[field] ?? '', {
        session: stagedSession(),
        payload,
        facts: factsWith(all),
      });
      assert.deepEqual(reason?.fields, expected);
    }),
    { numRuns: 500 },
  );
});

test('so is that of an amenity, for which the filters are one more answer', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.subarray([...FIELDS]), clashes, (hasFilters, received, all) => {
      const payload = Object.fromEntries(
        Object.entries(STAY).filter(([name]) => received.some((one) => one === name)),
      );
      const others: SearchField[] = hasFilters ? [...received, 'amenities'] : received;
      const fits = (answers: readonly SearchField[]) => hasNoClash(all, answers);
      fc.pre(!fits(others));
      const session = stagedSession({ amenities: hasFilters ? ['wifi'] : [] });
      const reason = amenityConflictsWith('pool', { session, payload, facts: factsWith(all) });
      assert.deepEqual(reason?.fields, firstThatSuffices(others, fits));
    }),
    { numRuns: 500 },
  );
});

/** Facts in which criteria match unless they contain a clash. */
function factsWith(all: readonly Clash[]) {
  const { facts } = searchStage([]);
  const hasMatch = (criteria: StayCriteria) => hasNoClash(all, answersIn(criteria));
  return { ...facts, index: { ...facts.index, hasMatch } };
}

function answersIn(criteria: StayCriteria): readonly SearchField[] {
  const given: Record<SearchField, boolean> = {
    brand_locked: criteria.brand !== null,
    destination: criteria.place !== null,
    check_in_month: criteria.checkInMonth !== null,
    check_in_day: criteria.checkIn !== null,
    check_out: criteria.checkOut !== null,
    guests: criteria.guests !== null,
    amenities: criteria.amenities.includes('wifi'),
  };
  return [...FIELDS, 'amenities' as const].filter((field) => given[field]);
}

function hasNoClash(all: readonly Clash[], answers: readonly SearchField[]): boolean {
  return !all.some((clash) => clash.every((field) => answers.includes(field)));
}

/** Plain recursion over all sets, smaller ones first, and of equal size those with earlier fields. */
function firstThatSuffices(
  items: readonly SearchField[],
  fits: (left: readonly SearchField[]) => boolean,
): readonly SearchField[] | undefined {
  return items
    .flatMap((_, position) => setsOf(items, position + 1))
    .find((removed) => fits(items.filter((item) => !removed.includes(item))));
}

function setsOf(items: readonly SearchField[], size: number): readonly SearchField[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, position) =>
    setsOf(items.slice(position + 1), size - 1).map((rest) => [item, ...rest]),
  );
}
