import type { Day } from '../../stay/day.ts';
import type { Calendar } from '../calendar.ts';
import { emptyCalendar } from '../calendar.ts';
import type { Arena } from './arena.ts';
import { arrivalDaysOf, type ArrivalDays, NEVER } from './arrival-days.ts';
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
  TILE_LAST_END,
  TILE_LATEST,
  TILE_MAX_SHORTEST,
  TILE_PLANE_BYTES,
  TILE_PRICE_BASE,
  TILE_PRICE_STEP,
  TILE_RULES,
  TILE_UNPRICED,
} from './kernel/layout.ts';
import { createPriceChunks } from './price-chunks.ts';
import { priceStepsOf } from './price-lanes.ts';
import { type RowPlace, rungFor, type Tiles } from './tiles.ts';

/** Calendars as rows of calendar planes. */
export type CalendarRows = {
  write(place: RowPlace, calendar: Calendar, leadDays: number): void;
  /** Takes stays that contain all nights of a refused one out of the days of arrival. An empty list puts them back. */
  withdraw(place: RowPlace, refused: readonly RefusedNights[], leadDays: number): void;
};

/** Bits of the words from which planes are written; the code of a rule is in the others. */
const FREE_BIT = 0;
const ARRIVAL_BIT = 1;
const CLOSED_DEPARTURE_BIT = 2;
const CODE_BIT = 3;

/** The column of latest arrivals has 16 bits. */
const MIN_LATEST = -32_768;
const MAX_LATEST = 32_767;

export function createCalendarRows(deps: {
  readonly arena: Arena;
  readonly kernel: Kernel;
  readonly tiles: Tiles;
  /** For a word for each day of the ring. */
  readonly source: number;
}): CalendarRows {
  const { arena, kernel, tiles, source } = deps;
  const prices = createPriceChunks(arena);
  const word = (address: number) => arena.u32[address >> 2] ?? 0;
  const rules = { offset: TILE_RULES, entryWords: RULE_BYTES / 4, days: word(HEAD_RING_DAYS) };

  function ringDays(): { readonly days: number; readonly start: Day } {
    return { days: word(HEAD_RING_DAYS), start: arena.i32[HEAD_RING_START >> 2] ?? 0 };
  }

  /** The codes of the rules of the nights, by night. */
  function rungsOf(tile: number, { minimumStay, maximumStay, closedToArrival }: Calendar): Uint16Array {
    const nights = minimumStay.length;
    const codes = new Uint16Array(nights);
    const ruleOf = (night: number) => [
      closedToArrival[night] === 1 ? 1 : 0,
      Math.max(1, minimumStay[night] ?? 1),
      maximumStay[night] || NO_MAX,
    ];
    const isAsBefore = (night: number) =>
      night > 0 &&
      minimumStay[night] === minimumStay[night - 1] &&
      maximumStay[night] === maximumStay[night - 1] &&
      closedToArrival[night] === closedToArrival[night - 1];
    // A new rule moves the codes of others, so all of them are added first.
    for (const settles of [false, true]) {
      for (let night = 0; night < nights; night++) {
        if (isAsBefore(night)) codes[night] = codes[night - 1] ?? 0;
        else {
          const code = rungFor(deps, tile, rules, ruleOf(night));
          if (settles) codes[night] = code;
        }
      }
    }
    return codes;
  }

  function writePlanes(place: RowPlace, planes: readonly (readonly [plane: number, bit: number])[]): void {
    const bytes = word(place.tile + TILE_PLANE_BYTES);
    for (const [plane, bit] of planes) kernel.writePlane(plane, bytes, place.row, source, bit);
  }

  function writeArrivals({ tile, row }: RowPlace, { last, maxShortest }: ArrivalDays, leadDays: number): void {
    const latest = last === NEVER ? MIN_LATEST : last - leadDays - LATEST_EPOCH;
    const column = new Int16Array(arena.u8.buffer, word(tile + TILE_LATEST) + row * 2, 1);
    column[0] = Math.max(MIN_LATEST, Math.min(MAX_LATEST, latest));
    if (maxShortest > word(tile + TILE_MAX_SHORTEST)) arena.u32[(tile + TILE_MAX_SHORTEST) >> 2] = maxShortest;
  }

  function writePrices(place: RowPlace, calendar: Calendar): void {
    const { tile, row } = place;
    const priced = priceStepsOf(calendar);
    tiles.setBit(word(tile + TILE_UNPRICED), row, priced === null);
    prices.takeLanes(place, priced?.width ?? 0);
    arena.u32[(word(tile + TILE_PRICE_BASE) >> 2) + row] = priced?.base ?? 0;
    arena.u32[(word(tile + TILE_PRICE_STEP) >> 2) + row] = priced?.step ?? 0;
    if (!priced || priced.width === 0) return;
    const { days, start } = ringDays();
    const first = Math.max(0, start - calendar.firstDay);
    const until = Math.min(priced.steps.length, start + days - calendar.firstDay);
    for (let night = first; night < until; night++) {
      prices.writeSteps(place, (calendar.firstDay + night) % days, priced.steps[night] ?? 0);
    }
  }

  return {
    write(place, calendar, leadDays) {
      const { tile } = place;
      const { days, start } = ringDays();
      const { firstDay, available, closedToDeparture } = calendar;
      const codes = rungsOf(tile, calendar);
      const arrivals = arrivalDaysOf(calendar, []);
      const hasClosedDepartures = closedToDeparture.includes(1);
      if (hasClosedDepartures && word(tile + TILE_CLOSED_DEPARTURES) === 0) {
        const plane = arena.allocate(word(tile + TILE_PLANE_BYTES) * days);
        arena.u32[(tile + TILE_CLOSED_DEPARTURES) >> 2] = plane;
      }
      const words = arena.u16.subarray(source >> 1, (source >> 1) + days).fill(0);
      const until = Math.min(available.length, start + days - firstDay);
      for (let night = Math.max(0, start - firstDay); night < until; night++) {
        words[(firstDay + night) % days] =
          ((available[night] === 1 ? 1 : 0) << FREE_BIT) |
          ((arrivals.flags[night] ?? 0) << ARRIVAL_BIT) |
          ((closedToDeparture[night] === 1 ? 1 : 0) << CLOSED_DEPARTURE_BIT) |
          ((codes[night] ?? 0) << CODE_BIT);
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
      writePrices(place, calendar);
      writeArrivals(place, arrivals, leadDays);
      const end = firstDay + available.length;
      if (end > word(tile + TILE_LAST_END)) arena.u32[(tile + TILE_LAST_END) >> 2] = end;
    },
    withdraw(place, refused, leadDays) {
      const { days, start } = ringDays();
      const calendar = read(place);
      const arrivals = arrivalDaysOf(calendar, refused);
      const words = arena.u16.subarray(source >> 1, (source >> 1) + days).fill(0);
      for (let night = 0; night < days; night++) words[(start + night) % days] = arrivals.flags[night] ?? 0;
      writePlanes(place, [[word(place.tile + TILE_ARRIVALS), 0]]);
      writeArrivals(place, arrivals, leadDays);
    },
  };

  /** The rules and free nights of a row, without its prices. */
  function read({ tile, row }: RowPlace): Calendar {
    const { days, start } = ringDays();
    const bytes = word(tile + TILE_PLANE_BYTES);
    const calendar = emptyCalendar(start, days);
    const { available, minimumStay, maximumStay, closedToArrival, closedToDeparture } = calendar;
    const ladder = tile + TILE_RULES;
    const closed = word(tile + TILE_CLOSED_DEPARTURES);
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
      minimumStay[night] = word(rule + RULE_MIN);
      maximumStay[night] = word(rule + RULE_MAX) === NO_MAX ? 0 : word(rule + RULE_MAX);
    }
    return calendar;
  }
}
