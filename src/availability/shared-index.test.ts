import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { applyChange, propertyLike, randomWorld, SOME_DAY } from '../../test/support/random-world.ts';
import { createWorldIndex, WORLD_INDEX } from '../../test/support/world-index.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { answersOf, availabilityIndexContract } from './availability-index.contract.ts';
import type { AvailabilityWriter } from './availability-index.ts';
import {
  createMemoryLock,
  createShareableIndex,
  lockWords,
  openSharedIndex,
  releaseThread,
} from './shared-index.ts';
import { createAvailabilityIndex } from './tiled-index.ts';

const MS_PER_DAY = 86_400_000;
const MIN_NIGHTS = 3;

/** What one thread writes, and what others read of it. */
function shared(network: Network, readers: number) {
  const index = createWorldIndex(network);
  const { index: written, share } = createShareableIndex(index, readers + 1);
  const { put, holds, homes, remove, removeAll, hideBrand, withdraw, followDate, daysLost, rewind } = written;
  return {
    index,
    written,
    readers: Array.from({ length: readers }, (_, reader) => ({
      ...openSharedIndex(network, share(reader + 1), SOME_DAY * MS_PER_DAY),
      put,
      holds,
      homes,
      remove,
      removeAll,
      hideBrand,
      withdraw,
      followDate,
      daysLost,
      rewind,
      get propertyCount() {
        return written.propertyCount;
      },
    })),
  };
}

/** Each has tiles of its own. */
const CITIES = Array.from({ length: 50 }, (_, number) => `city-${number}`);

/** An index with homes in half of the cities, and whether its memory says that questions at a moment write nothing. */
function manyTiles() {
  const city = { aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency: 'EUR' } as const;
  const network = { brands: new Map(), places: new Map(CITIES.map((id) => [id, { ...city, id, name: id }])) };
  const { index, written, readers } = shared(network, 2);
  const onlooker = createAvailabilityIndex(network, { ...WORLD_INDEX, shared: index.arena.memory });
  for (const id of CITIES.slice(0, CITIES.length / 2)) putFreeHome(written, id);
  return {
    network,
    index,
    written,
    readers,
    saidToFollow(now: number) {
      onlooker.refresh();
      // It learns the date by this, and moves nothing.
      onlooker.revision(ANY_STAY, now);
      return onlooker.isFollowing(now);
    },
  };
}

function putFreeHome(index: AvailabilityWriter, place: string): void {
  const calendar = emptyCalendar(SOME_DAY, 560);
  calendar.available.fill(1);
  // The last arrivals of a day are none on the day before.
  calendar.minimumStay.fill(MIN_NIGHTS);
  index.put(propertyLike({ id: `a:${place}`, brand: 'a', place }), calendar);
}

describe('an index that is written by one thread and read by another', () => {
  availabilityIndexContract({
    newIndex(network) {
      const { written, readers } = shared(network, 1);
      return readers[0] ?? written;
    },
  });

  it('answers as its plain twin does while dates go forward and back, when homes are put again after days were lost', () => {
    let rewound = 0;
    const jump = fc.record({ days: fc.constantFrom(0, 0, 4, 30, 200, 600, 3650), follows: fc.boolean() });
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 40, maxChanges: 5 }),
        fc.array(jump, { minLength: 2, maxLength: 6 }),
        ({ network, changes, questions }, jumps) => {
          const { written, readers } = shared(network, 1);
          const [index, twin] = [readers[0] ?? written, createPlainAvailabilityIndex(network)];
          const putAll = () => {
            for (const change of changes) for (const one of [index, twin]) applyChange(change, one);
          };
          putAll();
          for (const [number, { days, follows }] of jumps.entries()) {
            const [criteria, date] = questions[number % questions.length] ?? [ANY_STAY, 0];
            const now = date + days * MS_PER_DAY;
            if (index.daysLost(now) > 0) {
              rewound++;
              for (const one of [index, twin]) one.rewind(now);
              assert.deepEqual([index.hasMatch(ANY_STAY, now), index.daysLost(now)], [false, 0]);
              putAll();
            }
            if (follows) while (written.followDate(now));
            // Of months that are long gone the twin does not know that they are.
            for (const asked of days > 4 ? [ANY_STAY] : [ANY_STAY, criteria])
              assert.deepEqual(answersOf(index, asked, now), answersOf(twin, asked, now));
          }
        },
      ),
      { numRuns: scaledCases(20) },
    );
    assert.ok(rewound > 0, 'no day was lost');
  });

  it('moves tiles only while nobody reads, on both sides of a midnight', () => {
    const [midnight, city] = [(SOME_DAY + 1) * MS_PER_DAY, fc.nat({ max: CITIES.length - 1 })];
    const step = fc.record({
      does: fc.constantFrom('put', 'follow', 'ask', 'ask'),
      now: fc.constantFrom(midnight - 1000, midnight),
      city,
      who: fc.nat({ max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const { index, written, readers, saidToFollow } = manyTiles();
        for (const { does, now, city: number, who } of steps) {
          const place = CITIES[number] ?? '';
          if (does === 'put') putFreeHome(written, place);
          else if (does === 'follow') written.followDate(now);
          else {
            const asked = [written, ...readers][who] ?? written;
            const [isStill, { changes }] = [saidToFollow(now), index];
            const lastArrival = asked.checkInDays({ ...ANY_STAY, place }, now).at(-1);
            const expected = index.has(`a:${place}`)
              ? Math.floor(now / MS_PER_DAY) + 540 - MIN_NIGHTS
              : undefined;
            assert.equal(lastArrival, expected);
            if (isStill) assert.equal(index.changes, changes, 'others may read meanwhile');
          }
        }
      }),
    );
  });

  it('lets all read again when tiles have followed the date, and when there is a new one', () => {
    const { written, readers, saidToFollow } = manyTiles();
    const midnight = (SOME_DAY + 1) * MS_PER_DAY;
    assert.equal(saidToFollow(midnight), false);
    while (written.followDate(midnight));
    assert.equal(saidToFollow(midnight), true);
    putFreeHome(written, CITIES.at(-1) ?? '');
    assert.equal(saidToFollow(midnight), true, 'a new tile begins with the date');
    // A question from before midnight comes late.
    readers[0]?.checkInDays({ ...ANY_STAY, place: CITIES[7] ?? '' }, midnight - 1000);
    assert.equal(saidToFollow(midnight), false);
    while (written.followDate(midnight));
    assert.equal(saidToFollow(midnight), true);
    // The one that writes may know the date of such a question, and begin a new tile with it.
    written.revision(ANY_STAY, midnight - 1000);
    putFreeHome(written, CITIES.at(-2) ?? '');
    assert.equal(saidToFollow(midnight), false);
    while (written.followDate(midnight));
    assert.equal(saidToFollow(midnight), true);
  });

  it('gives the same answers to all, whoever has asked before and whatever the date', () => {
    fc.assert(
      fc.property(randomWorld({ longestCalendar: 40, maxChanges: 10 }), ({ network, changes, questions }) => {
        const { written, readers } = shared(network, 2);
        const twin = createPlainAvailabilityIndex(network);
        for (const [number, change] of changes.entries()) {
          for (const one of [written, twin]) applyChange(change, one);
          const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, 0];
          const asked = [written, ...readers][number % 3] ?? written;
          assert.deepEqual(answersOf(asked, criteria, now), answersOf(twin, criteria, now));
        }
        for (const [criteria, now] of questions) {
          const expected = answersOf(twin, criteria, now);
          for (const asked of [...readers, written]) {
            assert.deepEqual(answersOf(asked, criteria, now), expected);
          }
        }
      }),
    );
  });

  it('asks beside other readers only what writes nothing', () => {
    const { network } = manyTiles();
    const { index, share } = createShareableIndex(createWorldIndex(network), 3);
    putFreeHome(index, CITIES[0] ?? '');
    const today = SOME_DAY * MS_PER_DAY;
    const shared = share(1);
    const reader = openSharedIndex(network, shared, today);
    while (index.followDate(today));
    createMemoryLock(shared.lock, share(2).thread).reading(() => {
      assert.equal(reader.hasMatch(ANY_STAY, today), true);
      assert.throws(() => reader.hasMatch(ANY_STAY, today + MS_PER_DAY), { message: /does not let go/ });
    });
    assert.equal(reader.hasMatch(ANY_STAY, today + MS_PER_DAY), true);
  });
});

const PROGRAM = new URL('../../test/support/locking.worker.ts', import.meta.url);
const ROUNDS = 2000;

it('lets nobody read while one writes, and only one write, over real threads', async () => {
  const threads = 4;
  const words = lockWords(threads);
  /** Two numbers that are equal unless somebody is in the middle of writing. */
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const workers = Array.from(
    { length: threads },
    (_, number) => new Worker(PROGRAM, { workerData: { words, shared, thread: number + 1, rounds: ROUNDS } }),
  );
  const torn = await Promise.all(workers.map((worker) => once(worker, 'message')));
  assert.deepEqual(torn.flat(), [0, 0, 0, 0]);
  assert.deepEqual([...shared], [threads * ROUNDS, threads * ROUNDS]);
});

it('lets go when the work throws', () => {
  const words = lockWords(2);
  const [one, other] = [createMemoryLock(words, 1), createMemoryLock(words, 2)];
  const broken = () => {
    throw new Error('broken');
  };
  assert.throws(() => one.reading(broken), { message: 'broken' });
  assert.throws(() => one.writing(broken), { message: 'broken' });
  assert.equal(
    other.writing(() => 'free'),
    'free',
  );
});

it('does not wait for ever for a thread that ended while it read, and goes on when it is released', () => {
  const words = lockWords(2);
  const [one, other] = [createMemoryLock(words, 1), createMemoryLock(words, 2)];
  other.reading(() => {
    assert.throws(() => one.writing(() => undefined), { message: /does not let go/ });
    assert.equal(releaseThread(words, 2), false);
    assert.equal(
      one.writing(() => 'written'),
      'written',
    );
  });
});

it('tells that a thread ended in the middle of writing', () => {
  const words = lockWords(2);
  createMemoryLock(words, 2).writing(() => assert.equal(releaseThread(words, 2), true));
});
