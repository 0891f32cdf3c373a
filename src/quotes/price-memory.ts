import type { BrandId } from '../catalogue/catalogue.ts';
import {
  type BrandPrices,
  type LearnedPrices,
  learnPrices,
  noPrices,
  type PriceSample,
  type QuotedStay,
} from './learned-prices.ts';

/** What the brands have charged so far. It grows with every search. */
export type PriceMemory = {
  readonly learned: LearnedPrices;
  learn(brand: BrandId, stay: QuotedStay, samples: readonly PriceSample[]): void;
};

export function createPriceMemory(onLearned: (brand: BrandId) => void = () => {}): PriceMemory & {
  restore(brand: BrandId, prices: BrandPrices): void;
} {
  const learned = new Map<BrandId, BrandPrices>();
  return {
    learned,
    learn(brand, stay, samples) {
      const prices = learned.get(brand) ?? noPrices();
      learned.set(brand, prices);
      learnPrices(prices, stay, samples);
      onLearned(brand);
    },
    restore: (brand, prices) => void learned.set(brand, prices),
  };
}
