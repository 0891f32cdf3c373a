import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type NightPeriod, unpackPeriods } from '../../../connectors/shared/calendars/night-periods.ts';
import { type CalendarNight, createNightsByHome } from './calendar.ts';

const anyNight: fc.Arbitrary<CalendarNight> = fc.record({
  day: fc.oneof(fc.integer({ min: 1000, max: 1030 }), fc.integer({ min: 700, max: 2100 })),
  available: fc.boolean(),
  minimumStay: fc.constantFrom(1, 1, 28, 100_000),
  maximumStay: fc.constantFrom(0, 0, 1125, 2_147_483_647),
  price: fc.constantFrom(Number.NaN, 7000, 7000, 123_456_789_012),
});

/** What the columns keep of a night. */
const kept = ({ day, available, minimumStay, maximumStay, price }: CalendarNight) => ({
  day,
  available,
  minimumStay: Math.min(minimumStay, 65_535),
  maximumStay: maximumStay > 65_535 ? 0 : maximumStay,
  price,
});

const nightsOf = (periods: readonly NightPeriod[]) =>
  periods.flatMap(({ from, to, available, minimumStay, maximumStay, price }) =>
    Array.from({ length: to - from }, (_, index) => ({
      day: from + index,
      available,
      minimumStay,
      maximumStay,
      price,
    })),
  );

describe('the nights of the homes of a city', () => {
  it('are those of the rows, in whatever order these come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b'), anyNight)),
        fc.integer({ min: -9, max: 9 }),
        (rows, shift) => {
          const nights = createNightsByHome();
          const expected = { a: new Map<number, CalendarNight>(), b: new Map<number, CalendarNight>() };
          for (const [home, night] of rows) {
            const outcome = nights.add(home as 'a' | 'b', night);
            const known = expected[home as 'a' | 'b'];
            const days = [...known.keys(), night.day];
            const isTooFar = Math.max(...days) - Math.min(...days) >= 1100;
            assert.equal(outcome, isTooFar ? 'too_far' : known.has(night.day) ? 'twice' : 'added');
            if (outcome === 'added') known.set(night.day, kept(night));
          }
          for (const [home, known] of Object.entries(expected)) {
            const inOrder = [...known.values()].sort((one, other) => one.day - other.day);
            const periods = nights.periodsOf(home, shift);
            assert.deepEqual(
              periods ? nightsOf(unpackPeriods(periods)) : [],
              inOrder.map((night) => ({ ...night, day: night.day + shift })),
            );
          }
          const days = [...expected.a.keys(), ...expected.b.keys()];
          assert.equal(nights.firstDay(), days.length > 0 ? Math.min(...days) : undefined);
        },
      ),
    );
  });

  it('are one period while they are alike', () => {
    const nights = createNightsByHome();
    const night = { available: true, minimumStay: 2, maximumStay: 30, price: 5000 };
    for (const day of [12, 10, 11]) nights.add('a', { day, ...night });
    for (const [day, change] of [
      [13, { price: 5001 }],
      [14, { price: Number.NaN }],
      [15, { price: Number.NaN }],
      [16, { available: false }],
      [17, { minimumStay: 3 }],
      [18, { maximumStay: 3 }],
      [20, { maximumStay: 3 }],
    ] as const) {
      nights.add('a', { day, ...night, ...change });
    }
    const periods = nights.periodsOf('a', 100);
    assert.deepEqual(periods && unpackPeriods(periods).map(({ from, to }) => [from, to]), [
      [110, 113],
      [113, 114],
      [114, 116],
      [116, 117],
      [117, 118],
      [118, 119],
      [120, 121],
    ]);
  });
});
