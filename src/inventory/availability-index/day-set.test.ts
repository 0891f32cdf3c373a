import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { DaySet } from './day-set.ts';
import {
  addDay,
  addDaysBetween,
  addDaysFlagged,
  createDaySet,
  daysIn,
  deleteDay,
  hasDay,
  nextDayIn,
  nextDayOutside,
} from './day-set.ts';

const someDay = fc.integer({ min: -70, max: 140 });

/** Sets of all lengths and alignments to the words of 32 days, also before 1970. */
const someSet: fc.Arbitrary<DaySet> = fc
  .tuple(someDay, fc.array(fc.constantFrom(0, 1), { maxLength: 100, size: 'max' }))
  .map(([from, flags]) => {
    const set = createDaySet(from, from + flags.length);
    addDaysFlagged(set, Uint8Array.from(flags), 1);
    return set;
  });

describe('a set of days', () => {
  it('has the days that were flagged, in order, and no others', () => {
    fc.assert(
      fc.property(
        someDay,
        fc.array(fc.constantFrom(0, 1), { maxLength: 100, size: 'max' }),
        (from, flags) => {
          const set = createDaySet(from, from + flags.length);
          addDaysFlagged(set, Uint8Array.from(flags), 0);
          const expected = flags.flatMap((flag, position) => (flag === 0 ? [from + position] : []));
          assert.deepEqual(daysIn(set), expected);
          for (let day = from - 40; day < from + flags.length + 40; day++) {
            assert.equal(hasDay(set, day), expected.includes(day));
          }
        },
      ),
    );
  });

  it('does not have days far outside its bounds', () => {
    const set = createDaySet(0, 64);
    addDaysFlagged(set, new Uint8Array(64), 0);
    for (const day of [2 ** 32, 2 ** 32 + 5, -(2 ** 32), Number.NaN]) assert.equal(hasDay(set, day), false);
  });

  it('adds and deletes single days', () => {
    const set = createDaySet(-3, 70);
    for (const day of [-3, 31, 32, 69]) addDay(set, day);
    deleteDay(set, 31);
    deleteDay(set, 40);
    assert.deepEqual(daysIn(set), [-3, 32, 69]);
  });

  it('adds the days of another set between two days, and counts those that are new', () => {
    fc.assert(
      fc.property(someSet, someSet, someDay, someDay, (target, source, from, until) => {
        const before = daysIn(target);
        const news = daysIn(source).filter(
          (day) =>
            day >= Math.max(from, target.from) &&
            day < Math.min(until, target.until) &&
            !before.includes(day),
        );
        assert.equal(addDaysBetween(target, source, from, until), news.length);
        assert.deepEqual(
          daysIn(target),
          [...before, ...news].sort((one, other) => one - other),
        );
      }),
    );
  });

  it('finds the next day that is in it, or that is not', () => {
    fc.assert(
      fc.property(someSet, someDay, (set, day) => {
        const start = Math.max(day, set.from);
        const rest = Array.from(
          { length: Math.max(0, set.until - start) },
          (_, position) => start + position,
        );
        assert.equal(nextDayIn(set, day), rest.find((each) => hasDay(set, each)) ?? set.until);
        assert.equal(nextDayOutside(set, day), rest.find((each) => !hasDay(set, each)) ?? set.until);
      }),
    );
  });
});
