import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WantedMatches } from '../../src/availability/availability-index.ts';
import { dependenciesOf, openIndex } from '../../src/availability/snapshot/open-index.ts';
import { writeSnapshot } from '../../src/availability/snapshot/snapshot.ts';
import { createAvailabilityIndex, RING_DAYS } from '../../src/availability/tiled-index.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import { ANY_STAY, type CompleteCriteria, type StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import { monthOf } from '../../src/stay/day.ts';
import type { MinorUnits } from '../../src/stay/money.ts';
import { createSnapshotFile } from '../../src/storage/sqlite/snapshot-file.ts';
import { type BenchHome, type BenchInventory, noonOf } from '../inventory/bench-inventory.ts';

/** The full question: how many homes match, what the cheapest cost, and how many have each amenity. */
export type FullAnswer = {
  readonly count: number;
  /** Of the cheapest, in rising order; null for those without a price, which come last. */
  readonly totals: readonly (MinorUnits | null)[];
  /** Amenity → how many of the matching homes have it; those that none has are left out. */
  readonly amenities: ReadonlyMap<string, number>;
};

export const CHEAPEST = 20;

/** The questions of a guided search, by what their answer offers. Each returns how much it offers, so that nothing is skipped. */
export const STEPS = [
  'destinations',
  'months',
  'days',
  'check-outs',
  'guests',
  'has match',
  'obstacle',
] as const;
export type Step = (typeof STEPS)[number];

/** The index as the benchmark asks it: the only file of the benchmark that knows its port. */
export type AskedIndex = {
  load(homes: Iterable<BenchHome>): void;
  replace(home: BenchHome): void;
  fullQuestion(criteria: CompleteCriteria): FullAnswer;
  step(name: Step, criteria: StayCriteria): number;
  /** Lets a night pass. Returns for how long it held the thread at most. */
  rollOver(): Promise<number>;
  /** Memory that Node does not count: of WebAssembly, and shared memory that can grow. */
  uncountedBytes(): number;
  /** In a folder. Says how long it is. */
  writeSnapshot(directory: string): Promise<number>;
  /** Into another index, which is thrown away. */
  readSnapshot(directory: string): Promise<void>;
};

const MS_PER_DAY = 86_400_000;
const ANY_ROOM = async () => Number.POSITIVE_INFINITY;
const UNPRICED = Number.POSITIVE_INFINITY;

export function createAskedIndex({ network, today }: Pick<BenchInventory, 'network' | 'today'>): AskedIndex {
  let now = noonOf(today);
  const index = createAvailabilityIndex(network, { now });
  const steps: Record<Step, (criteria: StayCriteria) => number> = {
    destinations: (criteria) => index.destinations(criteria, now).length,
    months: (criteria) => index.checkInMonths(criteria, now).length,
    days: (criteria) => index.checkInDays(criteria, now).length,
    'check-outs': (criteria) => index.checkOutDays(criteria, now).length,
    guests: (criteria) => index.largestParty(criteria, now),
    'has match': (criteria) => (index.hasMatch(criteria, now) ? 1 : 0),
    obstacle: (criteria) => (index.obstacle(criteria, now) === null ? 0 : 1),
  };
  return {
    load(homes) {
      for (const { home, calendar } of homes) index.put(home, calendar);
    },
    replace: ({ home, calendar }) => index.put(home, calendar),
    fullQuestion(criteria) {
      const ask = (cheapestOfBrand: WantedMatches['cheapestOfBrand']) =>
        index.matches(criteria, now, { cheapest: CHEAPEST, cheapestOfBrand, without: [] });
      let found = ask(null);
      // Homes without prices come last, where those with prices are too few.
      if (found.candidates.length < Math.min(CHEAPEST, found.total)) found = ask(() => CHEAPEST);
      const totals = found.candidates.map(({ indicativeTotal }) => indicativeTotal ?? UNPRICED);
      return {
        count: found.total,
        totals: totals
          .sort((one, other) => one - other)
          .slice(0, CHEAPEST)
          .map((total) => (total === UNPRICED ? null : total)),
        amenities: new Map(found.amenities.map(({ amenity, properties }) => [amenity, properties])),
      };
    },
    step: (name, criteria) => steps[name](criteria),
    async rollOver() {
      now += MS_PER_DAY;
      const pauses: number[] = [];
      function time<Value>(work: () => Value): Value {
        const startedAt = performance.now();
        const value = work();
        pauses.push(performance.now() - startedAt);
        return value;
      }
      // The first questions come before any home follows the date; then all homes do, some with every turn of the event loop.
      const lastMonth = monthOf(today + 1 + HORIZON_NIGHTS);
      for (const checkInMonth of [null, lastMonth])
        for (const name of STEPS) time(() => steps[name]({ ...ANY_STAY, checkInMonth }));
      while (time(() => index.followDate(now))) await nextTurn();
      return Math.max(...pauses);
    },
    uncountedBytes: () => index.usedBytes,
    writeSnapshot: (directory) =>
      writeSnapshot(index, {
        file: createSnapshotFile(directory, ANY_ROOM),
        dependsOn: dependenciesOf(network, RING_DAYS),
        signal: new AbortController().signal,
      }),
    async readSnapshot(directory) {
      const read = await openIndex(network, {
        file: createSnapshotFile(directory, ANY_ROOM),
        clock: { now: () => now, elapsed: () => performance.now() },
        observe: { read: () => undefined, refused: assert.fail },
      });
      assert.equal(read.index.propertyCount, index.propertyCount);
    },
  };
}
