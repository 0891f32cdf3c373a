import type { BrandId, Network } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import { HELD_BACK_RULES } from '../quotes/held-back-rules.ts';
import type { BrandControls } from '../sync/brand-controls.ts';
import { readHeldBack } from '../sync/held-back-store.ts';
import type { OperatorHealth } from '../sync/operator-health.ts';
import { readSyncRecord } from '../sync/sync-record.ts';

/** How operators fare as far as the store tells; what only a running service knows is null. */
export async function storedHealth(
  { brands }: Pick<Network, 'brands'>,
  documents: Pick<InventoryStore, 'document'>,
  controls: Pick<BrandControls, 'all'>,
  systemOf: (brand: BrandId) => string,
  now: number,
): Promise<readonly OperatorHealth[]> {
  const paused = new Map((await controls.all()).map(({ brand, pausedAt }) => [brand, pausedAt]));
  const healthOf = async (brand: BrandId): Promise<OperatorHealth> => {
    const [record, report] = await Promise.all([
      readSyncRecord(documents, brand),
      readHeldBack(documents, brand),
    ]);
    const { name = brand } = brands.get(brand) ?? {};
    const pausedAt = paused.get(brand) ?? null;
    // As a service has it: nothing of a paused brand is on offer.
    const isOffered = pausedAt === null;
    const oldest = isOffered ? (record?.oldestCalendarAt ?? null) : null;
    return {
      brand,
      name,
      system: systemOf(brand),
      lastReadAt: record?.completedAt ?? null,
      lastFailure: record?.lastFailure?.kind ?? null,
      lastFailureMessage: record?.lastFailure?.message ?? null,
      homes: isOffered ? (record?.offered ?? null) : 0,
      oldestCalendarMs: oldest === null ? null : Math.max(0, now - oldest),
      calendarsWaiting: record?.waiting ?? null,
      breaker: null,
      pausedAt,
      budget: null,
      heldBack: (report?.heldBack ?? []).map(({ reference, field, rule, value, repaired = false }) => ({
        reference,
        field,
        rule,
        value: value ?? null,
        remedy: HELD_BACK_RULES[rule].remedy,
        isRepaired: repaired,
      })),
      heldBackBesides: report?.notListed ?? 0,
    };
  };
  return Promise.all([...brands.keys()].map(healthOf));
}
