import type { Arena } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  HEAD_RING_DAYS,
  LADDER_PLANE_COUNT,
  LADDER_PLANES,
  LIST_COUNT,
  LIST_ENTRIES,
  TILE_PLANE_BYTES,
  TILE_RULES,
} from './kernel/layout.ts';
import type { RowPlace, Tiles } from './tiles.ts';

/**
 * A ladder numbers the few different values that the rows of a tile have, in their order, so that "at most" needs only a few bits of
 * each row.
 */
export type Ladders = {
  /** Gives a row its value on a ladder that is the same every day. */
  writeRung(place: RowPlace, ladder: number, value: number): void;
  /** The code of a rule for a day. A new rule makes the codes behind it larger by one. */
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
