import { IndexFull } from './availability-index.ts';
import {
  HEAD_BYTES,
  HEAD_SCRATCH,
  HEAD_USED,
  LIST_CAPACITY,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_TILE_ROWS,
} from './kernel/layout.ts';

/**
 * The whole index is in one memory, addressed by byte: kernels read it at full speed, and a snapshot is a copy of it.
 */
export type Arena = Readonly<MemoryViews> & {
  readonly memory: WebAssembly.Memory;
  /** Allocates zeroed memory, aligned for vectors. */
  allocate(bytes: number): number;
  release(address: number, bytes: number): void;
  /** Scratch memory, without data of homes. It is never released; a reader of a snapshot finds it free. */
  allocateScratch(bytes: number): number;
  /** Throws `IndexFull` unless this much can be allocated. */
  ensureCapacity(bytes: number): void;
  /** Capacity for this many entries of an empty list. */
  reserve(list: number, entries: number, entryBytes: number): void;
  /** Capacity for one more entry of a list; returns its address. The list may move. */
  append(list: number, entryBytes: number): number;
  readonly usedBytes: () => number;
  /** The free blocks, for readers of a snapshot: for each size the number of blocks and their addresses. */
  freeBlocks(): Uint32Array<ArrayBuffer>;
};

const PAGE_BYTES = 65_536;
/** One less than can be addressed, so that 32 bits can hold its end. */
const MAX_PAGES = 65_535;
const ALIGNMENT = 16;
const MIN_GROWTH_PAGES = 64;
const FIRST_ENTRIES = 4;
const SCRATCH_HEAD_BYTES = 16;
/** Kernels read every plane with the maximum size, so there has to be memory behind the last one. */
const READ_BEHIND_BYTES = MAX_TILE_ROWS / 8;

export function createArena(maxPages = MAX_PAGES): Arena {
  const memory = createMemory(0, maxPages);
  new Uint32Array(memory.buffer)[HEAD_USED >>> 2] = aligned(HEAD_BYTES);
  return arenaOn(memory, new Map());
}

/** A memory of this size, which the caller fills before it creates an arena on it. */
export function createMemory(bytes: number, maxPages = MAX_PAGES): WebAssembly.Memory {
  const initial = Math.max(MIN_GROWTH_PAGES, Math.ceil((bytes + READ_BEHIND_BYTES) / PAGE_BYTES));
  return new WebAssembly.Memory({ initial, maximum: maxPages, shared: true });
}

/** Restores an arena from its memory and its free blocks. */
export function restoreArena(memory: WebAssembly.Memory, freeBlocks: Uint32Array): Arena {
  const released = new Map<number, number[]>();
  for (let at = 0; at < freeBlocks.length; ) {
    const [size = 0, count = 0] = freeBlocks.subarray(at, at + 2);
    released.set(size, [...freeBlocks.subarray(at + 2, at + 2 + count)]);
    at += 2 + count;
  }
  new Uint32Array(memory.buffer)[HEAD_SCRATCH >>> 2] = 0;
  return arenaOn(memory, released);
}

function arenaOn(memory: WebAssembly.Memory, released: Map<number, number[]>): Arena {
  const views: MemoryViews = viewsOf(memory);

  function growTo(used: number): void {
    const bytes = used + READ_BEHIND_BYTES;
    if (bytes <= views.u8.length) return;
    const pages = views.u8.length / PAGE_BYTES;
    const missing = Math.ceil(bytes / PAGE_BYTES) - pages;
    // By an eighth, so that growth is rare and little of it stays unused.
    const comfortable = Math.max(missing, MIN_GROWTH_PAGES, Math.ceil(pages / 8));
    if (!canGrow(comfortable) && !canGrow(missing))
      throw new IndexFull(`there is no memory for more than ${pages} pages of the index`);
    Object.assign(views, viewsOf(memory));
  }

  function canGrow(pages: number): boolean {
    try {
      memory.grow(pages);
      return true;
    } catch {
      return false;
    }
  }

  function allocate(bytes: number): number {
    const size = aligned(bytes);
    const reused = released.get(size)?.pop();
    if (reused !== undefined) {
      views.u8.fill(0, reused, reused + size);
      return reused;
    }
    const used = views.u32[HEAD_USED >>> 2] ?? 0;
    growTo(used + size);
    views.u32[HEAD_USED >>> 2] = used + size;
    return used;
  }

  function release(address: number, bytes: number): void {
    const size = aligned(bytes);
    const ofSize = released.get(size);
    if (ofSize) ofSize.push(address);
    else released.set(size, [address]);
  }

  /** The scratch blocks form a list: each begins with the address of the next one and its own size. */
  function allocateScratch(bytes: number): number {
    const size = aligned(SCRATCH_HEAD_BYTES + bytes);
    const block = allocate(size);
    views.u32[block >>> 2] = views.u32[HEAD_SCRATCH >>> 2] ?? 0;
    views.u32[(block >>> 2) + 1] = size;
    views.u32[HEAD_SCRATCH >>> 2] = block;
    return block + SCRATCH_HEAD_BYTES;
  }

  function freeBlocks(): Uint32Array<ArrayBuffer> {
    const blocksOf = new Map([...released].map(([size, blocks]) => [size, [...blocks]]));
    for (let block = views.u32[HEAD_SCRATCH >>> 2] ?? 0; block !== 0; block = views.u32[block >>> 2] ?? 0) {
      const size = views.u32[(block >>> 2) + 1] ?? 0;
      const ofSize = blocksOf.get(size);
      if (ofSize) ofSize.push(block);
      else blocksOf.set(size, [block]);
    }
    const words = [...blocksOf.values()].reduce((sum, { length }) => sum + 2 + length, 0);
    const listed = new Uint32Array(words);
    let at = 0;
    for (const [size, blocks] of blocksOf) {
      listed.set([size, blocks.length], at);
      listed.set(blocks, at + 2);
      at += 2 + blocks.length;
    }
    return listed;
  }

  const arena: Omit<Arena, keyof MemoryViews> = {
    memory,
    allocate,
    release,
    allocateScratch,
    freeBlocks,
    ensureCapacity(bytes) {
      growTo((views.u32[HEAD_USED >>> 2] ?? 0) + bytes);
    },
    reserve(list, count, entryBytes) {
      const entries = allocate(count * entryBytes);
      views.u32[(list + LIST_CAPACITY) >>> 2] = count;
      views.u32[(list + LIST_ENTRIES) >>> 2] = entries;
    },
    append(list, entryBytes) {
      const count = views.u32[(list + LIST_COUNT) >>> 2] ?? 0;
      const capacity = views.u32[(list + LIST_CAPACITY) >>> 2] ?? 0;
      if (count === capacity) {
        const larger = Math.max(FIRST_ENTRIES, capacity * 2);
        const before = views.u32[(list + LIST_ENTRIES) >>> 2] ?? 0;
        const entries = allocate(larger * entryBytes);
        views.u8.copyWithin(entries, before, before + count * entryBytes);
        if (capacity > 0) release(before, capacity * entryBytes);
        views.u32[(list + LIST_CAPACITY) >>> 2] = larger;
        views.u32[(list + LIST_ENTRIES) >>> 2] = entries;
      }
      views.u32[(list + LIST_COUNT) >>> 2] = count + 1;
      return (views.u32[(list + LIST_ENTRIES) >>> 2] ?? 0) + count * entryBytes;
    },
    usedBytes: () => views.u32[HEAD_USED >>> 2] ?? 0,
  };
  return Object.assign(views, arena);
}

/** Views of the whole memory, replaced when it grows: read them again after every allocation. `bytes` is for texts. */
type MemoryViews = ReturnType<typeof viewsOf>;

function viewsOf({ buffer }: WebAssembly.Memory) {
  return {
    u8: new Uint8Array(buffer),
    u16: new Uint16Array(buffer),
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f64: new Float64Array(buffer),
    bytes: Buffer.from(buffer),
  };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Scratch memory by name: the same buffer every time, replaced by a larger one when needed. */
type ScratchBuffers = (name: string, bytes: number) => number;

export function createScratchBuffers(arena: Arena): ScratchBuffers {
  const buffers = new Map<string, { readonly address: number; readonly bytes: number }>();
  return (name, bytes) => {
    const known = buffers.get(name);
    if (known && known.bytes >= bytes) return known.address;
    const larger = { address: arena.allocateScratch(bytes * 2), bytes: bytes * 2 };
    buffers.set(name, larger);
    return larger.address;
  };
}
