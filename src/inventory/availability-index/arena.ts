import { HEAD_BYTES, HEAD_USED, LIST_CAPACITY, LIST_COUNT, LIST_ENTRIES } from './kernel/layout.ts';

/**
 * All that the index knows is in one memory, addressed by byte: kernels read it at full speed, several threads can share it, and
 * a snapshot is a copy of it.
 */
export type Arena = {
  readonly memory: WebAssembly.Memory;
  /** Views of the whole memory. They are replaced when it grows: read them anew after every allocation. */
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f64: Float64Array;
  /** For texts. */
  readonly bytes: Buffer;
  /** Zeroed, and aligned for vectors. */
  allocate(bytes: number): number;
  release(address: number, bytes: number): void;
  /** Memory that says nothing of any home: who reads a snapshot finds it free. */
  allocateScratch(bytes: number): number;
  /** Room for one more entry of a list; says where it is. The list may move. */
  append(list: number, entryBytes: number): number;
  readonly usedBytes: number;
  /** What is free for whoever reads a snapshot: for each size, how many blocks of it, and their addresses. */
  freeBlocks(): Uint32Array<ArrayBuffer>;
};

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
const ALIGNMENT = 16;
const MIN_GROWTH_PAGES = 64;
const FIRST_ENTRIES = 4;

export function createArena(): Arena {
  const memory = createMemory(0);
  new Uint32Array(memory.buffer)[HEAD_USED >>> 2] = aligned(HEAD_BYTES);
  return arenaOn(memory, new Map());
}

/** For as many bytes, which the caller fills before it makes an arena of it. */
export function createMemory(bytes: number): WebAssembly.Memory {
  const initial = Math.max(MIN_GROWTH_PAGES, Math.ceil(bytes / PAGE_BYTES));
  return new WebAssembly.Memory({ initial, maximum: MAX_PAGES, shared: true });
}

/** From the memory of another arena and its free blocks. */
export function restoreArena(memory: WebAssembly.Memory, freeBlocks: Uint32Array): Arena {
  const released = new Map<number, number[]>();
  for (let at = 0; at < freeBlocks.length; ) {
    const [size = 0, count = 0] = freeBlocks.subarray(at, at + 2);
    released.set(size, [...freeBlocks.subarray(at + 2, at + 2 + count)]);
    at += 2 + count;
  }
  return arenaOn(memory, released);
}

function arenaOn(memory: WebAssembly.Memory, released: Map<number, number[]>): Arena {
  const scratch = new Map<number, number>();
  let views = viewsOf(memory);

  function grow(bytes: number): void {
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
    // By an eighth, so that growing is rare and little is reserved in vain.
    const comfortable = Math.ceil(memory.buffer.byteLength / PAGE_BYTES / 8);
    const left = MAX_PAGES - memory.buffer.byteLength / PAGE_BYTES;
    if (missing > left)
      throw new RangeError(`the index is full: it cannot have more than ${MAX_PAGES} pages`);
    memory.grow(Math.max(missing, Math.min(left, Math.max(MIN_GROWTH_PAGES, comfortable))));
    views = viewsOf(memory);
  }

  function allocate(bytes: number): number {
    const size = aligned(bytes);
    const reused = released.get(size)?.pop();
    if (reused !== undefined) {
      views.u8.fill(0, reused, reused + size);
      return reused;
    }
    const address = views.u32[HEAD_USED >>> 2] ?? 0;
    if (address + size > memory.buffer.byteLength) grow(address + size);
    views.u32[HEAD_USED >>> 2] = address + size;
    return address;
  }

  function release(address: number, bytes: number): void {
    const size = aligned(bytes);
    scratch.delete(address);
    const ofSize = released.get(size);
    if (ofSize) ofSize.push(address);
    else released.set(size, [address]);
  }

  function allocateScratch(bytes: number): number {
    const address = allocate(bytes);
    scratch.set(address, aligned(bytes));
    return address;
  }

  function freeBlocks(): Uint32Array<ArrayBuffer> {
    const scratchOf = Map.groupBy(scratch.keys(), (address) => scratch.get(address) ?? 0);
    const sizes = [...new Set([...released.keys(), ...scratchOf.keys()])];
    const blocksOf = sizes.map((size) => [released.get(size) ?? [], scratchOf.get(size) ?? []]);
    const words = new Uint32Array(
      sizes.length * 2 + blocksOf.flat().reduce((sum, { length }) => sum + length, 0),
    );
    let at = 0;
    for (const [number, size] of sizes.entries()) {
      const blocks = blocksOf[number] ?? [];
      words.set([size, blocks.reduce((sum, { length }) => sum + length, 0)], at);
      at += 2;
      for (const addresses of blocks) {
        words.set(addresses, at);
        at += addresses.length;
      }
    }
    return words;
  }

  return {
    memory,
    get u8() {
      return views.u8;
    },
    get u16() {
      return views.u16;
    },
    get i32() {
      return views.i32;
    },
    get u32() {
      return views.u32;
    },
    get f64() {
      return views.f64;
    },
    get bytes() {
      return views.bytes;
    },
    allocate,
    release,
    allocateScratch,
    freeBlocks,
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
    get usedBytes() {
      return views.u32[HEAD_USED >>> 2] ?? 0;
    },
  };
}

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
