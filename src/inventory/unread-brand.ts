import type { BrandId } from './catalogue.ts';

/** A brand with homes that nobody can search, because its booking system could not be read yet, or not for too long. */
export type UnreadBrand = {
  readonly brand: BrandId;
  /** Some of its homes can be searched. */
  readonly isPartlyRead: boolean;
};

/** Asked at every search. */
export type UnreadBrands = () => readonly UnreadBrand[];
