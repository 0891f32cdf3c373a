/** Where a piece of an arena lies. */
export type Span = { readonly from: number; readonly length: number };

/**
 * The bodies of a whole batch, one after the other in one buffer: it changes threads in one piece without being
 * copied again, and comes back for the next batch. Cloning the bodies one by one would copy the whole memory
 * pool that each of them may be a view of.
 */
export type Arena = {
  append(bytes: Uint8Array): Span;
  readonly size: number;
  /** The buffer to hand over; the arena is not used after that. */
  buffer(): ArrayBuffer;
};

const FIRST_BYTES = 256 * 1024;
/** What one outsized batch has grown is given back to the system instead of being kept for ever. */
const MAX_KEPT = 8 * 1024 * 1024;

export function createArena(used?: ArrayBuffer): Arena {
  const reusable = used !== undefined && used.byteLength <= MAX_KEPT && used.byteLength > 0;
  let memory = new Uint8Array(reusable ? used : new ArrayBuffer(FIRST_BYTES));
  let size = 0;
  return {
    append(bytes) {
      if (size + bytes.length > memory.length) {
        const larger = new Uint8Array(Math.max(memory.length * 2, size + bytes.length));
        larger.set(memory.subarray(0, size));
        memory = larger;
      }
      memory.set(bytes, size);
      const span = { from: size, length: bytes.length };
      size += bytes.length;
      return span;
    },
    get size() {
      return size;
    },
    buffer: () => memory.buffer,
  };
}

export function pieceOf(memory: Uint8Array, { from, length }: Span): Uint8Array {
  return memory.subarray(from, from + length);
}
