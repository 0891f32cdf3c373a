import type { InventoryStore } from '../availability/inventory-store.ts';

/** What reading a brand stores. */
export type BrandWrites = Pick<InventoryStore, 'replaceCatalogue' | 'saveCalendars' | 'saveDocument'>;

export type LeadingStore = BrandWrites & {
  /** Whether the index of this node may have, or lack, something that the store has otherwise. */
  readonly differs: boolean;
  /** Something was stored that the index did not take. */
  missed(): void;
  /** The index is as the store is. */
  putRight(): void;
};

/**
 * Stores what is read of a brand for as long as this node may. After that, what was under way is not stored: by then another node may have
 * read something newer. Remembers whether the index has got ahead of the store.
 */
export function createLeadingStore(store: BrandWrites, mayWrite: () => boolean): LeadingStore {
  let differs = false;

  async function offered(write: () => Promise<void>): Promise<void> {
    if (!mayWrite()) {
      differs = true;
      return;
    }
    try {
      await write();
    } catch (error) {
      differs = true;
      throw error;
    }
  }

  return {
    replaceCatalogue: (brand, properties) => offered(() => store.replaceCatalogue(brand, properties)),
    saveCalendars: (calendars) => offered(() => store.saveCalendars(calendars)),
    async saveDocument(name, document) {
      if (mayWrite()) await store.saveDocument(name, document);
    },
    get differs() {
      return differs;
    },
    missed() {
      differs = true;
    },
    putRight() {
      differs = false;
    },
  };
}
