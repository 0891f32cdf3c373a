/** How much of one brand is kept, so that no brand takes the memory of the others. */
export type BrandBudget = {
  readonly listings: number;
  /** Of accepted listings, counted as in `weightOf`. */
  readonly bytes: number;
};

export const DEFAULT_BRAND_BUDGET: BrandBudget = { listings: 100_000, bytes: 256 * 1024 * 1024 };
