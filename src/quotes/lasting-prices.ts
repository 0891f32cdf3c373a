import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { createPriceMemory, type PriceMemory } from './price-memory.ts';
import { readPrices, writePrices } from './stored-prices.ts';

export type LastingPrices = PriceMemory & {
  /** Takes up what was stored before. Never rejects: without it, the service learns anew. */
  restore(brands: Iterable<BrandId>): Promise<void>;
  /** Stores what is not stored yet. */
  stop(): Promise<void>;
};

/** Searches teach many times a second; a restart may lose what they taught in this time. */
const SAVE_AFTER_MS = 30_000;

/** A price memory that survives a restart. Storing is no part of any search. */
export function createLastingPrices({
  store,
  clock,
  onFailure,
}: {
  readonly store: Pick<InventoryStore, 'saveLearned' | 'learned'>;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): LastingPrices {
  const unsaved = new Set<BrandId>();
  const memory = createPriceMemory((brand) => {
    if (unsaved.size === 0) cancelSave = clock.after(SAVE_AFTER_MS, () => void save());
    unsaved.add(brand);
  });
  let cancelSave = () => {};
  let saving: Promise<void> = Promise.resolve();

  /** One after the other, so that whoever waits for the last one waits for all. */
  function save(): Promise<void> {
    const brands = [...unsaved];
    unsaved.clear();
    saving = saving.then(() => saveAll(brands));
    return saving;
  }

  async function saveAll(brands: readonly BrandId[]): Promise<void> {
    for (const brand of brands) {
      const prices = memory.learned.get(brand);
      if (prices) await store.saveLearned(brand, writePrices(prices)).catch(onFailure);
    }
  }

  return {
    ...memory,
    async restore(brands) {
      for (const brand of brands) {
        const text = await store.learned(brand).catch(onFailure);
        const prices = text ? readPrices(text) : undefined;
        if (prices) memory.restore(brand, prices);
      }
    },
    async stop() {
      cancelSave();
      await save();
    },
  };
}
