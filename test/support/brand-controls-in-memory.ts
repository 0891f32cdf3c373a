import type { BrandId } from '../../src/catalogue/catalogue.ts';
import type { BrandControl, BrandControls } from '../../src/sync/brand-controls.ts';

export type ControlsInMemory = BrandControls & {
  /** While it is set, nothing can be read or decided. */
  fault: Error | null;
};

/** What the owner has decided, for one node or for several that share it. */
export function createControlsInMemory(): ControlsInMemory {
  const decided = new Map<BrandId, BrandControl>();

  function decide(brand: BrandId, change: Partial<BrandControl>): void {
    if (controls.fault) throw controls.fault;
    const before = decided.get(brand) ?? {
      brand,
      pausedAt: null,
      readingRequestedAt: null,
    };
    decided.set(brand, { ...before, ...change });
  }

  const controls: ControlsInMemory = {
    fault: null,
    async all() {
      if (controls.fault) throw controls.fault;
      return [...decided.values()];
    },
    async setPaused(brand, isPaused, at) {
      decide(brand, { pausedAt: isPaused ? at : null });
    },
    async requestReading(brand, at) {
      decide(brand, { readingRequestedAt: at });
    },
  };
  return controls;
}
