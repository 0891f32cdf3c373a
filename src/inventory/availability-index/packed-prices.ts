import type { MinorUnits } from '../../stay/money.ts';
import type { Calendar } from '../calendar.ts';
import { BLOCK_DAYS, MAX_LISTED_PRICES } from './kernel/layout.ts';

/**
 * The prices of the free nights, exactly and in few bytes. Most homes have few prices, or prices in whole amounts that are close to
 * those of the same weeks.
 */
export type PackedPrices =
  | { readonly kind: 'same'; readonly price: MinorUnits }
  /** A night has the number of its price. */
  | { readonly kind: 'listed'; readonly prices: readonly MinorUnits[]; readonly numbers: Uint32Array }
  /** A night has how many steps its price is above that of its block, and a block how many its lowest is above the base. */
  | {
      readonly kind: 'steps';
      readonly base: MinorUnits;
      readonly step: MinorUnits;
      /** Bytes that a night needs. */
      readonly width: number;
      readonly blocks: Uint16Array;
      readonly steps: Uint32Array;
    };

const MAX_BLOCK_BASE = 0xffff;

/**
 * By day of the ring, from the nights of a calendar that are in it. Null when the calendar has no price at all. A night without one
 * counts as the mean of those that have.
 */
export function packPrices(
  { firstDay, available, price }: Calendar,
  ring: { readonly start: number; readonly days: number },
): PackedPrices | null {
  const usual = meanPrice(price);
  if (usual === 0) return null;
  const costs = new Uint32Array(ring.days);
  const first = Math.max(0, ring.start - firstDay);
  const until = Math.min(available.length, ring.start + ring.days - firstDay);
  let day = (firstDay + first) % ring.days;
  for (let night = first; night < until; night++) {
    if (available[night] === 1) costs[day] = price[night] || usual;
    day = day + 1 === ring.days ? 0 : day + 1;
  }
  const listed = inList(costs);
  if (!listed) return inSteps(costs);
  const [only = usual] = listed.prices;
  return listed.prices.length <= 1 ? { kind: 'same', price: only } : listed;
}

/** Undefined when there are more prices than a list has. */
function inList(costs: Uint32Array): Extract<PackedPrices, { readonly kind: 'listed' }> | undefined {
  const prices: MinorUnits[] = [];
  const numbers = new Uint32Array(costs.length);
  let last = 0;
  let number = 0;
  for (let day = 0; day < costs.length; day++) {
    const cost = costs[day] ?? 0;
    if (cost === 0) continue;
    if (cost !== last) {
      last = cost;
      number = prices.indexOf(cost);
      if (number < 0) number = prices.push(cost) - 1;
      if (number === MAX_LISTED_PRICES) return undefined;
    }
    numbers[day] = number;
  }
  return { kind: 'listed', prices, numbers };
}

function inSteps(costs: Uint32Array): PackedPrices {
  const base = lowestOf(costs, 0, costs.length);
  let step = 0;
  let highest = base;
  for (let day = 0; day < costs.length; day++) {
    const cost = costs[day] ?? 0;
    if (cost === 0) continue;
    if (cost > highest) highest = cost;
    // Divided as whole numbers, which is far quicker; most prices are in steps already.
    const above = (cost - base) >>> 0;
    if (step === 0 || above % step !== 0) step = greatestCommonDivisor(above, step);
  }
  const blocks = new Uint16Array(Math.ceil(costs.length / BLOCK_DAYS));
  const hasBlocks = (highest - base) / step <= MAX_BLOCK_BASE;
  const steps = new Uint32Array(costs.length);
  let mostSteps = 0;
  for (let block = 0; block < blocks.length; block++) {
    const from = block * BLOCK_DAYS;
    const until = Math.min(from + BLOCK_DAYS, costs.length);
    const lowest = hasBlocks ? lowestOf(costs, from, until) : base;
    if (lowest === 0) continue;
    blocks[block] = (lowest - base) / step;
    for (let day = from; day < until; day++) {
      const cost = costs[day] ?? 0;
      if (cost === 0) continue;
      const above = (((cost - lowest) >>> 0) / step) >>> 0;
      steps[day] = above;
      if (above > mostSteps) mostSteps = above;
    }
  }
  return { kind: 'steps', base, step, width: bytesFor(mostSteps), blocks, steps };
}

/** Of the days `[from, until)`; 0 when no night of them is free. */
function lowestOf(costs: Uint32Array, from: number, until: number): number {
  let lowest = 0;
  for (let day = from; day < until; day++) {
    const cost = costs[day] ?? 0;
    if (cost !== 0 && (lowest === 0 || cost < lowest)) lowest = cost;
  }
  return lowest;
}

function bytesFor(steps: number): number {
  if (steps < 256) return 1;
  if (steps < 65_536) return 2;
  return steps < 16_777_216 ? 3 : 4;
}

function greatestCommonDivisor(one: number, other: number): number {
  let [larger, smaller] = [one, other];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
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
