import type { InventoryStore, StoredProperty } from '../../src/inventory/inventory-store.ts';

export async function allStored(store: InventoryStore): Promise<readonly StoredProperty[]> {
  const stored: StoredProperty[] = [];
  await store.load((few) => stored.push(...few));
  return stored;
}
