import type { Arena } from './arena.ts';
import {
  BLOCK_DAYS,
  HEAD_RING_DAYS,
  PRICE_BASE,
  PRICE_BLOCK_BASES,
  PRICE_FORM_MASK,
  PRICE_LISTED,
  PRICE_NUMBERS,
  PRICE_SAME,
  PRICE_STEP,
  PRICE_STEPS,
  TILE_PRICES,
} from './kernel/layout.ts';
import type { PackedPrices } from './packed-prices.ts';
import type { RowPlace } from './tiles.ts';

/** The prices of homes, each in a block of its own. */
export type PriceBlocks = {
  write(place: RowPlace, packed: PackedPrices | null): void;
  release(place: RowPlace): void;
};

export function createPriceBlocks(arena: Arena): PriceBlocks {
  const days = arena.u32[HEAD_RING_DAYS >>> 2] ?? 0;
  const blocks = Math.floor(days / BLOCK_DAYS);

  function columnOf({ tile, row }: RowPlace): number {
    return ((arena.u32[(tile + TILE_PRICES) >>> 2] ?? 0) >>> 2) + row;
  }

  function bytesOf(form: number): number {
    if (form === PRICE_SAME) return PRICE_BASE + 4;
    if (form === PRICE_LISTED) return PRICE_NUMBERS + Math.ceil(days / 2);
    return PRICE_BLOCK_BASES + blocks * 2 + (form - PRICE_STEPS) * days;
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

  return {
    write(place, packed) {
      if (packed === null) release(place);
      else if (packed.kind === 'same') {
        arena.u32[(blockFor(place, PRICE_SAME) + PRICE_BASE) >>> 2] = packed.price;
      } else if (packed.kind === 'listed') {
        const block = blockFor(place, PRICE_LISTED);
        arena.u32.set(packed.prices, block >>> 2);
        const pairs = arena.u8.subarray(block + PRICE_NUMBERS, block + bytesOf(PRICE_LISTED));
        for (let pair = 0; pair < pairs.length; pair++) {
          pairs[pair] = (packed.numbers[pair * 2] ?? 0) | ((packed.numbers[pair * 2 + 1] ?? 0) << 4);
        }
      } else writeSteps(blockFor(place, PRICE_STEPS + packed.width), packed);
    },
    release,
  };

  function writeSteps(block: number, packed: Extract<PackedPrices, { readonly kind: 'steps' }>): void {
    arena.u32[(block + PRICE_BASE) >>> 2] = packed.base;
    arena.u32[(block + PRICE_STEP) >>> 2] = packed.step;
    arena.u16.set(packed.blocks, (block + PRICE_BLOCK_BASES) >>> 1);
    let at = block + PRICE_BLOCK_BASES + blocks * 2;
    for (let byte = 0; byte < packed.width; byte++) {
      const { u8 } = arena;
      for (let day = 0; day < days; day++) u8[at++] = (packed.steps[day] ?? 0) >>> (byte * 8);
    }
  }
}
