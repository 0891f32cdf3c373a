import type { InventoryStore, StoredHome } from '../../src/inventory/inventory-store.ts';

export async function allStored(store: InventoryStore): Promise<readonly StoredHome[]> {
  const stored: StoredHome[] = [];
  await store.load((few) => stored.push(...few));
  return stored;
}
