import type { BrandId } from './catalogue.ts';

/** A brand with homes that nobody can search, because its booking system could not be read yet, or not for too long, or because its owner has paused it. */
export type UnsearchableBrand = {
  readonly brand: BrandId;
  /** Some of its homes can be searched. */
  readonly isPartlyRead: boolean;
  /** It was read before; its stored homes are being loaded, after a start or a pause. */
  readonly isLoading?: boolean;
  /** Its homes are not on offer, whether it can be read or not. */
  readonly isPaused?: boolean;
};

/** Asked at every search. */
export type UnsearchableBrands = () => readonly UnsearchableBrand[];
