import type { BrandId } from '../../inventory/catalogue.ts';

/** Brands take turns, each with its oldest entry: a brand with many entries makes none of the others wait for all of them. */
export type BrandQueue<Entry> = {
  add(brand: BrandId, entry: Entry): void;
  next(): Entry | undefined;
  remove(brand: BrandId, entry: Entry): void;
  /** Empties the queue. */
  takeAll(): readonly Entry[];
};

export function createBrandQueue<Entry>(): BrandQueue<Entry> {
  // The brand at the front is next; one that was served goes to the end.
  const waiting = new Map<BrandId, Entry[]>();

  return {
    add(brand, entry) {
      const entries = waiting.get(brand);
      if (entries) entries.push(entry);
      else waiting.set(brand, [entry]);
    },
    next() {
      for (const [brand, entries] of waiting) {
        const entry = entries.shift();
        waiting.delete(brand);
        if (entries.length > 0) waiting.set(brand, entries);
        return entry;
      }
      return undefined;
    },
    remove(brand, entry) {
      const others = (waiting.get(brand) ?? []).filter((one) => one !== entry);
      if (others.length > 0) waiting.set(brand, others);
      else waiting.delete(brand);
    },
    takeAll() {
      const all = [...waiting.values()].flat();
      waiting.clear();
      return all;
    },
  };
}
