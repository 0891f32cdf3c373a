import type { OwnerSetting } from '../../access/owner-settings.ts';
import type { BrandControl, BrandControls } from '../../sync/brand-controls.ts';
import type { OwnerStore } from '../owner-store.ts';
import { createMemoryActivityStore } from './activity-store.ts';
import { createMemoryBookingOutcomes } from './booking-outcomes.ts';

function createMemoryBrandControls(): BrandControls {
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

export function createMemoryOwnerStore(): OwnerStore {
  const settings = new Map<OwnerSetting, string>();
  return {
    activity: createMemoryActivityStore(),
    controls: createMemoryBrandControls(),
    outcomes: createMemoryBookingOutcomes(),
    owner: {
      get: async (name) => settings.get(name) ?? null,
      set: async (name, value) => void settings.set(name, value),
    },
  };
}
