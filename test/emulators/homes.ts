import { formatDay, parseDay } from '../../src/stay/day.ts';

/** Thousands of calendars are drawn over the same days, and writing a day takes longer than looking at it. */
const MAX_KNOWN_NIGHTS = 100;
const KNOWN_NIGHTS = new Map<string, readonly string[]>();

/** A home of the neutral world that every emulator is fed with. Days are `YYYY-MM-DD`, amounts are in minor units. */
export type EmulatedHome = {
  /** Each emulator turns it into its own form of identifier. */
  readonly id: number;
  readonly name: string;
  readonly city: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly currency: string;
  readonly maxGuests: number;
  readonly bedrooms: number;
  readonly bathrooms: number;
  /** Neutral keys; an emulator sends them in the vendor's own words, and an unknown one as the vendor sends a custom one. */
  readonly amenities: readonly string[];
  readonly images: readonly { readonly path: string; readonly caption: string }[];
  readonly description: string;
  readonly cancellation: string;
  readonly freeCancellationDays: number | null;
  /** The average is of 5. */
  readonly rating: { readonly average: number; readonly count: number } | null;
  readonly checkInHour: number;
  readonly checkOutHour: number;
  readonly nightlyPrice: (day: string) => number;
  readonly minimumStay: (day: string) => number;
  readonly maximumStay: number | null;
  readonly closedToArrival: (day: string) => boolean;
  readonly closedToDeparture: (day: string) => boolean;
  readonly cleaningFee: number;
  /** Of the accommodation; the cleaning fee is not taxed. */
  readonly taxPercent: number;
  /** Paid back after the stay, so never a part of the total. */
  readonly deposit: number;
};

export function aHome(changes: Partial<EmulatedHome> = {}): EmulatedHome {
  const id = changes.id ?? 1;
  return {
    id,
    name: `Harbour House ${id}`,
    city: 'Lisbon',
    countryCode: 'PT',
    latitude: 38.7167,
    longitude: -9.1333,
    currency: 'EUR',
    maxGuests: 4,
    bedrooms: 2,
    bathrooms: 1,
    amenities: ['wifi', 'kitchen', 'washing_machine'],
    images: [
      { path: `/pictures/${id}/front.png`, caption: 'The house from the street' },
      { path: `/pictures/${id}/living-room.png`, caption: 'The living room' },
    ],
    description: 'A quiet house above the harbour, five minutes from the ferry.',
    cancellation: 'Free cancellation until 14 days before arrival, then half of the total is kept.',
    freeCancellationDays: 14,
    rating: { average: 4.6, count: 38 },
    checkInHour: 16,
    checkOutHour: 10,
    nightlyPrice: () => 120_00,
    minimumStay: () => 2,
    maximumStay: 28,
    closedToArrival: () => false,
    closedToDeparture: () => false,
    cleaningFee: 60_00,
    taxPercent: 6,
    deposit: 200_00,
    ...changes,
  };
}

/** The days from the first up to, but without, the last: the nights of a stay. */
export function nightsBetween(from: string, to: string): string[] {
  const key = `${from}/${to}`;
  const known = KNOWN_NIGHTS.get(key);
  if (known) return [...known];
  const first = dayNumber(from);
  const nights = Array.from({ length: Math.max(0, dayNumber(to) - first) }, (_, index) =>
    formatDay(first + index),
  );
  if (KNOWN_NIGHTS.size >= MAX_KNOWN_NIGHTS) KNOWN_NIGHTS.clear();
  KNOWN_NIGHTS.set(key, nights);
  return [...nights];
}

export function addDays(day: string, days: number): string {
  return formatDay(dayNumber(day) + days);
}

function dayNumber(text: string): number {
  const day = parseDay(text);
  if (day === undefined) throw new RangeError(`${text} is not a day`);
  return day;
}
