import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, PlaceId, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { CompleteCriteria, RequestedStay, StayCriteria } from '../catalogue/stay-criteria.ts';
import type { Day, Month } from '../stay/day.ts';
import type { MinorUnits } from '../stay/money.ts';

/**
 * Answers every guided question exactly. Criteria have a match when a property and a stay meet all of the criteria, and the
 * property can be booked for that stay:
 *
 * - every night is available, and the stay does not contain all nights of a refused stay;
 * - arrival is not before today (in the property's time zone) plus its lead days;
 * - the arrival day is open to arrival and the departure day to departure;
 * - the nights are within the arrival day's minimum and maximum stay;
 * - it sleeps the guests, has the amenities, is run by the brand and is in the place.
 *
 * Each question ignores its own field: `checkInDays` reads all criteria but `checkIn` (and `checkOut`, which depends on it).
 * So every offered value leads to a match, in any order of the fields.
 */
export interface AvailabilityIndex {
  hasMatch(criteria: StayCriteria, now: number): boolean;
  /** The reason why nothing matches; `null` when there is a match. */
  obstacle(criteria: StayCriteria, now: number): Obstacle | null;
  /** Places of every level with a match, most matching properties first, then by id. */
  destinations(criteria: StayCriteria, now: number): readonly PlaceCount[];
  checkInMonths(criteria: StayCriteria, now: number): readonly Month[];
  checkInDays(criteria: StayCriteria, now: number): readonly Day[];
  checkOutDays(criteria: StayCriteria, now: number): readonly Day[];
  /** 0 when nothing matches; every smaller party then fits too. */
  largestParty(criteria: StayCriteria, now: number): number;
  /** All facts about the matches that a comparison set needs, in one pass. */
  matches(criteria: CompleteCriteria, now: number, wanted: WantedMatches): Matches;
  /**
   * The given stays for which a property of the criteria can be booked, in the same order. Ignores the month, the days and the guests of
   * the criteria.
   */
  bookableStays(criteria: StayCriteria, stays: readonly StayToTry[], now: number): readonly RequestedStay[];
  /**
   * The labels under which homes have published an amenity, in lexical order: the first `MAX_LABELS_OF_AMENITY` to arrive, of which at most
   * `MAX_LABELS_OF_BRAND` were first used by the same brand.
   */
  amenityLabels(amenity: string): readonly string[];
  /** Whether the amenity is of the shared vocabulary or published by two brands. Amenities of a single brand are not offered to callers. */
  isCommonAmenity(amenity: string): boolean;
  has(id: PropertyId): boolean;
  /**
   * Equal revisions mean that every question about these criteria, or about criteria that only add to them, has the same
   * answer as before. `destinations` ignores the place, so use the revision of the criteria without a place for it.
   */
  revision(criteria: StayCriteria, now: number): string;
}

/**
 * The first of these codes that applies to the properties with the brand, place and amenities of the criteria, and to the stays of
 * at least a night that agree with their month and days. Today is local. The rules, which are the codes from `minimum_stay` to
 * `nothing_free` in this order, test only stays that begin today or later and end within the horizon.
 *
 * The obstacle is the first rule that alone prevents a match. When several rules prevent each match, the rules are lifted one after
 * the other; the obstacle is the rule whose lifting gives the first match. Its fact is the most lenient among those matches. Days
 * outside a calendar are not free, have the calendar's most frequent minimum and maximum stay, and no other rule.
 */
export type Obstacle =
  /** No property has the brand, place and amenities. */
  | { readonly code: 'no_properties' }
  /** No stay agrees with the month and days, such as one that ends before it begins. */
  | { readonly code: 'no_nights' }
  | { readonly code: 'in_the_past' }
  /** `lastDay` is the last on which a stay may end. */
  | { readonly code: 'beyond_horizon'; readonly lastDay: Day }
  | { readonly code: 'minimum_stay'; readonly nights: number }
  | { readonly code: 'maximum_stay'; readonly nights: number }
  | { readonly code: 'closed_to_arrival' }
  | { readonly code: 'closed_to_departure' }
  | { readonly code: 'lead_time'; readonly days: number }
  | { readonly code: 'party_too_large'; readonly largest: number }
  | { readonly code: 'nothing_free' };

/** The part of a home that the index needs. */
export type IndexedHome = Pick<
  Property,
  'id' | 'brand' | 'place' | 'maxGuests' | 'leadDays' | 'amenities' | 'currency'
>;

/** The state of a home: digests of its listing and its calendar, 0 where unknown. */
export type HomeVersion = { readonly listing: number; readonly calendar: number };

export type HomeWithCalendar = {
  readonly home: IndexedHome;
  readonly calendar: Calendar;
  readonly version?: HomeVersion;
};

/** Thrown when there is not enough memory. Nothing was written. */
export class IndexFull extends Error {}

/** Updates the index. */
export interface AvailabilityWriter {
  /** Replaces all data of one property. Throws `IndexFull` and changes nothing when the memory is full. */
  put(home: IndexedHome, calendar: Calendar, version?: HomeVersion): void;
  /** Whether it was last put in exactly this state. */
  holds(property: PropertyId, version: HomeVersion): boolean;
  /** All homes that were put and not removed, including hidden ones. */
  homes(): Iterable<Pick<IndexedHome, 'id' | 'brand'>>;
  remove(property: PropertyId): void;
  /** Removes many properties, some of which may be unknown. */
  removeAll(properties: readonly PropertyId[]): void;
  /**
   * Hides all homes of the brand and drops their states; a home that is put again is found again. Quick for any number of homes, while
   * removing them takes long: callers remove them afterwards.
   */
  hideBrand(brand: BrandId): void;
  /**
   * Until the next `put`, excludes stays that contain all nights of any of these: the operator has refused them, and its calendar
   * may not show that yet. It is unknown which of the nights is taken, so stays over only some of them remain free. Replaces the
   * earlier list; an empty list lifts it.
   */
  withdraw(property: PropertyId, refused: readonly RefusedNights[]): void;
  /**
   * Moves some homes to today's date; returns whether others are left. A query moves its own homes: after midnight, the first query
   * about many homes is quick only if this was called until none was left.
   */
  followDate(now: number): boolean;
  /** Number of days from today that the index lacks because the clock was ahead. Homes put now lack them too. */
  daysLost(now: number): number;
  /** Restarts with today. No query finds a home until it is put again, as after `hideBrand`. */
  rewind(now: number): void;
  readonly propertyCount: number;
}

/** From `from` up to, but not including, `to`. An empty range has no effect. */
export type RefusedNights = { readonly from: Day; readonly to: Day };

export type PlaceCount = { readonly place: PlaceId; readonly properties: number };

export type Candidate = {
  readonly property: PropertyId;
  readonly brand: BrandId;
  /** Its city. */
  readonly place: PlaceId;
  /**
   * The sum of the calendar's prices of the nights. A missing or zero price counts as the mean of the calendar's prices; null when the
   * calendar has none.
   */
  readonly indicativeTotal: MinorUnits | null;
};

export type WantedMatches = {
  /** Number of candidates with an indicative total, of any brand. */
  readonly cheapest: number;
  /** Minimum number of candidates of each brand, with or without such a total, by the number of brands with a match; null for none. */
  readonly cheapestOfBrand: ((brands: number) => number) | null;
  /** Homes to treat as if they did not match. */
  readonly without: readonly PropertyId[];
};

/** For queries that need only counts. */
export const NO_CANDIDATES = {
  cheapest: 0,
  cheapestOfBrand: null,
} as const satisfies Omit<WantedMatches, 'without'>;

export type Matches = {
  readonly total: number;
  /** Matches whose operator publishes no amenities. */
  readonly unpublishedAmenities: number;
  /** The number of matches with each amenity, most frequent first, then by key. */
  readonly amenities: readonly AmenityCount[];
  /**
   * The cheapest overall and of each brand: lowest total first, those without an indicative total last, ties by `tieOrder` and id.
   * Brand by brand, in the order of their ids.
   */
  readonly candidates: readonly Candidate[];
};

export type StayToTry = {
  readonly stay: RequestedStay;
  /** Homes to ignore for this stay. */
  readonly without: readonly PropertyId[];
};

/** Operators choose their own labels; these limits bound the number of stored labels. */
export const MAX_LABELS_OF_AMENITY = 200;
export const MAX_LABELS_OF_BRAND = 20;

export type AmenityCount = { readonly amenity: string; readonly properties: number };
