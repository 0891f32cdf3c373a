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
  /** Another thread may have let the memory grow: the views then become longer. */
  refresh(): void;
  /** Zeroed, and aligned for vectors. */
  allocate(bytes: number): number;
  release(address: number, bytes: number): void;
  /** Room for one more entry of a list; says where it is. The list may move. */
  append(list: number, entryBytes: number): number;
  readonly usedBytes: number;
};

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
const ALIGNMENT = 16;
const MIN_GROWTH_PAGES = 64;
const FIRST_ENTRIES = 4;

/** With the memory of an arena in another thread, it is the same one. */
export function createArena(shared?: WebAssembly.Memory): Arena {
  const memory =
    shared ?? new WebAssembly.Memory({ initial: MIN_GROWTH_PAGES, maximum: MAX_PAGES, shared: true });
  const released = new Map<number, number[]>();
  let views = viewsOf(memory);
  if (!shared) views.u32[HEAD_USED >>> 2] = aligned(HEAD_BYTES);

  function grow(bytes: number): void {
    const pages = memory.buffer.byteLength / PAGE_BYTES;
    const missing = Math.ceil(bytes / PAGE_BYTES) - pages;
    // By an eighth, so that growing is rare and little is reserved in vain.
    const comfortable = Math.min(MAX_PAGES - pages, Math.max(MIN_GROWTH_PAGES, Math.ceil(pages / 8)));
    if (missing > 0) memory.grow(Math.max(missing, comfortable));
    views = viewsOf(memory);
  }

  function allocate(bytes: number): number {
    const size = aligned(bytes);
    const reused = released.get(size)?.pop();
    if (reused !== undefined) {
      views.u8.fill(0, reused, reused + size);
      return reused;
    }
    const address = claim(size);
    if (address + size > views.u8.length) grow(address + size);
    return address;
  }

  /** Threads claim at the same time, so nobody writes what was claimed in between. */
  function claim(size: number): number {
    for (;;) {
      const used = Atomics.load(views.u32, HEAD_USED >>> 2);
      if (used + size > MAX_PAGES * PAGE_BYTES)
        throw new RangeError(`the index is full: it cannot have more than ${MAX_PAGES} pages`);
      if (Atomics.compareExchange(views.u32, HEAD_USED >>> 2, used, used + size) === used) return used;
    }
  }

  function release(address: number, bytes: number): void {
    const size = aligned(bytes);
    const ofSize = released.get(size);
    if (ofSize) ofSize.push(address);
    else released.set(size, [address]);
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
    refresh() {
      if ((views.u32[HEAD_USED >>> 2] ?? 0) > views.u8.length) views = viewsOf(memory);
    },
    allocate,
    release,
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
