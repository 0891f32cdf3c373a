import type { Calendar } from './calendar.ts';
import type { BrandId, Property, PropertyId } from './catalogue.ts';

/** What was last read from the operators, so that a restart serves at once and a booking system that is down keeps its listings. */
export interface InventoryStore {
  /** Every stored property that has a calendar. */
  load(): Promise<readonly StoredProperty[]>;
  /** The brand's whole catalogue: what is not in it any more is removed with its calendar. */
  replaceCatalogue(brand: BrandId, properties: readonly Property[]): Promise<void>;
  /** Calendars of properties that are not in the catalogue are ignored. */
  saveCalendars(
    calendars: readonly { readonly property: PropertyId; readonly calendar: Calendar }[],
  ): Promise<void>;
  /** The rate card of a brand without a booking system, as the JSON text that was accepted. */
  saveRateCard(brand: BrandId, json: string): Promise<void>;
  rateCard(brand: BrandId): Promise<string | undefined>;
}

export type StoredProperty = { readonly property: Property; readonly calendar: Calendar };
