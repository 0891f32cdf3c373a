import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { OwnedBytes, StoredDocument } from '../../parsing/owned-memory.ts';
import { createStoredNights, doubtfulLoss } from './stored-nights.ts';

describe('stored nights', () => {
  it('are read again after a restart, but not from a document that is damaged or in another format', async () => {
    const saved = new Map<string, OwnedBytes>();
    const stored = (name: string): StoredDocument => ({
      read: async () => saved.get(name),
      save: async (document) => void saved.set(name, document),
    });
    const ids = ['00', '01', '41'].map((start) => start.padEnd(32, 'a'));
    const [first = '', second = '', third = ''] = ids;
    const open = () => createStoredNights({ stored, clock: createFakeClock(0) });
    const nights = open();
    for (const [at, id] of ids.entries()) {
      nights.set(id, { nights: Int32Array.of(20_000 + at, 20_003), doubtedSince: at === 0 ? null : 7 });
    }
    await nights.close();
    assert.deepEqual([...saved.keys()], ['feed-0', 'feed-1']);
    assert.deepEqual(await open().of(third), { nights: Int32Array.of(20_002, 20_003), doubtedSince: 7 });
    for (const damaged of ['nights/3\0\0', '[[1, null, []], ["id", null, [1, 2]], 7]', '{}', '']) {
      saved.set('feed-1', new TextEncoder().encode(damaged));
      const again = open();
      assert.deepEqual([await again.of(second), await again.of(third)], [undefined, undefined], damaged);
      assert.deepEqual((await again.of(first))?.nights, Int32Array.of(20_000, 20_003), damaged);
    }
  });
});

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
