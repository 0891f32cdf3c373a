import { formatDay, parseDay } from '../../src/stay/day.ts';
import { type EmulatedHome, nightsBetween } from './homes.ts';

export type StayRefusal =
  | 'unknown_home'
  | 'not_a_stay'
  | 'past'
  | 'taken'
  | 'minimum_stay'
  | 'maximum_stay'
  | 'closed_to_arrival'
  | 'closed_to_departure'
  | 'too_many_guests';

/** What a guest pays for a stay, in minor units. The deposit comes on top and is paid back. */
export type EmulatedStay = {
  readonly home: EmulatedHome;
  readonly nights: readonly { readonly day: string; readonly price: number }[];
  readonly accommodation: number;
  readonly cleaning: number;
  readonly tax: number;
  readonly total: number;
};

/** The homes of an emulator with the nights that are taken. */
export type EmulatedWorld = {
  /** Another list when one was withdrawn. */
  readonly homes: readonly EmulatedHome[];
  home(id: number): EmulatedHome | undefined;
  isTaken(id: number, day: string): boolean;
  book(id: number, from: string, to: string): void;
  /** The home is offered no longer. */
  withdraw(id: number): void;
  stay(
    id: number,
    checkIn: string,
    checkOut: string,
    guests: number,
  ): EmulatedStay | { refused: StayRefusal };
  /** In UTC. */
  today(): string;
};

const MS_PER_DAY = 86_400_000;

export function createWorld(all: readonly EmulatedHome[], now: () => number): EmulatedWorld {
  let homes = all;
  const byId = new Map(homes.map((home) => [home.id, home]));
  const taken = new Map(homes.map(({ id }) => [id, new Set<string>()]));
  const isTaken = (id: number, day: string) => taken.get(id)?.has(day) ?? false;
  const today = () => formatDay(Math.floor(now() / MS_PER_DAY));

  function refusalOf(
    home: EmulatedHome,
    checkIn: string,
    checkOut: string,
    guests: number,
  ): StayRefusal | null {
    if (parseDay(checkIn) === undefined || parseDay(checkOut) === undefined || checkIn >= checkOut) {
      return 'not_a_stay';
    }
    const nights = nightsBetween(checkIn, checkOut);
    if (checkIn < today()) return 'past';
    if (guests > home.maxGuests) return 'too_many_guests';
    if (nights.some((day) => isTaken(home.id, day))) return 'taken';
    if (nights.length < home.minimumStay(checkIn)) return 'minimum_stay';
    if (home.maximumStay !== null && nights.length > home.maximumStay) return 'maximum_stay';
    if (home.closedToArrival(checkIn)) return 'closed_to_arrival';
    if (home.closedToDeparture(checkOut)) return 'closed_to_departure';
    return null;
  }

  return {
    get homes() {
      return homes;
    },
    home: (id) => byId.get(id),
    isTaken,
    book(id, from, to) {
      const nights = taken.get(id);
      if (!nights) throw new RangeError(`there is no home ${id}`);
      for (const day of nightsBetween(from, to)) nights.add(day);
    },
    withdraw(id) {
      homes = homes.filter((home) => home.id !== id);
      byId.delete(id);
    },
    stay(id, checkIn, checkOut, guests) {
      const home = byId.get(id);
      if (!home) return { refused: 'unknown_home' };
      const refused = refusalOf(home, checkIn, checkOut, guests);
      if (refused !== null) return { refused };
      const nights = nightsBetween(checkIn, checkOut).map((day) => ({ day, price: home.nightlyPrice(day) }));
      const accommodation = nights.reduce((sum, { price }) => sum + price, 0);
      const tax = Math.round((accommodation * home.taxPercent) / 100);
      const cleaning = home.cleaningFee;
      return { home, nights, accommodation, cleaning, tax, total: accommodation + cleaning + tax };
    },
    today,
  };
}
