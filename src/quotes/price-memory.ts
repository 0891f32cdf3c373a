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

export function createPriceMemory(onLearned: (brand: BrandId) => void = () => {}): PriceMemory & {
  restore(brand: BrandId, prices: BrandPrices): void;
} {
  const learned = new Map<BrandId, BrandPrices>();
  return {
    learned,
    learn(brand, samples) {
      const prices = learned.get(brand) ?? noPrices();
      learned.set(brand, prices);
      learnPrices(prices, samples);
      onLearned(brand);
    },
    restore: (brand, prices) => void learned.set(brand, prices),
  };
}
