import type { Calendar } from '../catalogue/calendar.ts';
import type { MinorUnits } from '../stay/money.ts';
import type { Arena } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  BLOCK_DAYS,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  MAX_LISTED_PRICES,
  NO_PRICE,
  PRICE_BASE,
  PRICE_FORM_MASK,
  PRICE_LISTED,
  PRICE_NIGHTS,
  PRICE_NUMBERS,
  PRICE_SAME,
  PRICE_STEP,
  PRICE_STEPS,
  STEPS_BASE,
  STEPS_MOST,
  STEPS_NIGHTS,
  STEPS_STEP,
  TILE_LOWEST,
  TILE_PRICES,
  TILE_ROWS,
} from './kernel/layout.ts';
import type { RowPlace } from './tiles.ts';

/** The prices of homes, one block for each home. */
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

  /** Replaces the block of a home by one of the given form, or returns its block if it has that form. */
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

/**
 * The exact prices of the free nights in few bytes. Most homes have few distinct prices, or whole amounts that are close to those of
 * the same weeks.
 */
type PackedPrices = {
  /** The code of the lowest price of each block of days, which decides whether a home can be among the cheapest. */
  readonly lowest: Uint16Array;
  readonly nights: NightlyPrices;
};

type NightlyPrices =
  | { readonly kind: 'same'; readonly price: MinorUnits }
  /** Each night has the number of its price. */
  | { readonly kind: 'listed'; readonly prices: ArrayLike<MinorUnits>; readonly numbers: Uint32Array }
  /** Each night has the number of steps above the price of its block: the first of base, base + step, … that its code allows. */
  | {
      readonly kind: 'steps';
      readonly base: MinorUnits;
      readonly step: MinorUnits;
      /** Bytes for each night. */
      readonly width: number;
      readonly steps: Uint32Array;
    };

/**
 * Packs the prices of a calendar by day of the ring. Null when the calendar has no price at all. A night without a price counts as
 * the mean of the others. The result is valid until the next call.
 */
export function createPricePacker(arena: Arena, kernel: Kernel): (calendar: Calendar) => PackedPrices | null {
  const days = arena.u32[HEAD_RING_DAYS >>> 2] ?? 0;
  const blocks = Math.ceil(days / BLOCK_DAYS);
  const costs = arena.allocateScratch(days * 4);
  const codes = arena.allocateScratch(blocks * 2);
  const list = arena.allocateScratch(MAX_LISTED_PRICES * 4);
  const packed = arena.allocateScratch(STEPS_NIGHTS + days * 4);

  function writeCosts({ firstDay, available, price }: Calendar, usual: MinorUnits): void {
    const start = arena.i32[HEAD_RING_START >>> 2] ?? 0;
    const costOf = arena.u32.subarray(costs >>> 2, (costs >>> 2) + days).fill(0);
    const first = Math.max(0, start - firstDay);
    const until = Math.min(available.length, start + days - firstDay);
    let day = (firstDay + first) % days;
    for (let night = first; night < until; night++) {
      if (available[night] === 1) costOf[day] = price[night] || usual;
      day = day + 1 === days ? 0 : day + 1;
    }
  }

  function numbersAt(address: number): Uint32Array {
    return arena.u32.subarray(address >>> 2, (address >>> 2) + days);
  }

  function nightlyPrices(usual: MinorUnits): NightlyPrices {
    const prices = kernel.listPrices(costs, list, packed);
    if (prices === 0) return { kind: 'same', price: usual };
    if (prices === 1) return { kind: 'same', price: arena.u32[list >>> 2] ?? 0 };
    if (prices <= MAX_LISTED_PRICES) {
      const listed = arena.u32.subarray(list >>> 2, (list >>> 2) + prices);
      return { kind: 'listed', prices: listed, numbers: numbersAt(packed) };
    }
    kernel.stepPrices(costs, codes, packed);
    return {
      kind: 'steps',
      base: arena.u32[(packed + STEPS_BASE) >>> 2] ?? 0,
      step: arena.u32[(packed + STEPS_STEP) >>> 2] ?? 0,
      width: bytesFor(arena.u32[(packed + STEPS_MOST) >>> 2] ?? 0),
      steps: numbersAt(packed + STEPS_NIGHTS),
    };
  }

  return (calendar) => {
    const usual = meanPrice(calendar.price);
    if (usual === 0) return null;
    writeCosts(calendar, usual);
    kernel.codePrices(costs, codes);
    const lowest = arena.u16.subarray(codes >>> 1, (codes >>> 1) + blocks);
    return { lowest, nights: nightlyPrices(usual) };
  };
}

function bytesFor(steps: number): number {
  if (steps < 256) return 1;
  if (steps < 65_536) return 2;
  return steps < 16_777_216 ? 3 : 4;
}

function meanPrice(prices: Uint32Array): MinorUnits {
  let sum = 0;
  let priced = 0;
  for (let night = 0; night < prices.length; night++) {
    const price = prices[night] ?? 0;
    sum += price;
    if (price > 0) priced++;
  }
  return priced === 0 ? 0 : Math.max(1, Math.round(sum / priced));
}
