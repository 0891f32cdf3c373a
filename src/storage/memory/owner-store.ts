import type { OwnerSetting } from '../../console/owner-settings.ts';
import type { OwnerStore } from '../owner-store.ts';
import { createMemoryActivityStore } from './activity-store.ts';
import { createMemoryBookingOutcomes } from './booking-outcomes.ts';
import { createMemoryBrandControls } from './brand-controls.ts';

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
