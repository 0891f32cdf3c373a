import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { jsonIn } from '../parsing/reading.ts';
import {
  type BrandPrices,
  type LearnedPrices,
  learnPrices,
  MAX_HOMES,
  MAX_SCOPES,
  noPrices,
  type PriceSample,
  type QuotedStay,
  samplesOf,
} from './learned-prices.ts';

/** What the brands have charged so far. Every search adds to it. */
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

type LastingPrices = PriceMemory & {
  /** Loads stored prices. Never rejects: without them, the service learns again. */
  restore(brands: Iterable<BrandId>): Promise<void>;
  /** Stores the unsaved prices. */
  stop(): Promise<void>;
};

/** Searches change prices many times a second; a restart may lose the changes of this time. */
const SAVE_AFTER_MS = 30_000;

/** Learned prices that survive a restart. No search waits for the store. */
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

  /** One after the other, so that waiting for the last save waits for all. */
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

const Log = Type.Number({ minimum: -100, maximum: 100 });
const StoredSamples = Type.Array(
  Type.Tuple([Type.String(), Type.Array(Log, { minItems: 1, maxItems: 100 })]),
  { maxItems: MAX_SCOPES },
);
const StoredHome = Type.Tuple([
  Type.String(),
  Type.Number({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);
const StoredPrices = Type.Object({
  version: Type.Literal(2),
  ratios: StoredSamples,
  nightly: StoredSamples,
  homes: Type.Array(StoredHome, { maxItems: MAX_HOMES }),
});
const storedPrices = Compile(StoredPrices);
/** More digits would add nothing to a price. */
const PRECISION = 1000;

function writePrices({ ratios, nightly, homes }: BrandPrices): string {
  const written: Static<typeof StoredPrices> = {
    version: 2,
    ratios: Array.from(ratios, ([scope, { logs }]) => [scope, logs.map(rounded)]),
    nightly: Array.from(nightly, ([scope, { logs }]) => [scope, logs.map(rounded)]),
    homes: [...homes],
  };
  return JSON.stringify(written);
}

/** Undefined for unreadable text: prices can be learned again. */
function readPrices(text: string): BrandPrices | undefined {
  const stored = jsonIn(text);
  if (!storedPrices.Check(stored)) return undefined;
  return {
    ratios: new Map(stored.ratios.map(([scope, logs]) => [scope, samplesOf(logs)])),
    nightly: new Map(stored.nightly.map(([scope, logs]) => [scope, samplesOf(logs)])),
    homes: new Map(stored.homes),
  };
}

function rounded(log: number): number {
  return Math.round(log * PRECISION) / PRECISION;
}
