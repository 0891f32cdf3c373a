import type { BrandControl, BrandControls } from '../../sync/brand-controls.ts';

export function createMemoryBrandControls(): BrandControls {
  const controls = new Map<string, BrandControl>();

  function decide(brand: string, decision: (known: BrandControl) => Partial<BrandControl>): void {
    const known = controls.get(brand) ?? {
      brand,
      pausedAt: null,
      readingRequestedAt: null,
      confirmedLosses: new Map(),
    };
    controls.set(brand, { ...known, ...decision(known) });
  }

  return {
    all: async () => [...controls.values()],
    async setPaused(brand, isPaused, at) {
      decide(brand, ({ pausedAt }) => ({ pausedAt: isPaused ? (pausedAt ?? at) : null }));
    },
    async requestReading(brand, at) {
      decide(brand, ({ readingRequestedAt }) => ({
        readingRequestedAt: Math.max(readingRequestedAt ?? at, at),
      }));
    },
    async confirmLosses(brand, reference, at) {
      decide(brand, ({ confirmedLosses }) => ({
        confirmedLosses: new Map([...confirmedLosses, [reference, at]]),
      }));
    },
  };
}
