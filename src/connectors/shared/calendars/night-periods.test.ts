import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  calendarOfPeriods,
  joinPeriods,
  type NightPeriod,
  packPeriods,
  periodAt,
  periodsWithin,
  unpackPeriods,
} from './night-periods.ts';

const anyPeriod: fc.Arbitrary<NightPeriod> = fc
  .record({
    from: fc.integer({ min: 100, max: 140 }),
    to: fc.integer({ min: 1, max: 9 }),
    available: fc.boolean(),
    minimumStay: fc.constantFrom(1, 2, 28, 70_000),
    maximumStay: fc.constantFrom(0, 3, 1125),
    closedToArrival: fc.boolean(),
    closedToDeparture: fc.boolean(),
    price: fc.constantFrom(Number.NaN, 0, 1, 12_345, 2 ** 40),
  })
  .map((period) => ({ ...period, to: period.from + period.to }));

/** Night by night, the plain way. */
function nightsOf(periods: readonly NightPeriod[]): Map<number, NightPeriod> | undefined {
  const nights = new Map<number, NightPeriod>();
  for (const period of periods) {
    for (let night = period.from; night < period.to; night += 1) {
      if (nights.has(night)) return undefined;
      nights.set(night, period);
    }
  }
  return nights;
}

describe('the periods of a home', () => {
  it('say of each night what the plain list says, in whatever order and parts they came', () => {
    let joinedOnes = 0;
    fc.assert(
      fc.property(fc.array(anyPeriod, { maxLength: 5 }), fc.nat(5), (periods, cut) => {
        const joined = joinPeriods([packPeriods(periods.slice(0, cut)), packPeriods(periods.slice(cut))]);
        const nights = nightsOf(periods);
        assert.equal(joined === undefined, nights === undefined);
        if (!joined || !nights) return;
        joinedOnes += 1;
        for (let day = 95; day < 155; day += 1) assert.deepEqual(periodAt(joined, day), nights.get(day));
        const calendar = calendarOfPeriods(joined, { from: 103, nights: 30 });
        for (let at = 0; at < 30; at += 1) {
          const night: NightPeriod | undefined = nights.get(103 + at);
          assert.equal(calendar.available[at], night?.available && night.price > 0 ? 1 : 0);
          assert.equal(calendar.minimumStay[at], Math.min(night?.minimumStay ?? 1, 65_535));
          assert.equal(calendar.maximumStay[at], night?.maximumStay === 3 ? 3 : 0);
          assert.equal(calendar.closedToArrival[at], night?.closedToArrival ? 1 : 0);
          assert.equal(calendar.closedToDeparture[at], night?.closedToDeparture ? 1 : 0);
          assert.equal(calendar.price[at], Math.min(night?.price || 0, 2 ** 32 - 1));
        }
      }),
    );
    assert.ok(joinedOnes > 10);
  });

  it('are found by the nights that they hold', () => {
    fc.assert(
      fc.property(
        fc.array(anyPeriod, { maxLength: 4 }),
        fc.integer({ min: 98, max: 150 }),
        fc.integer({ min: 1, max: 12 }),
        (periods, from, nights) => {
          const joined = joinPeriods([packPeriods(periods)]);
          if (!joined) return;
          const expected = periods.filter((period) => period.from < from + nights && period.to > from);
          assert.deepEqual(
            periodsWithin(joined, from, from + nights),
            expected.toSorted((one, other) => one.from - other.from),
          );
        },
      ),
    );
  });

  it('keep what they were given', () => {
    fc.assert(
      fc.property(fc.array(anyPeriod), (periods) => {
        assert.deepEqual(unpackPeriods(packPeriods(periods)), periods);
      }),
    );
  });
});
