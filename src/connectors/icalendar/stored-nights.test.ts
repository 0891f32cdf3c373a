import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { turnsDuring } from '../../../test/support/event-loop-turns.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import {
  createStoredNights,
  doubtfulLoss,
  packNights,
  type StoredFeed,
  unpackNights,
} from './stored-nights.ts';

function disk() {
  const documents = new Map<string, OwnedBytes>();
  const stored = (name: string) => ({
    read: async () => documents.get(name),
    async save(document: OwnedBytes) {
      documents.set(name, document);
    },
  });
  return { documents, stored };
}

const idOf = (at: number, digit = '0') => digit + at.toString(16).padStart(31, '0');

const feedOf = (...days: readonly number[]): StoredFeed => ({
  nights: Int32Array.from(days),
  doubtedSince: null,
});

async function unpacked(document: Uint8Array): Promise<[string, StoredFeed][]> {
  const entries: [string, StoredFeed][] = [];
  await unpackNights(document, (id, feed) => entries.push([id, feed]));
  return entries;
}

const anyNights = fc
  .array(fc.tuple(fc.integer({ min: -1000, max: 100_000 }), fc.integer({ min: -1000, max: 100_000 })), {
    maxLength: 20,
  })
  .map((ranges) => Int32Array.from(ranges.flat()));
const anyId = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const anyInstant = fc.integer({ min: 1, max: 10 ** 13 });
const anyFeed = fc.record(
  { nights: anyNights, doubtedSince: fc.option(anyInstant) },
  { noNullPrototype: true },
);
const anySlot = fc
  .array(fc.tuple(anyId, anyFeed), { maxLength: 20 })
  .map((entries) => new Map<string, StoredFeed>(entries));

describe('packed nights', () => {
  it('are unpacked as they were, wherever the document begins in its memory', async () => {
    await fc.assert(
      fc.asyncProperty(anySlot, fc.integer({ min: 0, max: 7 }), async (slot, offset) => {
        const document = await packNights(slot);
        const moved = new Uint8Array(document.length + offset).subarray(offset);
        moved.set(document);
        assert.deepEqual(await unpacked(moved), [...slot]);
      }),
    );
  });

  it('of a damaged document are those before the damage, and never an error', async () => {
    await fc.assert(
      fc.asyncProperty(anySlot, fc.nat(), async (slot, cut) => {
        const document = await packNights(slot);
        const entries = await unpacked(document.slice(0, cut % (document.length + 1)));
        assert.deepEqual(entries, [...slot].slice(0, entries.length));
      }),
    );
    await fc.assert(fc.asyncProperty(fc.uint8Array(), async (bytes) => void (await unpacked(bytes))));
    for (const days of [-2, 3, 1_000_000]) {
      const document = await packNights(new Map([[idOf(1), feedOf(1, 2)]]));
      new Int32Array(document.buffer)[8] = days;
      assert.deepEqual(await unpacked(document), []);
    }
  });
});

describe('stored nights', () => {
  it('of an earlier release are passed over, and replaced', async () => {
    const { documents, stored } = disk();
    documents.set('feed-0', new TextEncoder().encode(`{"${idOf(1)}":[20000,20002]}`));
    const nights = createStoredNights({ stored, clock: createFakeClock(0) });
    assert.equal(await nights.of(idOf(1)), undefined);
    nights.set(idOf(2), feedOf(5, 7));
    await nights.close();
    const again = createStoredNights({ stored, clock: createFakeClock(0) });
    assert.deepEqual([await again.of(idOf(1)), await again.of(idOf(2))], [undefined, feedOf(5, 7)]);
  });

  it('that are forgotten are forgotten on disk', async () => {
    const { documents, stored } = disk();
    const clock = createFakeClock(0);
    const nights = createStoredNights({ stored, clock });
    for (const at of [1, 2, 3]) nights.set(idOf(at, 'f'), feedOf(at, at + 1));
    nights.forget(idOf(1, 'f'));
    await nights.retain(new Set([idOf(3, 'f')]));
    await clock.advance(10_000);
    assert.deepEqual([...documents.keys()], ['feed-f']);
    assert.deepEqual(await unpacked(documents.get('feed-f') ?? new Uint8Array()), [
      [idOf(3, 'f'), feedOf(3, 4)],
    ]);
  });

  for (const { feeds, ranges, turns } of [
    { feeds: 200, ranges: 5000, turns: { writing: 10, loading: 10, forgetting: 0 } },
    { feeds: 100_000, ranges: 10, turns: { writing: 70, loading: 60, forgetting: 20 } },
  ]) {
    it(`of ${feeds} feeds in one document hold no turn for long`, async () => {
      const { stored } = disk();
      const written = createStoredNights({ stored, clock: createFakeClock(0) });
      const days = Int32Array.from({ length: 2 * ranges }, (_, at) => 20_000 + at);
      for (let at = 0; at < feeds; at += 1) written.set(idOf(at), { nights: days, doubtedSince: null });
      const read = createStoredNights({ stored, clock: createFakeClock(0) });
      const taken = {
        writing: await turnsDuring(() => written.close()),
        loading: await turnsDuring(() => read.of(idOf(0))),
        forgetting: await turnsDuring(() => read.retain(new Set())),
      };
      assert.equal(await read.of(idOf(0)), undefined);
      for (const work of ['writing', 'loading', 'forgetting'] as const) {
        assert.ok(taken[work] >= turns[work], `${work} took ${taken[work]} turns`);
      }
    });
  }
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
