import type { BrandId } from './catalogue.ts';

/** A brand with homes that nobody can search, because its booking system could not be read yet, or not for too long. */
export type UnreadBrand = {
  readonly brand: BrandId;
  /** Some of its homes can be searched. */
  readonly isPartlyRead: boolean;
  /** It was read before; its stored homes are being loaded after a start. */
  readonly isLoading?: boolean;
};

/** Asked at every search. */
export type UnreadBrands = () => readonly UnreadBrand[];
