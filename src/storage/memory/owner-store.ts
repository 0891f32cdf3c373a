import type { OwnerStore } from '../owner-store.ts';
import { createMemoryActivityStore } from './activity-store.ts';
import { createMemoryBookingOutcomes } from './booking-outcomes.ts';
import { createMemoryBrandControls } from './brand-controls.ts';
import { createMemoryOwnerSettings } from './owner-settings.ts';

export function createMemoryOwnerStore(): OwnerStore {
  return {
    activity: createMemoryActivityStore(),
    controls: createMemoryBrandControls(),
    outcomes: createMemoryBookingOutcomes(),
    owner: createMemoryOwnerSettings(),
  };
}
