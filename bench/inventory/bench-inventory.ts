import type { Calendar } from '../../src/catalogue/calendar.ts';
import type { BrandId, Network, PlaceId, Property } from '../../src/catalogue/catalogue.ts';
import type { Day } from '../../src/stay/day.ts';

/** What the index has to know of a home. */
export type HomeFacts = Pick<
  Property,
  'id' | 'brand' | 'place' | 'maxGuests' | 'leadDays' | 'amenities' | 'currency'
>;

export type BenchHome = { readonly home: HomeFacts; readonly calendar: Calendar };

/** Homes to measure with, made or read one after the other, so that a million of them are never in memory at once. */
export type BenchInventory = {
  readonly name: string;
  readonly network: Network;
  /** The day in UTC on which questions are asked, at noon. */
  readonly today: Day;
  readonly size: number;
  /** The most homes first. */
  readonly cities: readonly BenchCity[];
  readonly largestBrand: BrandId;
  homes(): Iterable<BenchHome>;
  homesIn(city: PlaceId): Iterable<BenchHome>;
  /** A home with other bookings and prices than before; the same ones whenever it is asked for again. */
  changedHome(number: number): BenchHome;
};

export type BenchCity = { readonly place: PlaceId; readonly homes: number };

const MS_PER_DAY = 86_400_000;

export function noonOf(today: Day): number {
  return today * MS_PER_DAY + MS_PER_DAY / 2;
}

/** The operators are asked for nights from yesterday in UTC on, so that today is inside in every time zone, and for two more. */
export function nightsAsked(
  today: Day,
  horizonNights: number,
): { readonly from: Day; readonly nights: number } {
  return { from: today - 1, nights: horizonNights + 2 };
}
