import type { Arena } from '../../src/availability/arena.ts';
import { createAvailabilityIndex } from '../../src/availability/tiled-index.ts';
import type { Network } from '../../src/catalogue/catalogue.ts';
import { SOME_DAY } from './random-world.ts';

/** Random worlds are asked about days of two months, in any order: none of them is forgotten meanwhile. */
const DAYS_BEFORE = 4;
const RING_DAYS = 672;

export const WORLD_INDEX = { now: (SOME_DAY - DAYS_BEFORE) * 86_400_000, ringDays: RING_DAYS };

export function createWorldIndex(network: Network, restored?: Arena) {
  return createAvailabilityIndex(network, { ...WORLD_INDEX, ...(restored ? { restored } : {}) });
}
