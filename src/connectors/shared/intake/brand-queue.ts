import type { BrandId } from '../../../catalogue/catalogue.ts';

/** Serves brands in turn, each with its oldest entry, so that a brand with many entries delays only itself. */
type BrandQueue<Entry> = {
  add(brand: BrandId, entry: Entry): void;
  /** The next entry among the brands that may be served. */
  next(mayBeServed?: (brand: BrandId) => boolean): Entry | undefined;
  remove(brand: BrandId, entry: Entry): void;
  /** Empties the queue. */
  takeAll(): readonly Entry[];
};

export function createBrandQueue<Entry>(): BrandQueue<Entry> {
  // The first brand is next; a served one moves to the end. Sets, because thousands of entries may be removed together.
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
