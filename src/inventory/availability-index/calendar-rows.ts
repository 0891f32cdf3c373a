import type { Day } from '../../stay/day.ts';
import { type Calendar, emptyCalendar } from '../calendar.ts';
import type { Arena } from './arena.ts';
import { type ArrivalDays, arrivalDaysOf, NEVER } from './arrival-days.ts';
import type { RefusedNights } from './availability-index.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  HEAD_RING_DAYS,
  HEAD_RING_START,
  LADDER_PLANE_COUNT,
  LADDER_PLANES,
  LATEST_EPOCH,
  LIST_ENTRIES,
  NO_MAX,
  RULE_BYTES,
  RULE_CLOSED,
  RULE_MAX,
  RULE_MIN,
  TILE_ARRIVALS,
  TILE_CLOSED_DEPARTURES,
  TILE_FREE,
  TILE_HORIZON,
  TILE_LATEST,
  TILE_MAXES,
  TILE_MINS,
  TILE_PLANE_BYTES,
  TILE_RULES,
} from './kernel/layout.ts';
import type { Ladders } from './ladders.ts';
import { packPrices } from './packed-prices.ts';
import type { PriceBlocks } from './price-blocks.ts';
import type { ArrivalRule, StayRules } from './stay-rules.ts';
import type { RowPlace, Tiles } from './tiles.ts';

/** Calendars as rows of calendar planes. */
export type CalendarRows = {
  write(place: RowPlace, calendar: Calendar, rules: StayRules, leadDays: number): void;
  /**
   * Finds the days of arrival again, for the horizon of the tile and without stays that contain all nights of a refused one.
   */
  refreshArrivals(place: RowPlace, leadDays: number, refused: readonly RefusedNights[]): void;
};

/** Bits of the words from which planes are written; the code of a rule is in the others. */
const FREE_BIT = 0;
const ARRIVAL_BIT = 1;
const CLOSED_DEPARTURE_BIT = 2;
const CODE_BIT = 3;

/** The column of latest arrivals has 16 bits. */
const MIN_LATEST = -32_768;
const MAX_LATEST = 32_767;

export function createCalendarRows({
  arena,
  kernel,
  tiles,
  ladders,
  prices,
}: {
  readonly arena: Arena;
  readonly kernel: Kernel;
  readonly tiles: Tiles;
  readonly ladders: Ladders;
  readonly prices: PriceBlocks;
}): CalendarRows {
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const days = word(HEAD_RING_DAYS);
  /** A word for each day of the ring, to write planes from. */
  const source = arena.allocateScratch(days * 2);

  function ringStart(): Day {
    return arena.i32[HEAD_RING_START >>> 2] ?? 0;
  }

  /** The code in the tile of each of the rules. */
  function codesOf(tile: number, { rules, usualMinimum, usualMaximum }: StayRules): readonly number[] {
    const wordsOf = ({ minimumStay, maximumStay, isClosed }: ArrivalRule) => [
      isClosed ? 1 : 0,
      minimumStay === usualMinimum ? 0 : minimumStay,
      maximumStay === usualMaximum ? 0 : maximumStay || NO_MAX,
    ];
    // A new rule moves the codes of others, so all of them are there before the codes are read.
    for (const rule of rules) ladders.ruleCode(tile, wordsOf(rule));
    return rules.map((rule) => ladders.ruleCode(tile, wordsOf(rule)));
  }

  function writePlanes(place: RowPlace, planes: readonly (readonly [plane: number, bit: number])[]): void {
    const bytes = word(place.tile + TILE_PLANE_BYTES);
    for (const [plane, bit] of planes) kernel.writePlane(plane, bytes, place.row, source, bit);
  }

  function writeLatest({ tile, row }: RowPlace, { last }: ArrivalDays, leadDays: number): void {
    const latest = last === NEVER ? MIN_LATEST : last - leadDays - LATEST_EPOCH;
    const column = (word(tile + TILE_LATEST) >>> 1) + row;
    arena.u16[column] = Math.max(MIN_LATEST, Math.min(MAX_LATEST, latest));
  }

  return {
    write(place, calendar, rules, leadDays) {
      const { tile } = place;
      const { firstDay, available, closedToDeparture } = calendar;
      ladders.writeRung(place, TILE_MINS, rules.usualMinimum);
      ladders.writeRung(place, TILE_MAXES, -(rules.usualMaximum || NO_MAX));
      const codes = rules.arePlain ? [] : codesOf(tile, rules);
      const arrivals = arrivalDaysOf(calendar, arena.i32[(tile + TILE_HORIZON) >>> 2] ?? 0);
      if (word(tile + TILE_CLOSED_DEPARTURES) === 0 && rules.hasClosedDepartures) {
        const plane = arena.allocate(word(tile + TILE_PLANE_BYTES) * days);
        arena.u32[(tile + TILE_CLOSED_DEPARTURES) >>> 2] = plane;
      }
      const words = arena.u16.subarray(source >>> 1, (source >>> 1) + days).fill(0);
      const until = Math.min(available.length, ringStart() + days - firstDay);
      for (let night = Math.max(0, ringStart() - firstDay); night < until; night++) {
        words[(firstDay + night) % days] =
          ((available[night] === 1 ? 1 : 0) << FREE_BIT) |
          ((arrivals.flags[night] ?? 0) << ARRIVAL_BIT) |
          ((closedToDeparture[night] === 1 ? 1 : 0) << CLOSED_DEPARTURE_BIT) |
          ((codes[rules.ruleOf[night] ?? 0] ?? 0) << CODE_BIT);
      }
      const closed = word(tile + TILE_CLOSED_DEPARTURES);
      const ladder = tile + TILE_RULES;
      writePlanes(place, [
        [word(tile + TILE_FREE), FREE_BIT],
        [word(tile + TILE_ARRIVALS), ARRIVAL_BIT],
        ...(closed === 0 ? [] : [[closed, CLOSED_DEPARTURE_BIT] as const]),
        ...Array.from(
          { length: word(ladder + LADDER_PLANE_COUNT) },
          (_, bit) => [word(ladder + LADDER_PLANES + bit * 4), CODE_BIT + bit] as const,
        ),
      ]);
      prices.write(place, packPrices(calendar, { start: ringStart(), days }));
      writeLatest(place, arrivals, leadDays);
    },
    refreshArrivals(place, leadDays, refused) {
      const horizon = arena.i32[(place.tile + TILE_HORIZON) >>> 2] ?? 0;
      const arrivals = arrivalDaysOf(read(place), horizon, refused);
      const words = arena.u16.subarray(source >>> 1, (source >>> 1) + days);
      for (let night = 0; night < days; night++)
        words[(ringStart() + night) % days] = arrivals.flags[night] ?? 0;
      writePlanes(place, [[word(place.tile + TILE_ARRIVALS), 0]]);
      writeLatest(place, arrivals, leadDays);
    },
  };

  /** The rules and free nights of a row, without its prices. */
  function read(place: RowPlace): Calendar {
    const { tile, row } = place;
    const bytes = word(tile + TILE_PLANE_BYTES);
    const start = ringStart();
    const calendar = emptyCalendar(start, days);
    const { available, minimumStay, maximumStay, closedToArrival, closedToDeparture } = calendar;
    const ladder = tile + TILE_RULES;
    const closed = word(tile + TILE_CLOSED_DEPARTURES);
    const usualMin = ladders.valueAt(place, TILE_MINS);
    const usualMax = -ladders.valueAt(place, TILE_MAXES);
    const planes = Array.from({ length: word(ladder + LADDER_PLANE_COUNT) }, (_, bit) =>
      word(ladder + LADDER_PLANES + bit * 4),
    );
    for (let night = 0; night < days; night++) {
      const offset = ((start + night) % days) * bytes;
      available[night] = tiles.hasBit(word(tile + TILE_FREE) + offset, row) ? 1 : 0;
      if (closed !== 0) closedToDeparture[night] = tiles.hasBit(closed + offset, row) ? 1 : 0;
      let code = 0;
      for (const [bit, plane] of planes.entries()) if (tiles.hasBit(plane + offset, row)) code |= 1 << bit;
      const rule = word(ladder + LIST_ENTRIES) + code * RULE_BYTES;
      closedToArrival[night] = word(rule + RULE_CLOSED);
      minimumStay[night] = word(rule + RULE_MIN) || usualMin;
      const max = word(rule + RULE_MAX) || usualMax;
      maximumStay[night] = max === NO_MAX ? 0 : max;
    }
    return calendar;
  }
}
