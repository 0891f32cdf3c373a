import type { Calendar } from '../../inventory/calendar.ts';
import type { BrandId, Property, PropertyId } from '../../inventory/catalogue.ts';
import type { InventoryStore, StoredProperty } from '../../inventory/inventory-store.ts';

type MemoryProperty = { readonly brand: BrandId; readonly state: string; calendar: Calendar | undefined };

export function createMemoryInventoryStore(): InventoryStore {
  const properties = new Map<PropertyId, MemoryProperty>();
  const rateCards = new Map<BrandId, string>();
  const learned = new Map<BrandId, string>();

  return {
    async load() {
      const stored: StoredProperty[] = [];
      for (const { state, calendar } of properties.values()) {
        if (!calendar) continue;
        const property: Property = JSON.parse(state);
        stored.push({ property, calendar: structuredClone(calendar) });
      }
      return stored;
    },

    async replaceCatalogue(brand, catalogue) {
      const remaining = new Set(catalogue.map((property) => property.id));
      for (const [id, property] of properties) {
        if (property.brand === brand && !remaining.has(id)) properties.delete(id);
      }
      for (const property of catalogue) {
        const calendar = properties.get(property.id)?.calendar;
        properties.set(property.id, { brand, state: JSON.stringify(property), calendar });
      }
    },

    async saveCalendars(calendars) {
      for (const { property, calendar } of calendars) {
        const stored = properties.get(property);
        if (stored) stored.calendar = structuredClone(calendar);
      }
    },

    async saveDocument(brand, json) {
      rateCards.set(brand, json);
    },

    async document(brand) {
      return rateCards.get(brand);
    },

    async saveLearned(brand, text) {
      learned.set(brand, text);
    },

    async learned(brand) {
      return learned.get(brand);
    },
  };
}
