import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, ListingDigest, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { HomeVersion, HomeWithCalendar, IndexedHome } from './availability-index.ts';

/** Stores the last data read from the operators, so that a node serves immediately after a restart, even while a booking system is down. */
export interface InventoryStore {
  /**
   * Passes every stored home with a calendar to `take`, a few at a time, with a turn of the event loop in between. The order is always
   * the same. Skips reading calendars for which `isKnown` returns true.
   */
  load(take: (few: readonly LoadedHome[]) => void, isKnown?: (home: HomeState) => boolean): Promise<void>;
  readonly listings: Listings;
  /**
   * Stores the brand's whole catalogue and removes missing homes with their calendars. Where that fails, new homes cannot be offered
   * until a later reading is stored.
   */
  replaceCatalogue(brand: BrandId, properties: readonly Property[]): Promise<void>;
  /** Calendars of properties that are not in the catalogue are ignored. */
  saveCalendars(calendars: readonly StoredCalendar[]): Promise<void>;
  /** Stores UTF-8 text by name for a restart, such as the last accepted rate card of a brand. Takes ownership of the memory. */
  saveDocument(name: string, document: Uint8Array<ArrayBuffer>): Promise<void>;
  document(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Stores the facts learned from a brand's quotes, as text. They outlive the listings. */
  saveLearned(brand: BrandId, text: string): Promise<void>;
  learned(brand: BrandId): Promise<string | undefined>;
}

export type StoredCalendar = {
  readonly property: PropertyId;
  readonly calendar: Calendar;
  /** Start of its reading, in epoch milliseconds: later bookings are not in it. */
  readonly readAt: number;
};

/** A home and its state. */
export type HomeState = Pick<IndexedHome, 'id' | 'brand'> & { readonly version: HomeVersion };

/** A home without its texts. */
export type LoadedHome = HomeState &
  Pick<StoredCalendar, 'readAt'> & {
    readonly reference: string;
    /** Weight of the whole listing by `weightOf`. */
    readonly weight: number;
    /** Null when the caller has it already. */
    readonly content: HomeWithCalendar | null;
  };

/**
 * Changes that other nodes stored since this one loaded its homes, in the order of storing. Each is applied to this node's listings
 * before it is passed on, so that every home that can be found can be shown.
 */
export interface InventoryChanges {
  /**
   * Starts after the state that `InventoryStore.load` passed on; call it after that. `take` is called for one change at a time, and
   * the next one waits for it. A change may come twice.
   */
  follow(take: (change: InventoryChange) => Promise<void>): FollowedChanges;
}

export type InventoryChange = {
  readonly brand: BrandId;
  /** Homes with a calendar, in their latest state. `content` is never null. */
  readonly homes: readonly LoadedHome[];
  /** Homes that are no longer in a catalogue, or have no calendar. */
  readonly removed: readonly PropertyId[];
};

export type FollowedChanges = {
  /** Resolves once all changes stored before the call were taken; rejects when the store cannot be read. */
  caughtUp(): Promise<void>;
  /** Milliseconds since this node was last known to have every change; 0 where no other node stores any. */
  ageMs(): number;
  stop(): Promise<void>;
};

/** Listings by id. No other module holds listings in memory; the index holds only the facts that find a home. */
export interface Listings {
  /** The whole listing, to request quotes and to show it. Undefined for a home that is no longer in a catalogue. */
  get(id: PropertyId): Property | undefined;
  /** The part that the index needs. */
  home(id: PropertyId): ListedHome | undefined;
}

/** `digest` is of the whole listing. */
export type ListedHome = { readonly home: IndexedHome; readonly digest: ListingDigest };

/** Copies the facts that the index needs, so that the texts of the listing can be freed. */
export function indexedHome({
  id,
  brand,
  place,
  maxGuests,
  leadDays,
  amenities,
  currency,
}: Property): IndexedHome {
  return { id, brand, place, maxGuests, leadDays, amenities, currency };
}
