import type { AmenityLabels } from './amenity-labels.ts';
import type { Arena } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import type { Names } from './names.ts';
import type { PlaceTree } from './place-tree.ts';
import type { RowsById } from './rows-by-id.ts';
import type { Scopes } from './scopes.ts';
import type { Tiles } from './tiles.ts';

/** What writing and asking have in common. */
export type IndexParts = {
  readonly arena: Arena;
  readonly kernel: Kernel;
  readonly tiles: Tiles;
  readonly tree: PlaceTree;
  readonly rows: RowsById;
  readonly brandNames: Names;
  readonly amenityNames: Names;
  readonly labels: AmenityLabels;
  readonly places: Scopes;
  readonly brands: Scopes;
};

/** The number of the scope that has every home: after the places of the network. */
export function everywhere({ places }: PlaceTree): number {
  return places.length;
}
