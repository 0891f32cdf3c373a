import type { MinorUnits } from '../../stay/money.ts';
import type { Calendar } from '../calendar.ts';
import { NIBBLE_LANE } from './kernel/layout.ts';

/**
 * The prices of the free nights, exactly: the lowest one, and for each night how many steps it is above that. Most homes need few
 * steps: prices are whole amounts, and change with seasons and weekends.
 */
export type PriceSteps = {
  readonly base: MinorUnits;
  readonly step: MinorUnits;
  /** The bytes that the steps of a night need; `NIBBLE_LANE` for half of one, 0 when all nights cost the same. */
  readonly width: number;
  /** By night of the calendar; 0 where it is not free. */
  readonly steps: Uint32Array;
};

/** Null when no night has a price. A night without one counts as the mean of those that have. */
export function priceStepsOf({ available, price }: Calendar): PriceSteps | null {
  const usual = meanPrice(price);
  if (usual === 0) return null;
  const nights = price.length;
  const steps = new Uint32Array(nights);
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  for (let night = 0; night < nights; night++) {
    if (available[night] !== 1) continue;
    const cost = price[night] || usual;
    if (cost < lowest) lowest = cost;
    if (cost > highest) highest = cost;
  }
  if (!(lowest < highest)) return { base: highest === 0 ? usual : highest, step: 0, width: 0, steps };
  let step = 0;
  for (let night = 0; night < nights; night++) {
    if (available[night] !== 1 || step === 1) continue;
    step = greatestCommonDivisor((price[night] || usual) - lowest, step);
  }
  for (let night = 0; night < nights; night++) {
    if (available[night] === 1) steps[night] = ((price[night] || usual) - lowest) / step;
  }
  return { base: lowest, step, width: widthFor((highest - lowest) / step), steps };
}

function widthFor(maxSteps: number): number {
  if (maxSteps < 16) return NIBBLE_LANE;
  if (maxSteps < 256) return 1;
  if (maxSteps < 65_536) return 2;
  return maxSteps < 16_777_216 ? 3 : 4;
}

function greatestCommonDivisor(one: number, other: number): number {
  let [larger, smaller] = [one, other];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function meanPrice(prices: Uint32Array): MinorUnits {
  let sum = 0;
  let priced = 0;
  for (const price of prices) {
    sum += price;
    if (price > 0) priced++;
  }
  return priced === 0 ? 0 : Math.max(1, Math.round(sum / priced));
}
