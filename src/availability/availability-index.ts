import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, PlaceId, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { CompleteCriteria, RequestedStay, StayCriteria } from '../catalogue/stay-criteria.ts';
import type { Day, Month } from '../stay/day.ts';
import type { MinorUnits } from '../stay/money.ts';

/**
 * Answers every guided question exactly. Criteria have a match when there is a property and a stay that agree with all
 * that the criteria say, and the property can be booked for that stay:
 *
 * - every night is available, and together they are not all the nights of a refused stay, or more;
 * - arrival is not before today (in the property's time zone) plus its lead days;
 * - the arrival day is open to arrival and the departure day to departure;
 * - the nights are within the arrival day's minimum and maximum stay;
 * - it sleeps the guests, has the amenities, is run by the brand and is in the place.
 *
 * Each question disregards its own field: `checkInDays` reads everything but `checkIn` (and `checkOut`, which depends on
 * it). So every offered value leads to a match, in whatever order the fields are answered.
 */
export interface AvailabilityIndex {
  hasMatch(criteria: StayCriteria, now: number): boolean;
  /** Why nothing matches; `null` exactly when something does. */
  obstacle(criteria: StayCriteria, now: number): Obstacle | null;
  /** Places of every level with a match, most matching properties first, then by id. */
  destinations(criteria: StayCriteria, now: number): readonly PlaceCount[];
  checkInMonths(criteria: StayCriteria, now: number): readonly Month[];
  checkInDays(criteria: StayCriteria, now: number): readonly Day[];
  checkOutDays(criteria: StayCriteria, now: number): readonly Day[];
  /** 0 when nothing matches; every smaller party then fits too. */
  largestParty(criteria: StayCriteria, now: number): number;
  /** Everything that a comparison set needs of the matches, in one pass. */
  matches(criteria: CompleteCriteria, now: number, wanted: WantedMatches): Matches;
  /**
   * Those of the stays that a property of the criteria can be booked for, in the same order; what the criteria say of the
   * stay itself is disregarded.
   */
  bookableStays(criteria: StayCriteria, stays: readonly StayToTry[], now: number): readonly RequestedStay[];
  /**
   * The labels under which homes have published an amenity, in the order of their characters: the first `MAX_LABELS_OF_AMENITY` that came, and
   * of those that a brand was the first to use, `MAX_LABELS_OF_BRAND`.
   */
  amenityLabels(amenity: string): readonly string[];
  /** Of the shared vocabulary, or published by two brands so far: what one brand alone calls an amenity is not offered to callers. */
  isCommonAmenity(amenity: string): boolean;
  has(id: PropertyId): boolean;
  /**
   * Equal revisions mean that every question about these criteria, or about criteria that only add to them, has the same
   * answer as before. `destinations` disregards the place, so use the revision of the criteria without a place for it.
   */
  revision(criteria: StayCriteria, now: number): string;
}

/**
 * The first of these that is true of the properties with the brand, place and amenities of the criteria, and of the stays
 * (at least a night) that agree with their month and days. Todays are local, and only stays that begin today or later and
 * end within the horizon are tested by the rules, which are the codes from `minimum_stay` to `nothing_free` in this order.
 *
 * The answer is the first rule that alone prevents a match. When each match is prevented by several, the rules are lifted
 * one after the other, and it is the one whose lifting gives the first match. Its fact is the most lenient among those
 * matches. Days outside a calendar have no free night, the minimum and maximum stay that most of its nights have, and no other rule.
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

/** There is not enough memory. Nothing was written. */
export class IndexFull extends Error {}

/** The side of the index that keeps it up to date. */
export interface AvailabilityWriter {
  /** Replaces all data of one property. Throws `IndexFull` and changes nothing when the memory is full. */
  put(home: IndexedHome, calendar: Calendar, version?: HomeVersion): void;
  /** Whether it was last put in exactly this state. */
  holds(property: PropertyId, version: HomeVersion): boolean;
  /** All homes that were put and not removed, including hidden ones. */
  homes(): Iterable<Pick<IndexedHome, 'id' | 'brand'>>;
  remove(property: PropertyId): void;
  /** Removes many, of which some may be unknown. */
  removeAll(properties: readonly PropertyId[]): void;
  /**
   * No question finds a home of the brand from now on, and none is held in any state; one that is put again is found again. It is quick
   * however many there are, where removing them takes a while: callers remove them afterwards.
   */
  hideBrand(brand: BrandId): void;
  /**
   * Until the next `put`, no stay contains all nights of any of these: the operator has refused them, and its calendar may not
   * say so yet. Which of the nights is taken is not known, so a stay over only some of them is as free as it was. Replaces
   * what was withdrawn before; an empty list lifts it.
   */
  withdraw(property: PropertyId, refused: readonly RefusedNights[]): void;
  /**
   * Lets some homes follow the date; returns whether others are left. Questions do it for their own homes: after midnight the first
   * question about many homes is quick if this was called until none was left.
   */
  followDate(now: number): boolean;
  /** Number of days from today that the index lacks because the clock was ahead. Homes put now lack them too. */
  daysLost(now: number): number;
  /** Restarts with today. No question finds a home until it is put again, as after `hideBrand`. */
  rewind(now: number): void;
  readonly propertyCount: number;
}

/** From `from` up to, but not including, `to`. Without a night it has no effect. */
export type RefusedNights = { readonly from: Day; readonly to: Day };

export type PlaceCount = { readonly place: PlaceId; readonly properties: number };

export type Candidate = {
  readonly property: PropertyId;
  readonly brand: BrandId;
  /** Its city. */
  readonly place: PlaceId;
  /**
   * The calendar's prices of the nights. One that is missing, or zero, counts as the mean of those that the calendar has;
   * null when it has none.
   */
  readonly indicativeTotal: MinorUnits | null;
};

export type WantedMatches = {
  /** Number of candidates with an indicative total, of any brand. */
  readonly cheapest: number;
  /** Minimum number of each brand, with and without such a total, given the number of brands with a match; null for none. */
  readonly cheapestOfBrand: ((brands: number) => number) | null;
  /** Left out of everything, as if they did not match. */
  readonly without: readonly PropertyId[];
};

/** For counts only. */
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

/** Operators choose their own labels; these limits keep the stored ones from growing with the number of operators. */
export const MAX_LABELS_OF_AMENITY = 200;
export const MAX_LABELS_OF_BRAND = 20;

export type AmenityCount = { readonly amenity: string; readonly properties: number };
