import type { BrandId, PlaceId } from '../catalogue.ts';
import type { IndexEntry } from './columns.ts';

/** The rows of one brand (or of every brand) in one place (or in all of them). */
type Partition = {
  readonly rows: number[];
  /** Never the same again once an entry has changed. */
  version: number;
};

type Partitions = {
  rowsOf(brand: BrandId | null, place: PlaceId | null): readonly number[];
  /** 0 for a partition that never had an entry. */
  versionOf(brand: BrandId | null, place: PlaceId | null): number;
  add(entry: IndexEntry): void;
  remove(entry: IndexEntry): void;
  /** Takes one pass over each partition, where `remove` searches it for each entry. */
  removeAll(entries: readonly IndexEntry[]): void;
  markChanged(entry: IndexEntry): void;
};

const NO_ROWS: readonly number[] = [];

export function createPartitions(): Partitions {
  const partitionsByBrand = new Map<BrandId | null, Map<PlaceId | null, Partition>>();
  let changes = 0;

  function partitionOf(brand: BrandId | null, place: PlaceId | null): Partition | undefined {
    return partitionsByBrand.get(brand)?.get(place);
  }

  function partitionsWith({ home, city }: IndexEntry): readonly Partition[] {
    return [null, home.brand].flatMap((brand) =>
      [null, ...city.places].map((place) => partitionOf(brand, place) ?? createPartition(brand, place)),
    );
  }

  function createPartition(brand: BrandId | null, place: PlaceId | null): Partition {
    const partition: Partition = { rows: [], version: 0 };
    const ofBrand = partitionsByBrand.get(brand) ?? new Map<PlaceId | null, Partition>();
    partitionsByBrand.set(brand, ofBrand.set(place, partition));
    return partition;
  }

  function markChanged(entry: IndexEntry): void {
    changes++;
    for (const partition of partitionsWith(entry)) partition.version = changes;
  }

  return {
    rowsOf: (brand, place) => partitionOf(brand, place)?.rows ?? NO_ROWS,
    versionOf: (brand, place) => partitionOf(brand, place)?.version ?? 0,
    add(entry) {
      for (const { rows } of partitionsWith(entry)) rows.push(entry.row);
      markChanged(entry);
    },
    remove(entry) {
      for (const { rows } of partitionsWith(entry)) rows.splice(rows.indexOf(entry.row), 1);
      markChanged(entry);
    },
    removeAll(entries) {
      const removed = new Set(entries.map(({ row }) => row));
      changes++;
      for (const partition of new Set(entries.flatMap(partitionsWith))) {
        let kept = 0;
        for (const row of partition.rows) {
          if (!removed.has(row)) partition.rows[kept++] = row;
        }
        partition.rows.length = kept;
        partition.version = changes;
      }
    },
    markChanged,
  };
}
