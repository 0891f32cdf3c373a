import { type Arena, createScratchBuffers } from './arena.ts';
import { LIST_COUNT, LIST_ENTRIES } from './kernel/layout.ts';

/** Numbers for names, in order of arrival, stored in the arena. */
export type Names = {
  numberOf(name: string): number | undefined;
  /** Assigns a number to a new name. */
  intern(name: string): number;
  nameOf(number: number): string;
  readonly size: number;
};

const ENTRY_BYTES = 8;

export function createNames(arena: Arena, list: number): Names {
  const numbers = new Map<string, number>();
  const known: string[] = [];

  const count = arena.u32[(list + LIST_COUNT) >>> 2] ?? 0;
  const entries = (arena.u32[(list + LIST_ENTRIES) >>> 2] ?? 0) >>> 2;
  for (let number = 0; number < count; number++) {
    const [length = 0, address = 0] = arena.u32.subarray(entries + number * 2, entries + number * 2 + 2);
    add(textAt(arena, address, length));
  }

  function add(name: string): void {
    numbers.set(name, known.length);
    known.push(name);
  }

  return {
    numberOf: (name) => numbers.get(name),
    intern(name) {
      const number = numbers.get(name);
      if (number !== undefined) return number;
      const text = Buffer.from(name);
      const address = arena.allocate(text.length);
      arena.u8.set(text, address);
      const entry = arena.append(list, ENTRY_BYTES) >>> 2;
      arena.u32[entry] = text.length;
      arena.u32[entry + 1] = address;
      add(name);
      return known.length - 1;
    },
    nameOf: (number) => known[number] ?? '',
    get size() {
      return known.length;
    },
  };
}

export function textAt(arena: Arena, address: number, length: number): string {
  return arena.bytes.toString('utf8', address, address + length);
}

/** All names, sorted, and the address of their ranks by number: kernels sort by rank much faster than by name. */
type NameRanks = () => { readonly ranks: number; readonly sorted: readonly string[] };

export function createNameRanks(names: Names, arena: Arena): NameRanks {
  const buffer = createScratchBuffers(arena);
  let known: ReturnType<NameRanks> = { ranks: buffer('ranks', 4), sorted: [] };
  return () => {
    if (known.sorted.length === names.size) return known;
    const all = Array.from({ length: names.size }, (_, number) => names.nameOf(number));
    const sorted = all.toSorted();
    const rankOf = new Map(sorted.map((name, rank) => [name, rank]));
    const ranks = buffer('ranks', all.length * 4);
    arena.u32.set(
      all.map((name) => rankOf.get(name) ?? 0),
      ranks >>> 2,
    );
    known = { ranks, sorted };
    return known;
  };
}
