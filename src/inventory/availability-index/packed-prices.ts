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
  const until = Math.min(available.length, ring.start + ring.days - firstDay);
  for (let night = Math.max(0, ring.start - firstDay); night < until; night++) {
    if (available[night] === 1) costs[(firstDay + night) % ring.days] = price[night] || usual;
  }
  const prices = fewPrices(costs);
  if (!prices) return inSteps(costs);
  const [only = usual] = prices;
  if (prices.length <= 1) return { kind: 'same', price: only };
  return { kind: 'listed', prices, numbers: costs.map((cost) => Math.max(0, prices.indexOf(cost))) };
}

/** What the free nights cost, unless there are more prices than a list has. */
function fewPrices(costs: Uint32Array): readonly MinorUnits[] | undefined {
  const prices: MinorUnits[] = [];
  let last = 0;
  for (let day = 0; day < costs.length; day++) {
    const cost = costs[day] ?? 0;
    if (cost === 0 || cost === last) continue;
    last = cost;
    if (prices.includes(cost)) continue;
    if (prices.length === MAX_LISTED_PRICES) return undefined;
    prices.push(cost);
  }
  return prices;
}

function inSteps(costs: Uint32Array): PackedPrices {
  const base = lowestOf(costs);
  let step = 0;
  let highest = 0;
  for (let day = 0; day < costs.length; day++) {
    const cost = costs[day] ?? 0;
    if (cost === 0) continue;
    if (step !== 1) step = greatestCommonDivisor(cost - base, step);
    if (cost > highest) highest = cost;
  }
  const blocks = new Uint16Array(Math.ceil(costs.length / BLOCK_DAYS));
  const hasBlocks = (highest - base) / step <= MAX_BLOCK_BASE;
  const steps = new Uint32Array(costs.length);
  let mostSteps = 0;
  for (let block = 0; block < blocks.length; block++) {
    const from = block * BLOCK_DAYS;
    const ofBlock = costs.subarray(from, from + BLOCK_DAYS);
    const lowest = hasBlocks ? lowestOf(ofBlock) : base;
    if (lowest === Number.POSITIVE_INFINITY) continue;
    blocks[block] = (lowest - base) / step;
    for (let day = 0; day < ofBlock.length; day++) {
      const cost = ofBlock[day] ?? 0;
      if (cost === 0) continue;
      const above = (cost - lowest) / step;
      steps[from + day] = above;
      if (above > mostSteps) mostSteps = above;
    }
  }
  return { kind: 'steps', base, step, width: bytesFor(mostSteps), blocks, steps };
}

/** Infinite when no night is free. */
function lowestOf(costs: Uint32Array): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let day = 0; day < costs.length; day++) {
    const cost = costs[day] ?? 0;
    if (cost !== 0 && cost < lowest) lowest = cost;
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
