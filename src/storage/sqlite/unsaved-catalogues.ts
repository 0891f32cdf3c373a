import type { Listings } from '../../availability/inventory-store.ts';
import { indexedHome } from '../../availability/inventory-store.ts';
import type { BrandId, Property, PropertyId } from '../../catalogue/catalogue.ts';
import { listingDigest } from '../../catalogue/catalogue.ts';
import { inTurns } from '../../limits/event-loop.ts';

const KEPT_A_TURN = 5000;

/** Catalogues that could not be stored, in memory. Their homes can be offered all the same. */
export type UnsavedCatalogues = {
  keep(brand: BrandId, properties: readonly Property[]): Promise<void>;
  forget(brand: BrandId): void;
  /** These listings, and for all other homes the stored ones. */
  before(stored: Listings): Listings;
};

export function createUnsavedCatalogues(): UnsavedCatalogues {
  const unsaved = new Map<BrandId, ReadonlyMap<PropertyId, Property>>();

  function listing(id: PropertyId): Property | undefined {
    for (const catalogue of unsaved.values()) {
      const property = catalogue.get(id);
      if (property) return property;
    }
    return undefined;
  }

  return {
    async keep(brand, properties) {
      const catalogue = new Map<PropertyId, Property>();
      await inTurns(properties, KEPT_A_TURN, (property) => catalogue.set(property.id, property));
      unsaved.set(brand, catalogue);
    },
    forget: (brand) => void unsaved.delete(brand),
    before: (stored) => ({
      get: (id) => listing(id) ?? stored.get(id),
      home(id) {
        const property = listing(id);
        if (!property) return stored.home(id);
        return { home: indexedHome(property), digest: listingDigest(property) };
      },
    }),
  };
}
