import type { InventoryStore, LoadedHome } from '../../src/availability/inventory-store.ts';

export async function allStored(store: InventoryStore): Promise<readonly LoadedHome[]> {
  const stored: LoadedHome[] = [];
  await store.load((few) => stored.push(...few));
  return stored;
}
