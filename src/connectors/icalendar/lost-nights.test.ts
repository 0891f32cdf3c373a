import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { doubtfulLoss } from './lost-nights.ts';

const TODAY = 20_000;

/** Ranges relative to today: `[3, 5]` takes the nights 3 and 4 days from now. */
const nights = (...ranges: readonly (readonly [number, number])[]) =>
  Int32Array.from(ranges.flat(), (day) => TODAY + day);

describe('the nights that a feed has lost', () => {
  it('are doubtful when none is left, or most are gone and one cancellation does not explain it', () => {
    const season = [[10, 60]] as const;
    for (const [what, before, after, expected] of [
      [
        'all of several bookings',
        [
          [1, 4],
          [7, 9],
        ],
        [],
        '5 of 5',
      ],
      ['the only booking', [[3, 6]], [], '3 of 3'],
      ['all but what is over', [[-5, 2]], [[-5, 0]], '2 of 2'],
      [
        'two of three bookings',
        [
          [1, 4],
          [7, 9],
          [20, 22],
        ],
        [[7, 9]],
        '5 of 7',
      ],
      ['most of a season', season, [[10, 20]], '40 of 50'],
      [
        'all, and others came',
        [
          [1, 4],
          [7, 9],
        ],
        [[30, 33]],
        '5 of 5',
      ],
      ['nothing', [[1, 4]], [[1, 4]], null],
      ['nothing, and it was empty', [], [], null],
      [
        'nothing, and others came',
        [[1, 4]],
        [
          [0, 5],
          [9, 10],
        ],
        null,
      ],
      [
        'one of two bookings, the longer one',
        [
          [1, 8],
          [20, 22],
        ],
        [[20, 22]],
        null,
      ],
      ['the only booking, which was moved', [[3, 6]], [[13, 16]], null],
      [
        'half of its bookings',
        [
          [1, 3],
          [5, 7],
          [9, 11],
          [13, 15],
        ],
        [
          [1, 3],
          [9, 11],
        ],
        null,
      ],
      ['only what is over', [[-5, 0]], [], null],
      ['only what lies beyond the horizon', [[540, 900]], [], null],
    ] as const) {
      const loss = doubtfulLoss(nights(...before), nights(...after), TODAY);
      assert.equal(loss && `${loss.lost} of ${loss.of}`, expected, what);
    }
  });

  it('are counted as by a set of nights', () => {
    const anyNights = fc
      .uniqueArray(fc.integer({ min: -5, max: 60 }), { maxLength: 40 })
      .map((days) => days.sort((one, other) => one - other))
      .map((days) =>
        days.reduce<[number, number][]>((ranges, day) => {
          const last = ranges.at(-1);
          if (last && last[1] === day) last[1] = day + 1;
          else ranges.push([day, day + 1]);
          return ranges;
        }, []),
      );
    const setOf = (ranges: readonly (readonly [number, number])[]) =>
      new Set(
        ranges
          .flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at))
          .filter((day) => day >= 0),
      );
    fc.assert(
      fc.property(anyNights, anyNights, (before, after) => {
        const [ahead, left] = [setOf(before), setOf(after)];
        const lost = new Set([...ahead].filter((day) => !left.has(day)));
        const stretches = [...lost].filter((day) => !lost.has(day - 1)).length;
        const isDoubtful =
          lost.size > 0 &&
          (left.size === 0 || (lost.size * 2 > ahead.size && (stretches > 1 || lost.size > 28)));
        assert.deepEqual(
          doubtfulLoss(nights(...before), nights(...after), TODAY),
          isDoubtful ? { lost: lost.size, of: ahead.size } : null,
        );
      }),
    );
  });
});
