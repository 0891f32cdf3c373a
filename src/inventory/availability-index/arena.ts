import { IndexFull } from './availability-index.ts';
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
  /** Throws `IndexFull` unless as much can be allocated from now on. */
  makeRoom(bytes: number): void;
  /** Room for one more entry of a list; says where it is. The list may move. */
  append(list: number, entryBytes: number): number;
  readonly usedBytes: number;
};

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
const ALIGNMENT = 16;
const MIN_GROWTH_PAGES = 64;
const FIRST_ENTRIES = 4;

export function createArena(maxPages = MAX_PAGES): Arena {
  const memory = new WebAssembly.Memory({ initial: MIN_GROWTH_PAGES, maximum: maxPages, shared: true });
  const released = new Map<number, number[]>();
  let views = viewsOf(memory);
  views.u32[HEAD_USED >>> 2] = aligned(HEAD_BYTES);

  function grow(bytes: number): void {
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
    // By an eighth, so that growing is rare and little is reserved in vain.
    const comfortable = Math.ceil(memory.buffer.byteLength / PAGE_BYTES / 8);
    const left = maxPages - memory.buffer.byteLength / PAGE_BYTES;
    if (missing > left) throw new IndexFull(`the index cannot have more than ${maxPages} pages of memory`);
    try {
      memory.grow(Math.max(missing, Math.min(left, Math.max(MIN_GROWTH_PAGES, comfortable))));
    } catch (cause) {
      throw new IndexFull('the machine has no more memory for the index', { cause });
    }
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
    allocate,
    release,
    makeRoom(bytes) {
      const used = (views.u32[HEAD_USED >>> 2] ?? 0) + bytes;
      if (used > memory.buffer.byteLength) grow(used);
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
