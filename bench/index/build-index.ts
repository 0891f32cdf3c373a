import type { BenchHome, BenchInventory } from '../inventory/bench-inventory.ts';
import { type AskedIndex, createAskedIndex } from './ask.ts';

export type BuiltIndex = {
  readonly index: AskedIndex;
  /** Heap, buffers and shared memory, for each home. */
  readonly bytesPerHome: number;
  /** By how much the process grew, garbage included. */
  readonly residentPerHome: number;
  /** Without the time in which the homes were made. */
  readonly buildUsPerHome: number;
};

/** Loads the whole inventory, as after a start. Needs `--expose-gc`. */
export function buildIndex(inventory: BenchInventory, { gc = globalThis.gc } = {}): BuiltIndex {
  if (!gc) throw new Error('memory can only be measured with --expose-gc');
  gc();
  const before = memoryNow();
  const index = createAskedIndex(inventory);
  let makingMs = 0;
  const startedAt = performance.now();
  index.load(timed(inventory.homes(), (ms) => (makingMs += ms)));
  const loadingMs = performance.now() - startedAt - makingMs;
  const resident = process.memoryUsage.rss() - before.resident;
  gc();
  const counted = memoryNow().counted - before.counted;
  return {
    index,
    bytesPerHome: (counted + index.uncountedBytes()) / inventory.size,
    residentPerHome: resident / inventory.size,
    buildUsPerHome: (loadingMs * 1000) / inventory.size,
  };
}

function* timed(homes: Iterable<BenchHome>, add: (ms: number) => void): Generator<BenchHome> {
  let startedAt = performance.now();
  for (const home of homes) {
    add(performance.now() - startedAt);
    yield home;
    startedAt = performance.now();
  }
}

/** `arrayBuffers` has shared buffers in it, `external` does not. */
function memoryNow(): { readonly counted: number; readonly resident: number } {
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { counted: heapUsed + arrayBuffers, resident: rss };
}
