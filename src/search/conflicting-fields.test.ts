import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchStage, stagedSession } from '../../test/support/search-stage.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import type { Payload, SearchField } from '../contract/payload-fields.ts';
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

test('the dates are one decision: all of them are named before two other answers', () => {
  const session = stagedSession({ source: null });
  const dates: Payload = {
    check_in_month: '2027-03',
    check_in_day: '2027-03-05',
    check_out: '2027-03-08',
  };
  const given: Payload = { destination: 'porto-pt', ...dates, guests: '4' };
  const clashes: readonly Clash[] = [
    ['destination', 'check_in_month'],
    ['destination', 'check_in_day'],
    ['destination', 'check_out'],
  ];
  const byDates = conflictsWith('destination', 'porto-pt', {
    session,
    payload: given,
    facts: factsWith(clashes),
  });
  assert.deepEqual(byDates?.fields, ['check_in_month', 'check_in_day', 'check_out']);
  const alsoByTwo: readonly Clash[] = [
    ['brand_locked', 'check_in_month', 'guests'],
    ['brand_locked', 'check_in_day', 'destination'],
    ['brand_locked', 'check_out', 'destination'],
  ];
  const either = { session: stagedSession(), payload: given, facts: factsWith(alsoByTwo) };
  // Without destination and guests it would fit too, but those are two decisions.
  assert.deepEqual(conflictsWith('brand_locked', true, either)?.fields, [
    'check_in_month',
    'check_in_day',
    'check_out',
  ]);
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

test('the set is the best of all that are enough, as a plain recursion finds it', () => {
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

/** How readily an answer is given up, first to last. */
const READILY: readonly SearchField[] = [
  'amenities',
  'check_out',
  'check_in_day',
  'check_in_month',
  'guests',
  'destination',
  'brand_locked',
];
const DATES: readonly SearchField[] = ['check_in_month', 'check_in_day', 'check_out'];

/**
 * Plain recursion over all sets: those with fewer decisions first, then with fewer answers, and of those the set whose
 * answers are given up most readily. Named in the order of the fields.
 */
function firstThatSuffices(
  items: readonly SearchField[],
  fits: (left: readonly SearchField[]) => boolean,
): readonly SearchField[] | undefined {
  const sets = items.flatMap((_, position) => setsOf(items, position + 1));
  const enough = sets.filter((removed) => fits(items.filter((item) => !removed.includes(item))));
  const [best, ...others] = enough;
  return best && others.reduce((one, other) => (isBetter(other, one) ? other : one), best);
}

function isBetter(one: readonly SearchField[], other: readonly SearchField[]): boolean {
  if (decisionsIn(one) !== decisionsIn(other)) return decisionsIn(one) < decisionsIn(other);
  if (one.length !== other.length) return one.length < other.length;
  // Of two sets of a size, the one with the most readily given answer that the other has not.
  const differing = READILY.find((field) => one.includes(field) !== other.includes(field));
  return differing !== undefined && one.includes(differing);
}

function decisionsIn(fields: readonly SearchField[]): number {
  const others = fields.filter((field) => !DATES.includes(field));
  return others.length + (others.length < fields.length ? 1 : 0);
}

function setsOf(items: readonly SearchField[], size: number): readonly SearchField[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, position) =>
    setsOf(items.slice(position + 1), size - 1).map((rest) => [item, ...rest]),
  );
}
