import type { Calendar } from '../catalogue/calendar.ts';
import type { Arena } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  HEAD_RING_DAYS,
  HEAD_RING_START,
  LIST_COUNT,
  NO_MAX,
  TILE_CLOSED_DEPARTURES,
  TILE_MAXES,
  TILE_MINS,
  TILE_PLANE_BYTES,
  TILE_RULES,
  WORD_CLOSED_DEPARTURE,
  WORD_CODE,
  WORD_FREE,
} from './kernel/layout.ts';
import type { Ladders } from './ladders.ts';
import { createPricePacker } from './packed-prices.ts';
import type { PriceBlocks } from './price-blocks.ts';
import type { StayRules } from './stay-rules.ts';
import { MAX_RULES_OF_TILE, type RowPlace } from './tiles.ts';

/** Calendars as rows of calendar planes. The lead days of a home, and what was withdrawn of it, are written before. */
export type CalendarRows = {
  /** Whether the tile has room for those of the rules that it does not have yet. */
  hasRoom(tile: number, rules: StayRules): boolean;
  write(place: RowPlace, calendar: Calendar, rules: StayRules): void;
  /** Finds the days of arrival again, for the horizon of the tile and without stays that contain all nights of a withdrawn one. */
  refreshArrivals(place: RowPlace): void;
};

export function createCalendarRows({
  arena,
  kernel,
  ladders,
  prices,
}: {
  readonly arena: Arena;
  readonly kernel: Kernel;
  readonly ladders: Ladders;
  readonly prices: PriceBlocks;
}): CalendarRows {
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const days = word(HEAD_RING_DAYS);
  /** A word for each day of the ring, to write planes from. */
  const source = arena.allocateScratch(days * 2);

  const packPrices = createPricePacker(arena, kernel);

  function wordsOf({ rules, usualMinimum, usualMaximum }: StayRules): readonly RuleWords[] {
    return rules.map(({ minimumStay, maximumStay, isClosed }) => [
      isClosed ? 1 : 0,
      minimumStay === usualMinimum ? 0 : minimumStay,
      maximumStay === usualMaximum ? 0 : maximumStay || NO_MAX,
    ]);
  }

  /** The code in the tile of each of the rules, as bits of a word. */
  function codesOf(tile: number, rules: StayRules): readonly number[] {
    const words = wordsOf(rules);
    // A new rule moves the codes behind it, so all of them are there before the codes are read, and the first come first.
    for (const rule of words.toSorted(inOrder)) ladders.ruleCode(tile, rule);
    return words.map((rule) => ladders.ruleCode(tile, rule) << WORD_CODE);
  }

  function writeWords(
    { firstDay, available, closedToDeparture }: Calendar,
    ruleOf: Uint16Array,
    codes: readonly number[],
  ): void {
    const start = arena.i32[HEAD_RING_START >>> 2] ?? 0;
    const words = arena.u16.subarray(source >>> 1, (source >>> 1) + days).fill(0);
    const first = Math.max(0, start - firstDay);
    const until = Math.min(available.length, start + days - firstDay);
    let day = (firstDay + first) % days;
    for (let night = first; night < until; night++) {
      const isFree = available[night] === 1 ? 1 << WORD_FREE : 0;
      const isClosed = closedToDeparture[night] === 1 ? 1 << WORD_CLOSED_DEPARTURE : 0;
      words[day] = isFree | isClosed | (codes[ruleOf[night] ?? 0] ?? 0);
      day = day + 1 === days ? 0 : day + 1;
    }
  }

  return {
    hasRoom(tile, rules) {
      const room = MAX_RULES_OF_TILE - word(tile + TILE_RULES + LIST_COUNT);
      if (rules.arePlain || rules.rules.length <= room) return true;
      let missing = 0;
      return wordsOf(rules).every((rule) => {
        if (!ladders.hasRule(tile, rule)) missing += 1;
        return missing <= room;
      });
    },
    write(place, calendar, rules) {
      const { tile, row } = place;
      ladders.writeRung(place, TILE_MINS, rules.usualMinimum);
      ladders.writeRung(place, TILE_MAXES, -(rules.usualMaximum || NO_MAX));
      const codes = rules.arePlain ? [] : codesOf(tile, rules);
      if (word(tile + TILE_CLOSED_DEPARTURES) === 0 && rules.hasClosedDepartures) {
        const plane = arena.allocate(word(tile + TILE_PLANE_BYTES) * days);
        arena.u32[(tile + TILE_CLOSED_DEPARTURES) >>> 2] = plane;
      }
      prices.write(place, packPrices(calendar));
      writeWords(calendar, rules.ruleOf, codes);
      kernel.writeRow(tile, row, source);
    },
    refreshArrivals: ({ tile, row }) => kernel.refreshArrivals(tile, row, source),
  };
}

/** Of an entry of the rules' ladder. */
type RuleWords = readonly [closed: number, minimum: number, maximum: number];

function inOrder(one: RuleWords, other: RuleWords): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
