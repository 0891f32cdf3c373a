import type { BrandId } from '../inventory/catalogue.ts';

/** How a brand fared in one search: "nothing free" and "no answer" never look alike. */
export type BrandCoverage = {
  readonly brand: BrandId;
  readonly asked: number;
  readonly quoted: number;
  readonly unavailable: number;
  readonly failed: number;
};

export type CoverageCount = 'quoted' | 'unavailable' | 'failed';

/** Counts what became of every property that was asked for: a property counts as asked when its fate is known. */
export function createCoverage() {
  const counts = new Map<BrandId, Record<CoverageCount, number>>();
  return {
    add(brand: BrandId, fate: CoverageCount): void {
      const count = counts.get(brand) ?? { quoted: 0, unavailable: 0, failed: 0 };
      counts.set(brand, count);
      count[fate] += 1;
    },
    /** Brands in the order of their names, whoever answered first. */
    list(): readonly BrandCoverage[] {
      return Array.from(counts, ([brand, { quoted, unavailable, failed }]) => ({
        brand,
        asked: quoted + unavailable + failed,
        quoted,
        unavailable,
        failed,
      })).sort((a, b) => (a.brand < b.brand ? -1 : 1));
    },
  };
}
