import type { Calendar } from '../catalogue/calendar.ts';
import type { MinorUnits } from '../stay/money.ts';
import type { Arena } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  BLOCK_DAYS,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  MAX_LISTED_PRICES,
  STEPS_BASE,
  STEPS_MOST,
  STEPS_NIGHTS,
  STEPS_STEP,
} from './kernel/layout.ts';

/**
 * The prices of the free nights, exactly and in few bytes. Most homes have few prices, or prices in whole amounts that are close to
 * those of the same weeks.
 */
export type PackedPrices = {
  /** The code of the lowest price of each block of days: what decides which homes can be among the cheapest. */
  readonly lowest: Uint16Array;
  readonly nights: NightlyPrices;
};

export type NightlyPrices =
  | { readonly kind: 'same'; readonly price: MinorUnits }
  /** A night has the number of its price. */
  | { readonly kind: 'listed'; readonly prices: ArrayLike<MinorUnits>; readonly numbers: Uint32Array }
  /** A night has how many steps its price is above that of its block: the first of base, base + step, … that its code allows. */
  | {
      readonly kind: 'steps';
      readonly base: MinorUnits;
      readonly step: MinorUnits;
      /** Bytes that a night needs. */
      readonly width: number;
      readonly steps: Uint32Array;
    };

/**
 * Packs the prices of a calendar by day of the ring, from the nights that are in it. Null when the calendar has no price at all. A night
 * without one counts as the mean of those that have. What is packed holds until the next is.
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
