import type { MinorUnits } from '../../stay/money.ts';
import type { Calendar } from '../calendar.ts';
import { BLOCK_DAYS, MAX_LISTED_PRICES } from './kernel/layout.ts';
import { lowestPriceOf, priceCode } from './price-codes.ts';

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
  | { readonly kind: 'listed'; readonly prices: readonly MinorUnits[]; readonly numbers: Uint32Array }
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
  const lowest = lowestCodes(costs);
  return { lowest, nights: nightlyPrices(costs, lowest, usual) };
}

/** Blocks without a free night have the lowest code: no stay has a night in them. */
function lowestCodes(costs: Uint32Array): Uint16Array {
  const codes = new Uint16Array(Math.ceil(costs.length / BLOCK_DAYS));
  for (let block = 0; block < codes.length; block++) {
    const lowest = lowestOf(costs.subarray(block * BLOCK_DAYS, (block + 1) * BLOCK_DAYS));
    if (lowest !== Number.POSITIVE_INFINITY) codes[block] = priceCode(lowest);
  }
  return codes;
}

function nightlyPrices(costs: Uint32Array, lowest: Uint16Array, usual: MinorUnits): NightlyPrices {
  const prices = fewPrices(costs);
  if (!prices) return inSteps(costs, lowest);
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

function inSteps(costs: Uint32Array, lowest: Uint16Array): NightlyPrices {
  const base = lowestOf(costs);
  let step = 0;
  for (let day = 0; day < costs.length && step !== 1; day++) {
    const cost = costs[day] ?? 0;
    if (cost !== 0) step = greatestCommonDivisor(cost - base, step);
  }
  const steps = new Uint32Array(costs.length);
  let mostSteps = 0;
  for (let block = 0; block < lowest.length; block++) {
    const first = firstPrice(base, step, lowest[block] ?? 0);
    const until = Math.min(costs.length, (block + 1) * BLOCK_DAYS);
    for (let day = block * BLOCK_DAYS; day < until; day++) {
      const cost = costs[day] ?? 0;
      if (cost === 0) continue;
      const above = (cost - first) / step;
      steps[day] = above;
      if (above > mostSteps) mostSteps = above;
    }
  }
  return { kind: 'steps', base, step, width: bytesFor(mostSteps), steps };
}

/** The first of base, base + step, … that a code allows. The kernels find it in the same way. */
function firstPrice(base: MinorUnits, step: MinorUnits, code: number): MinorUnits {
  return base + step * Math.max(0, Math.ceil((lowestPriceOf(code) - base) / step));
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
