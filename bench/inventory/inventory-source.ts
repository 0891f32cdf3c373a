import type { Day } from '../../src/stay/day.ts';
import type { BenchInventory } from './bench-inventory.ts';
import { readPublishedCity } from './published-city.ts';
import { createSyntheticInventory } from './synthetic-inventory.ts';

/** How many homes to make, or the folder of a published city. Plain data, so that it can be sent to another process. */
export type InventorySource = { readonly homes: number } | { readonly city: string };

export async function inventoryFrom(
  source: InventorySource,
  { seed, today }: { readonly seed: number; readonly today: Day },
): Promise<BenchInventory> {
  return 'homes' in source
    ? createSyntheticInventory({ seed, homes: source.homes, today })
    : await readPublishedCity(source.city, today);
}
