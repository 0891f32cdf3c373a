import type { Arena } from './arena.ts';
import type { Names } from './names.ts';
import { createRoom } from './room.ts';

/** All names in their order, and where in memory the rank of each is, by its number: kernels sort by rank much faster than names are sorted. */
export type NameRanks = () => { readonly ranks: number; readonly sorted: readonly string[] };

export function createNameRanks(names: Names, arena: Arena): NameRanks {
  const room = createRoom(arena);
  let known: ReturnType<NameRanks> = { ranks: room('ranks', 4), sorted: [] };
  return () => {
    if (known.sorted.length === names.size) return known;
    const all = Array.from({ length: names.size }, (_, number) => names.nameOf(number));
    const sorted = all.toSorted();
    const rankOf = new Map(sorted.map((name, rank) => [name, rank]));
    const ranks = room('ranks', all.length * 4);
    arena.u32.set(
      all.map((name) => rankOf.get(name) ?? 0),
      ranks >>> 2,
    );
    known = { ranks, sorted };
    return known;
  };
}
