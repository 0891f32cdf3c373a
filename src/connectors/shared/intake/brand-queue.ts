import type { BrandId } from '../../../catalogue/catalogue.ts';

/** Brands take turns, each with its oldest entry: a brand with many entries makes none of the others wait for all of them. */
type BrandQueue<Entry> = {
  add(brand: BrandId, entry: Entry): void;
  /** Of the brands that may be served. */
  next(mayBeServed?: (brand: BrandId) => boolean): Entry | undefined;
  remove(brand: BrandId, entry: Entry): void;
  /** Empties the queue. */
  takeAll(): readonly Entry[];
};

export function createBrandQueue<Entry>(): BrandQueue<Entry> {
  // The brand at the front is next; one that was served goes to the end. Sets, because thousands may be given up together.
  const waiting = new Map<BrandId, Set<Entry>>();
  return {
    add(brand, entry) {
      const entries = waiting.get(brand);
      if (entries) entries.add(entry);
      else waiting.set(brand, new Set([entry]));
    },
    next(mayBeServed = () => true) {
      for (const [brand, entries] of waiting) {
        if (!mayBeServed(brand)) continue;
        const [entry] = entries;
        if (entry !== undefined) entries.delete(entry);
        waiting.delete(brand);
        if (entries.size > 0) waiting.set(brand, entries);
        return entry;
      }
      return undefined;
    },
    remove(brand, entry) {
      const entries = waiting.get(brand);
      entries?.delete(entry);
      if (entries?.size === 0) waiting.delete(brand);
    },
    takeAll() {
      const all = Array.from(waiting.values(), (entries) => [...entries]).flat();
      waiting.clear();
      return all;
    },
  };
}
