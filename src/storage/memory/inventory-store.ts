import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type InventoryStore,
  indexedHome,
  type LoadedHome,
  type StoredCalendar,
} from '../../availability/inventory-store.ts';
import { calendarDigest } from '../../catalogue/calendar.ts';
import { type BrandId, listingDigest, type Property, type PropertyId } from '../../catalogue/catalogue.ts';
import { weightOf } from '../../parsing/owned-memory.ts';

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
    async load(take, isKnown = () => false) {
      let few: LoadedHome[] = [];
      for (const { property, read } of [...properties.values()]) {
        if (!read) continue;
        const home = indexedHome(property);
        const { id, brand } = home;
        const { calendar, readAt } = structuredClone(read);
        const version = { listing: listingDigest(property), calendar: calendarDigest(calendar) };
        few.push({
          ...{ id, brand },
          reference: property.reference,
          weight: weightOf(property),
          version,
          readAt,
          content: isKnown({ id, brand, version }) ? null : { home, calendar, version },
        });
        if (few.length < LOADED_A_TURN) continue;
        take(few);
        few = [];
        await nextTurn();
      }
      if (few.length > 0) take(few);
    },

    listings: {
      get: (id) => properties.get(id)?.property,
      home(id) {
        const stored = properties.get(id);
        return stored && { home: indexedHome(stored.property), digest: listingDigest(stored.property) };
      },
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
