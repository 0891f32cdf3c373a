import { KERNEL } from './kernel.generated.ts';

/** The functions of the compiled kernels, whose sources are in `assembly/`. Addresses are byte offsets into the shared memory. */
export type Kernel = {
  setRing(days: number): void;
  setScratch(address: number): void;
  writeRow(tile: number, row: number, words: number): void;
  writeAmenities(tile: number, row: number, marks: number): void;
  findRules(
    minimums: number,
    maximums: number,
    closed: number,
    nights: number,
    ruleOf: number,
    rules: number,
  ): number;
  codePrices(costs: number, codes: number): void;
  listPrices(costs: number, prices: number, numbers: number): number;
  stepPrices(costs: number, codes: number, packed: number): void;
  refreshArrivals(tile: number, row: number, words: number): void;
  insertRung(ladder: number, code: number, bytes: number): void;
  hasMatch(scopes: number, count: number, query: number): number;
  countByCity(scopes: number, count: number, query: number, counts: number): void;
  markArrivals(scopes: number, count: number, query: number, found: number): void;
  markDepartures(scopes: number, count: number, query: number, found: number): void;
  largestParty(scopes: number, count: number, query: number): number;
  findMatches(scopes: number, count: number, query: number, found: number): void;
  endChoice(): void;
  orderCounts(counts: number, size: number, ranks: number, keys: number): number;
  forgetDay(slot: number): void;
  moveTiles(from: number, to: number, query: number): number;
  hasHomes(scope: number, query: number): number;
  missesOf(scope: number, query: number): number;
  leastFactOf(scope: number, query: number, rank: number): number;
};

const compiled = new WebAssembly.Module(Buffer.from(KERNEL, 'base64'));

export function instantiateKernel(memory: WebAssembly.Memory): Kernel {
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return exports as Kernel & WebAssembly.Exports;
}
