import type { Brand, Network } from '../catalogue/catalogue.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { BrandFailure } from '../quotes/quote-search.ts';

/** A brand that gave no usable answer, and why. */
export type SilentBrand = {
  readonly brand: Brand;
  readonly kind: FailureKind;
  /** From when on it may be asked again; null when it may at once, as far as is known. */
  readonly askableAt: number | null;
};

export function silentAmong(
  failures: readonly BrandFailure[],
  { brands }: Pick<Network, 'brands'>,
  now: number,
): readonly SilentBrand[] {
  return failures.flatMap(({ brand: id, kind, askableAfterMs }) => {
    const brand = brands.get(id);
    return brand ? [{ brand, kind, askableAt: askableAfterMs === 0 ? null : now + askableAfterMs }] : [];
  });
}
