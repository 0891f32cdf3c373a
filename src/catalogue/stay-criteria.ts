import type { Day, Month } from '../stay/day.ts';
import type { BrandId, PlaceId } from './catalogue.ts';

/** The traveller's criteria so far. `null` means not specified: anything matches. */
export type StayCriteria = {
  /** null: every brand on the network. */
  readonly brand: BrandId | null;
  /** Any level: a country contains its regions and cities. */
  readonly place: PlaceId | null;
  readonly checkInMonth: Month | null;
  readonly checkIn: Day | null;
  readonly checkOut: Day | null;
  readonly guests: number | null;
  /** A property must have all of them. */
  readonly amenities: readonly string[];
};

/** The criteria that a price depends on. */
const STAY_MEMBERS = ['place', 'checkIn', 'checkOut', 'guests'] as const;

/** Criteria that describe one stay, so that candidates can be priced. */
export type CompleteCriteria = StayCriteria & {
  readonly [Member in (typeof STAY_MEMBERS)[number]]: NonNullable<StayCriteria[Member]>;
};

/** The part of a request to an operator that is the same for every home. */
export type RequestedStay = Pick<CompleteCriteria, 'checkIn' | 'checkOut' | 'guests'>;

export function isComplete(criteria: StayCriteria): criteria is CompleteCriteria {
  return STAY_MEMBERS.every((member) => criteria[member] !== null);
}

export const ANY_STAY: StayCriteria = {
  brand: null,
  place: null,
  checkInMonth: null,
  checkIn: null,
  checkOut: null,
  guests: null,
  amenities: [],
};
