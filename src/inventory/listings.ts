import type { Property, PropertyId } from './catalogue.ts';

/** Whole listings, for whoever asks an operator or shows a home. The index knows no more than it needs to find one. */
export interface Listings {
  /** Undefined for a home that is in no catalogue any more. */
  get(id: PropertyId): Property | undefined;
}
