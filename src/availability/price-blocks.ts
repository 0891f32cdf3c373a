import type { Arena } from './arena.ts';
import {
  BLOCK_DAYS,
  HEAD_RING_DAYS,
  NO_PRICE,
  PRICE_BASE,
  PRICE_FORM_MASK,
  PRICE_LISTED,
  PRICE_NIGHTS,
  PRICE_NUMBERS,
  PRICE_SAME,
  PRICE_STEP,
  PRICE_STEPS,
  TILE_LOWEST,
  TILE_PRICES,
  TILE_ROWS,
} from './kernel/layout.ts';
import type { NightlyPrices, PackedPrices } from './packed-prices.ts';
import type { RowPlace } from './tiles.ts';

/** The prices of homes, each in a block of its own. */
export type PriceBlocks = {
  write(place: RowPlace, packed: PackedPrices | null): void;
  release(place: RowPlace): void;
};

export function createPriceBlocks(arena: Arena): PriceBlocks {
  const days = arena.u32[HEAD_RING_DAYS >>> 2] ?? 0;
  const blocks = Math.ceil(days / BLOCK_DAYS);
  const withoutPrices = new Uint16Array(blocks).fill(NO_PRICE);

  function columnOf({ tile, row }: RowPlace): number {
    return ((arena.u32[(tile + TILE_PRICES) >>> 2] ?? 0) >>> 2) + row;
  }

  function bytesOf(form: number): number {
    if (form === PRICE_SAME) return PRICE_BASE + 4;
    if (form === PRICE_LISTED) return PRICE_NUMBERS + Math.ceil(days / 2);
    return PRICE_NIGHTS + (form - PRICE_STEPS) * days;
  }

  /** Gives a home a block of that form instead of the one that it has, or leaves it one of the same form. */
  function blockFor(place: RowPlace, form: number): number {
    const before = arena.u32[columnOf(place)] ?? 0;
    if ((before & PRICE_FORM_MASK) === form) return before - form;
    release(place);
    const block = arena.allocate(bytesOf(form));
    arena.u32[columnOf(place)] = block + form;
    return block;
  }

  function release(place: RowPlace): void {
    const prices = arena.u32[columnOf(place)] ?? 0;
    if (prices === 0) return;
    const form = prices & PRICE_FORM_MASK;
    arena.release(prices - form, bytesOf(form));
    arena.u32[columnOf(place)] = 0;
  }

  function writeLowest({ tile, row }: RowPlace, codes: Uint16Array): void {
    const rows = arena.u32[(tile + TILE_ROWS) >>> 2] ?? 0;
    let at = ((arena.u32[(tile + TILE_LOWEST) >>> 2] ?? 0) >>> 1) + row;
    const { u16 } = arena;
    for (let block = 0; block < blocks; block++, at += rows) u16[at] = codes[block] ?? 0;
  }

  function writeNights(place: RowPlace, nights: NightlyPrices): void {
    if (nights.kind === 'same') {
      arena.u32[(blockFor(place, PRICE_SAME) + PRICE_BASE) >>> 2] = nights.price;
    } else if (nights.kind === 'listed') {
      const block = blockFor(place, PRICE_LISTED);
      arena.u32.set(nights.prices, block >>> 2);
      const pairs = arena.u8.subarray(block + PRICE_NUMBERS, block + bytesOf(PRICE_LISTED));
      for (let pair = 0; pair < pairs.length; pair++) {
        pairs[pair] = (nights.numbers[pair * 2] ?? 0) | ((nights.numbers[pair * 2 + 1] ?? 0) << 4);
      }
    } else writeSteps(blockFor(place, PRICE_STEPS + nights.width), nights);
  }

  function writeSteps(block: number, nights: Extract<NightlyPrices, { readonly kind: 'steps' }>): void {
    arena.u32[(block + PRICE_BASE) >>> 2] = nights.base;
    arena.u32[(block + PRICE_STEP) >>> 2] = nights.step;
    let at = block + PRICE_NIGHTS;
    for (let byte = 0; byte < nights.width; byte++) {
      const { u8 } = arena;
      for (let day = 0; day < days; day++) u8[at++] = (nights.steps[day] ?? 0) >>> (byte * 8);
    }
  }

  return {
    write(place, packed) {
      writeLowest(place, packed?.lowest ?? withoutPrices);
      if (packed === null) release(place);
      else writeNights(place, packed.nights);
    },
    release,
  };
}
