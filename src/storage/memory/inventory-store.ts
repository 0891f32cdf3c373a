import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Calendar } from '../../inventory/calendar.ts';
import type { BrandId, Property, PropertyId } from '../../inventory/catalogue.ts';
import type { InventoryStore, StoredProperty } from '../../inventory/inventory-store.ts';

const LOADED_A_TURN = 16;

type MemoryProperty = { readonly property: Property; calendar: Calendar | undefined };

export function createMemoryInventoryStore(): InventoryStore {
  const properties = new Map<PropertyId, MemoryProperty>();
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  const learned = new Map<BrandId, string>();

  return {
    async load(take) {
      let few: StoredProperty[] = [];
      for (const { property, calendar } of [...properties.values()]) {
        if (!calendar) continue;
        few.push({ property, calendar: structuredClone(calendar) });
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
        const calendar = properties.get(property.id)?.calendar;
        properties.set(property.id, { property, calendar });
      }
    },

    async saveCalendars(calendars) {
      for (const { property, calendar } of calendars) {
        const stored = properties.get(property);
        if (stored) stored.calendar = structuredClone(calendar);
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
