import fc from 'fast-check';
import type { HomeWithCalendar } from '../../src/availability/availability-index.ts';
import { emptyCalendar } from '../../src/catalogue/calendar.ts';
import type { Day } from '../../src/stay/day.ts';
import { propertyLike } from './random-world.ts';

type Shape = (night: number, base: number, seed: number) => number;

/** How prices go through a calendar: what is lowest in some weeks says little of the others. */
const SHAPES: readonly Shape[] = [
  (_, base) => base,
  (night, base) => base + night * 100,
  (night, base) => base + (120 - night) * 7,
  (night, base, seed) => base + ((night * seed) % 5) * 250,
  (night, base, seed) => base + ((night * (seed + 31)) % 97) * 100,
  (night, base, seed) => base + ((night * (seed + 7919)) % 64_007),
  (night, base, seed) => (base + night * seed * 7_919_993) % 4_294_967_295,
  (night, base) => (night % 23 === 9 ? 1 : base),
  (night, base) => (night % 9 === 4 ? 0 : base + (night % 40)),
  () => 0,
  () => 4_294_967_295,
];
const NIGHTS = 120;

/** Homes of a few brands in Lisbon, some put twice, with prices of every shape; many of them cost the same. */
export function pricedHomes(firstDay: Day): fc.Arbitrary<readonly HomeWithCalendar[]> {
  const home = fc.record({
    number: fc.nat({ max: 14 }),
    brand: fc.constantFrom('a', 'b', 'c'),
    shape: fc.constantFrom(...SHAPES),
    base: fc.constantFrom(1, 2047, 2048, 2049, 4099, 9_900, 9_900, 9_901, 70_000, 8_388_609),
    seed: fc.nat({ max: 1000 }),
    taken: fc.nat({ max: 40 }),
  });
  return fc
    .array(home, { minLength: 1, maxLength: 30, size: 'max' })
    .map((homes) => homes.map((facts) => pricedHome(firstDay, facts)));
}

export function pricedHome(
  firstDay: Day,
  facts: {
    readonly number: number;
    readonly brand: string;
    readonly shape: Shape;
    readonly base: number;
    readonly seed: number;
    /** Nights in a row that are taken, again and again; below 3 all are free. */
    readonly taken: number;
  },
): HomeWithCalendar {
  const { number, brand, shape, base, seed, taken } = facts;
  const calendar = emptyCalendar(firstDay, NIGHTS);
  for (let night = 0; night < NIGHTS; night++) {
    calendar.available[night] = taken < 3 || (night + seed) % (taken + 30) >= taken / 4 ? 1 : 0;
    calendar.price[night] = shape(night, base, seed);
  }
  return { home: propertyLike({ id: `${brand}:${number}`, brand, place: 'lisbon' }), calendar };
}

export function shapeNumbered(number: number): Shape {
  return SHAPES[number % SHAPES.length] as Shape;
}
