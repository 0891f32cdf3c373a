import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { propertyLike, SOME_DAY } from '../../test/support/random-world.ts';
import { type Calendar, emptyCalendar } from '../catalogue/calendar.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { TILE_LONGEST } from './kernel/layout.ts';
import { createAvailabilityIndex, type TiledIndex } from './tiled-index.ts';
import { tilesIn } from './tiles.ts';

const CITY = {
  name: 'a',
  aliases: [],
  kind: 'city',
  parent: null,
  timeZone: 'UTC',
  currency: 'EUR',
} as const;
const NETWORK: Network = { brands: new Map(), places: new Map([['a', { ...CITY, id: 'a' }]]) };
const RING_DAYS = 560;
const MS_PER_DAY = 86_400_000;

/** Free from a night up to another, counted from the first. */
type Run = readonly [from: number, to: number];

function calendarWith(runs: readonly Run[], maximum = 0, firstDay = SOME_DAY): Calendar {
  const calendar = emptyCalendar(firstDay, 545);
  for (const [from, to] of runs) calendar.available.fill(1, from, to);
  calendar.maximumStay.fill(maximum);
  return calendar;
}

function homeNumbered(number: number) {
  return propertyLike({ id: `b:${number}`, brand: 'b', place: 'a' });
}

/** Of all tiles. */
function longestFrom(day: number, { arena }: TiledIndex): number {
  const columns = tilesIn(arena).map((tile) => (arena.u32[(tile + TILE_LONGEST) >>> 2] ?? 0) >>> 1);
  return Math.max(...columns.map((column) => arena.u16[column + (day % RING_DAYS)] ?? 0));
}

function followDate(index: TiledIndex, now: number): void {
  while (index.followDate(now));
}

describe('the longest stays of a tile', () => {
  it('are as long as its homes are free, and as their maximum stay lets them', () => {
    const index = createAvailabilityIndex(NETWORK, { now: SOME_DAY * MS_PER_DAY });
    index.put(
      homeNumbered(1),
      calendarWith([
        [0, 20],
        [30, 33],
      ]),
    );
    index.put(homeNumbered(2), calendarWith([[10, 90]], 40));
    const nights = [0, 9, 10, 19, 29, 33, 60, 89, 90].map((night) => longestFrom(SOME_DAY + night, index));
    assert.deepEqual(nights, [20, 11, 40, 40, 40, 40, 30, 1, 0]);
  });

  it('become shorter when the tile follows the date after homes were booked, and longer at once', () => {
    const index = createAvailabilityIndex(NETWORK, { now: SOME_DAY * MS_PER_DAY });
    index.put(homeNumbered(1), calendarWith([[0, 500]]));
    index.put(homeNumbered(2), calendarWith([[0, 540]], 7));
    for (let number = 3; number < 400; number++)
      index.put(homeNumbered(number), calendarWith([[number, number + 3]]));
    index.put(
      homeNumbered(1),
      calendarWith([
        [0, 100],
        [120, 140],
      ]),
    );
    const asked = () => [1, 99, 100, 130, 300, 390].map((night) => longestFrom(SOME_DAY + night, index));
    assert.deepEqual(asked(), [499, 401, 400, 370, 200, 110]);
    followDate(index, (SOME_DAY + 1) * MS_PER_DAY);
    // Home 2 is free as long; its maximum stay is not looked at again.
    assert.deepEqual(asked(), [499, 401, 400, 370, 200, 110]);
    index.put(homeNumbered(2), calendarWith([[0, 2]]));
    followDate(index, (SOME_DAY + 2) * MS_PER_DAY);
    assert.deepEqual(asked(), [99, 3, 3, 10, 3, 3]);
    index.put(homeNumbered(2), calendarWith([[90, 130]]));
    assert.deepEqual(asked(), [99, 31, 30, 10, 3, 3]);
  });

  it('let no departure be missed, whatever is written, removed and forgotten from day to day', () => {
    const run = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 130 }));
    const change = fc.record({
      home: fc.integer({ min: 0, max: 5 }),
      runs: fc.array(run, { maxLength: 4 }),
      maximum: fc.constantFrom(0, 0, 0, 5, 60),
      isRemoved: fc.boolean(),
      nightsLater: fc.integer({ min: 0, max: 9 }),
      isFollowed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const index = createAvailabilityIndex(NETWORK, { now: SOME_DAY * MS_PER_DAY });
        const twin = createPlainAvailabilityIndex(NETWORK);
        let today = SOME_DAY;
        for (const { home, runs, maximum, isRemoved, nightsLater, isFollowed } of changes) {
          today += nightsLater;
          for (const written of [index, twin]) {
            if (isRemoved) written.remove(homeNumbered(home).id);
            else
              written.put(
                homeNumbered(home),
                calendarWith(
                  runs.map(([from, nights]) => [from, from + nights] as const),
                  maximum,
                  today,
                ),
              );
          }
          if (isFollowed) followDate(index, today * MS_PER_DAY);
          for (let night = 0; night < 60; night += 7) {
            const asked = [{ ...ANY_STAY, checkIn: today + night }, today * MS_PER_DAY] as const;
            assert.deepEqual(index.checkOutDays(...asked), twin.checkOutDays(...asked));
          }
        }
      }),
    );
  });
});
