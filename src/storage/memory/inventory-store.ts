import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrandId, Property, PropertyId } from '../../inventory/catalogue.ts';
import type { InventoryStore, StoredCalendar, StoredProperty } from '../../inventory/inventory-store.ts';

const LOADED_A_TURN = 16;

type MemoryProperty = {
  readonly property: Property;
  read: Pick<StoredCalendar, 'calendar' | 'readAt'> | undefined;
};

export function createMemoryInventoryStore(): InventoryStore {
  const properties = new Map<PropertyId, MemoryProperty>();
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  const learned = new Map<BrandId, string>();

  return {
    async load(take) {
      let few: StoredProperty[] = [];
      for (const { property, read } of [...properties.values()]) {
        if (!read) continue;
        few.push({ property, ...structuredClone(read) });
        if (few.length < LOADED_A_TURN) continue;
        take(few);
        few = [];
        await nextTurn();
      }
      if (few.length > 0) take(few);
    },

    async replaceCatalogue(brand, catalogue) {
      const remaining = new Set(catalogue.map((property) => property.id));
      for (const [id, { property }] of properties) {
        if (property.brand === brand && !remaining.has(id)) properties.delete(id);
      }
      for (const property of catalogue) {
        const read = properties.get(property.id)?.read;
        properties.set(property.id, { property, read });
      }
    },

    async saveCalendars(calendars) {
      for (const { property, calendar, readAt } of calendars) {
        const stored = properties.get(property);
        if (stored) stored.read = structuredClone({ calendar, readAt });
      }
    },

    async saveDocument(name, document) {
      documents.set(name, document.slice());
    },

    async document(name) {
      return documents.get(name)?.slice();
    },

    async saveLearned(brand, text) {
      learned.set(brand, text);
    },

    async learned(brand) {
      return learned.get(brand);
    },
  };
}
