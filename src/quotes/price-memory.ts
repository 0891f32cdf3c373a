import type { BrandId } from '../inventory/catalogue.ts';
import {
  type BrandPrices,
  type LearnedPrices,
  learnPrices,
  noPrices,
  type PriceSample,
} from './learned-prices.ts';

/** What the brands have charged so far. It grows with every search. */
export type PriceMemory = {
  readonly learned: LearnedPrices;
  learn(brand: BrandId, samples: readonly PriceSample[]): void;
};

export function createPriceMemory(
  known: ReadonlyMap<BrandId, BrandPrices> = new Map(),
  onLearned: (brand: BrandId) => void = () => {},
): PriceMemory {
  const learned = new Map(known);
  return {
    learned,
    learn(brand, samples) {
      const prices = learned.get(brand) ?? noPrices();
      learned.set(brand, prices);
      learnPrices(prices, samples);
      onLearned(brand);
    },
  };
}
