import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { HomeVersion, HomeWithCalendar, IndexedHome } from './availability-index.ts';
import type { Listings } from './listings.ts';

/** What was last read from the operators, so that a restart serves at once and a booking system that is down keeps its listings. */
export interface InventoryStore {
  /**
   * Hands out every stored home that has a calendar, a few at a time, with a turn of the event loop after each few. The order is always
   * the same. Calendars that `isKnown` says the caller has are not read.
   */
  load(take: (few: readonly LoadedHome[]) => void, isKnown?: (home: HomeState) => boolean): Promise<void>;
  readonly listings: Listings;
  /**
   * The brand's whole catalogue: what is not in it any more is removed with its calendar. A catalogue that cannot be stored is
   * kept in memory, so that its homes can be offered all the same.
   */
  replaceCatalogue(brand: BrandId, properties: readonly Property[]): Promise<void>;
  /** Calendars of properties that are not in the catalogue are ignored. */
  saveCalendars(calendars: readonly StoredCalendar[]): Promise<void>;
  /** What is kept for a restart under a name, such as the rate card of a brand that was accepted last: UTF-8 text. Takes its memory. */
  saveDocument(name: string, document: Uint8Array<ArrayBuffer>): Promise<void>;
  document(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** What was learned from a brand's quotes, as text. It outlives the listings that it was learned from. */
  saveLearned(brand: BrandId, text: string): Promise<void>;
  learned(brand: BrandId): Promise<string | undefined>;
}

export type StoredCalendar = {
  readonly property: PropertyId;
  readonly calendar: Calendar;
  /** When its reading began, in epoch milliseconds: it says nothing of what was booked later. */
  readonly readAt: number;
};

/** Which home, and in which state. */
export type HomeState = Pick<IndexedHome, 'id' | 'brand'> & { readonly version: HomeVersion };

/** A home without its texts. */
export type LoadedHome = HomeState &
  Pick<StoredCalendar, 'readAt'> & {
    readonly reference: string;
    /** Of the whole listing, as `weightOf` counts it. */
    readonly weight: number;
    /** Null where the caller has it. */
    readonly content: HomeWithCalendar | null;
  };
