import type { Names } from './names.ts';

/** The position of each name among all of them, by number: numbers are sorted much faster than names. */
export type NameRanks = () => { readonly ranks: Uint32Array; readonly sorted: readonly string[] };

export function createNameRanks(names: Names): NameRanks {
  let known: ReturnType<NameRanks> = { ranks: new Uint32Array(0), sorted: [] };
  return () => {
    if (known.sorted.length === names.size) return known;
    const all = Array.from({ length: names.size }, (_, number) => names.nameOf(number));
    const sorted = all.toSorted();
    const rankOf = new Map(sorted.map((name, rank) => [name, rank]));
    known = { ranks: Uint32Array.from(all, (name) => rankOf.get(name) ?? 0), sorted };
    return known;
  };
}
