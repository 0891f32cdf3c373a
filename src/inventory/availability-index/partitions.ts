import type { BrandId, PlaceId } from '../catalogue.ts';
import type { Stock } from './columns.ts';

/** The slots of all stock of one brand (or of every brand) in one place (or in all): what a criteria picks before dates come in. */
export type Shelf = {
  readonly slots: number[];
  /** Never the same again once anything on the shelf has changed. */
  version: number;
};

type Shelves = {
  shelfOf(brand: BrandId | null, place: PlaceId | null): Shelf | undefined;
  add(stock: Stock): void;
  remove(stock: Stock): void;
  markChanged(stock: Stock): void;
};

export function createShelves(): Shelves {
  const shelvesByBrand = new Map<BrandId | null, Map<PlaceId | null, Shelf>>();
  let changes = 0;

  function shelvesOf(stock: Stock): readonly Shelf[] {
    return [null, stock.property.brand].flatMap((brand) =>
      [null, ...stock.city.places].map((place) => shelfMadeFor(brand, place)),
    );
  }

  function shelfMadeFor(brand: BrandId | null, place: PlaceId | null): Shelf {
    const shelves = shelvesByBrand.get(brand) ?? new Map<PlaceId | null, Shelf>();
    shelvesByBrand.set(brand, shelves);
    const shelf = shelves.get(place) ?? { slots: [], version: 0 };
    shelves.set(place, shelf);
    return shelf;
  }

  function markChanged(stock: Stock): void {
    changes++;
    for (const shelf of shelvesOf(stock)) shelf.version = changes;
  }

  return {
    shelfOf: (brand, place) => shelvesByBrand.get(brand)?.get(place),
    add(stock) {
      for (const { slots } of shelvesOf(stock)) slots.push(stock.slot);
      markChanged(stock);
    },
    remove(stock) {
      for (const { slots } of shelvesOf(stock)) slots.splice(slots.indexOf(stock.slot), 1);
      markChanged(stock);
    },
    markChanged,
  };
}
