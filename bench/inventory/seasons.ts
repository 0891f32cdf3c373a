import { type Day, monthOf, weekdayOf } from '../../src/stay/day.ts';

/** How much is asked for in each month of the northern year, 1 on average: price and occupancy follow it. */
export type Climate = { readonly name: string; readonly demand: readonly number[] };

export const CLIMATES: readonly Climate[] = [
  { name: 'coast', demand: [0.6, 0.6, 0.7, 0.9, 1, 1.3, 1.7, 1.9, 1.2, 0.9, 0.6, 0.6] },
  { name: 'city', demand: [0.8, 0.85, 0.95, 1.05, 1.15, 1.1, 1, 1, 1.1, 1.1, 0.9, 1] },
  { name: 'mountains', demand: [1.5, 1.7, 1.4, 0.7, 0.6, 0.8, 1.1, 1.2, 0.8, 0.6, 0.6, 1.4] },
  { name: 'country', demand: [0.7, 0.75, 0.8, 1, 1.1, 1.2, 1.4, 1.5, 1.1, 0.95, 0.75, 0.75] },
];

/** What is the same for all homes of a climate: for each night its demand, and whether it is one of a weekend. */
export type Nights = {
  readonly demand: Float64Array;
  /** Nights from Friday and Saturday. */
  readonly weekend: Uint8Array;
  /** 0 is Monday. */
  readonly weekday: Uint8Array;
};

export function nightsOf({ demand }: Climate, isSouthern: boolean, from: Day, nights: number): Nights {
  const days = Array.from({ length: nights }, (_, night) => from + night);
  const weekday = Uint8Array.from(days, weekdayOf);
  return {
    demand: Float64Array.from(days, (day) => demand[(monthOf(day) + (isSouthern ? 6 : 0)) % 12] ?? 1),
    weekend: weekday.map((of) => (of === 4 || of === 5 ? 1 : 0)),
    weekday,
  };
}
