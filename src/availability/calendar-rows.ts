import { type Calendar, HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import { type Arena, createScratchBuffers } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  FOUND_RULE_BYTES,
  FOUND_RULE_NIGHTS,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  LADDER_PLANE_COUNT,
  LADDER_PLANES,
  LIST_COUNT,
  LIST_ENTRIES,
  NO_MAX,
  RULE_CLOSED,
  RULE_MAX,
  RULE_MIN,
  TILE_CLOSED_DEPARTURES,
  TILE_MAXES,
  TILE_MINS,
  TILE_PLANE_BYTES,
  TILE_RULES,
  WORD_CLOSED_DEPARTURE,
  WORD_CODE,
  WORD_FREE,
} from './kernel/layout.ts';
import type { PriceBlocks } from './price-blocks.ts';
import { createPricePacker } from './price-blocks.ts';
import { MAX_RULES_OF_TILE, type RowPlace, type Tiles } from './tiles.ts';

/** Writes calendars as rows of calendar planes. The lead days and the withdrawn stays of a home are written before. */
type CalendarRows = {
  /** Whether the tile can hold those of the rules that it does not have yet. */
  hasCapacity(tile: number, rules: StayRules): boolean;
  write(place: RowPlace, calendar: Calendar, rules: StayRules): void;
  /** Recomputes the days of arrival, for the horizon of the tile and without stays that contain all nights of a withdrawn one. */
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
  /** A word for each day of the ring, from which planes are written. */
  const source = arena.allocateScratch(days * 2);

  const packPrices = createPricePacker(arena, kernel);

  function wordsOf({ rules, usualMinimum, usualMaximum }: StayRules): readonly RuleWords[] {
    return rules.map(({ minimumStay, maximumStay, isClosed }) => [
      isClosed ? 1 : 0,
      minimumStay === usualMinimum ? 0 : minimumStay,
      maximumStay === usualMaximum ? 0 : maximumStay || NO_MAX,
    ]);
  }

  /** The code of each rule in the tile, as bits of a word. */
  function codesOf(tile: number, rules: StayRules): readonly number[] {
    const words = wordsOf(rules);
    // A new rule shifts the codes behind it, so all rules are added, in order, before any code is read.
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
    hasCapacity(tile, rules) {
      const free = MAX_RULES_OF_TILE - word(tile + TILE_RULES + LIST_COUNT);
      if (rules.arePlain || rules.rules.length <= free) return true;
      let missing = 0;
      return wordsOf(rules).every((rule) => {
        if (!ladders.hasRule(tile, rule)) missing += 1;
        return missing <= free;
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

/** The words of an entry of the rules' ladder. */
type RuleWords = readonly [closed: number, minimum: number, maximum: number];

function inOrder(one: RuleWords, other: RuleWords): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** A rule of arrival of some nights of a calendar. */
type ArrivalRule = {
  /** At least 1. */
  readonly minimumStay: number;
  /** 0 for none. */
  readonly maximumStay: number;
  readonly isClosed: boolean;
  /** Number of nights with this rule. */
  readonly nights: number;
};

/** The distinct rules of a calendar. */
export type StayRules = {
  readonly rules: readonly ArrivalRule[];
  /** The number of each night's rule. */
  readonly ruleOf: Uint16Array;
  /** The most frequent minimum stay, at least 1; on a tie the smaller one. Days outside the calendar count as having it. */
  readonly usualMinimum: number;
  /** The most frequent maximum stay; 0 for none. */
  readonly usualMaximum: number;
  readonly hasClosedDepartures: boolean;
  /** All nights have the usual stays, and every day is open. */
  readonly arePlain: boolean;
};

const BYTES_A_NIGHT = FOUND_RULE_BYTES + 2 + 2 + 2 + 1;

/** Reads the rules of calendars, one after another: `ruleOf` is valid until the next call. */
export function createStayRules(arena: Arena, kernel: Kernel): (calendar: Calendar) => StayRules {
  const buffer = createScratchBuffers(arena);

  return ({ minimumStay, maximumStay, closedToArrival, closedToDeparture }) => {
    const nights = minimumStay.length;
    // The buffer has the rules, then for each night its rule number, minimum, maximum and closed flag.
    const found = buffer('rules', Math.max(HORIZON_NIGHTS, nights) * BYTES_A_NIGHT);
    const ruleOf = found + nights * FOUND_RULE_BYTES;
    const [minimums, maximums, closed] = [ruleOf + nights * 2, ruleOf + nights * 4, ruleOf + nights * 6];
    arena.u16.set(minimumStay, minimums >>> 1);
    arena.u16.set(maximumStay, maximums >>> 1);
    arena.u8.set(closedToArrival, closed);
    const count = kernel.findRules(minimums, maximums, closed, nights, ruleOf, found);
    const words = arena.u32.subarray(found >>> 2, (found + count * FOUND_RULE_BYTES) >>> 2);
    const rules: ArrivalRule[] = [];
    for (let rule = 0; rule < words.length; rule += FOUND_RULE_BYTES >>> 2) {
      rules.push({
        minimumStay: words[rule + (RULE_MIN >>> 2)] ?? 1,
        maximumStay: words[rule + (RULE_MAX >>> 2)] ?? 0,
        isClosed: words[rule + (RULE_CLOSED >>> 2)] === 1,
        nights: words[rule + (FOUND_RULE_NIGHTS >>> 2)] ?? 0,
      });
    }
    const hasClosedDepartures = closedToDeparture.includes(1);
    const isPlain = rules.length <= 1 && !rules[0]?.isClosed;
    return {
      rules,
      ruleOf: arena.u16.subarray(ruleOf >>> 1, (ruleOf >>> 1) + nights),
      usualMinimum: mostFrequent(rules, 'minimumStay') ?? 1,
      usualMaximum: mostFrequent(rules, 'maximumStay') ?? 0,
      hasClosedDepartures,
      arePlain: isPlain && !hasClosedDepartures,
    };
  };
}

/** On a tie the smaller value. */
function mostFrequent(
  rules: readonly ArrivalRule[],
  stay: 'minimumStay' | 'maximumStay',
): number | undefined {
  if (rules.length <= 1) return rules[0]?.[stay];
  const nightsOf = new Map<number, number>();
  for (const rule of rules) nightsOf.set(rule[stay], (nightsOf.get(rule[stay]) ?? 0) + rule.nights);
  let usual: number | undefined;
  let most = 0;
  for (const [value, nights] of nightsOf) {
    if (nights < most || (nights === most && value > (usual ?? value))) continue;
    usual = value;
    most = nights;
  }
  return usual;
}

/**
 * A ladder numbers the few distinct values of the rows of a tile in their order, so that "at most" tests only a few bits of each
 * row.
 */
type Ladders = {
  /** Sets the value of a row on a ladder that is the same every day. */
  writeRung(place: RowPlace, ladder: number, value: number): void;
  /** The code of a rule for a day. A new rule increments the codes behind it. */
  ruleCode(tile: number, rule: readonly number[]): number;
  hasRule(tile: number, rule: readonly number[]): boolean;
};

export function createLadders(arena: Arena, kernel: Kernel, tiles: Tiles): Ladders {
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;

  function codeOf(tile: number, ladder: number, value: readonly number[], days: number): number {
    const count = word(ladder + LIST_COUNT);
    const { code, isKnown } = search(word(ladder + LIST_ENTRIES) >>> 2, count, value);
    if (isKnown) return code;
    const planeBytes = word(tile + TILE_PLANE_BYTES) * days;
    const planes = word(ladder + LADDER_PLANE_COUNT);
    if (count > 0 && count >= 2 ** planes) {
      const plane = days === 1 ? tiles.takePlane(tile) : arena.allocate(planeBytes);
      arena.u32[((ladder + LADDER_PLANES) >>> 2) + planes] = plane;
      arena.u32[(ladder + LADDER_PLANE_COUNT) >>> 2] = planes + 1;
    }
    if (code < count) kernel.insertRung(ladder, code, planeBytes);
    arena.append(ladder, value.length * 4);
    const at = (word(ladder + LIST_ENTRIES) >>> 2) + code * value.length;
    arena.i32.copyWithin(at + value.length, at, at + (count - code) * value.length);
    arena.i32.set(value, at);
    return code;
  }

  function search(entries: number, count: number, value: readonly number[]) {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(entries + middle * value.length, value);
      if (order === 0) return { code: middle, isKnown: true };
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return { code: low, isKnown: false };
  }

  function compare(entry: number, value: readonly number[]): number {
    for (let position = 0; position < value.length; position++) {
      const difference = (arena.i32[entry + position] ?? 0) - (value[position] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  return {
    writeRung({ tile, row }, offset, value) {
      const ladder = tile + offset;
      const code = codeOf(tile, ladder, [value], 1);
      for (let bit = 0; bit < word(ladder + LADDER_PLANE_COUNT); bit++) {
        tiles.setBit(word(ladder + LADDER_PLANES + bit * 4), row, ((code >> bit) & 1) === 1);
      }
    },
    hasRule: (tile, rule) => {
      const ladder = tile + TILE_RULES;
      return search(word(ladder + LIST_ENTRIES) >>> 2, word(ladder + LIST_COUNT), rule).isKnown;
    },
    ruleCode: (tile, rule) => codeOf(tile, tile + TILE_RULES, rule, word(HEAD_RING_DAYS)),
  };
}
