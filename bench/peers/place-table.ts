import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { PlaceId } from '../../src/catalogue/catalogue.ts';
import type { Day } from '../../src/stay/day.ts';
import { todayIn } from '../../src/stay/time-zone.ts';
import { type BenchInventory, nightsAsked, noonOf } from '../inventory/bench-inventory.ts';

/**
 * The homes of a place as the tables of a database: what a question needs is computed before, as one would do it there. All
 * columns with a row for each day and home are in the order of their days, then of their homes.
 */
export type PlaceTable = {
  readonly place: PlaceId;
  readonly homes: number;
  readonly firstDay: Day;
  /** One more than nights: the last is only left on. */
  readonly days: number;
  /** By home. */
  readonly maxGuests: Uint8Array;
  readonly amenities: readonly (readonly number[])[];
  /** By the number of an amenity. */
  readonly amenityKeys: readonly string[];
  /** The nights that are free from this one on; 0 where no stay can begin. */
  readonly freeRun: Uint16Array;
  readonly minimumStay: Uint16Array;
  /** As long as the calendar where there is no maximum. */
  readonly maximumStay: Uint16Array;
  readonly canLeave: Uint8Array;
  /** 1 for a night that can be booked. */
  readonly available: Uint8Array;
  /** The price of the night, or the usual one where it has none; -1 for a home without prices. */
  readonly price: Int32Array;
  /** The sum of all nights before; -1 for a home without prices. */
  readonly priceBefore: Int32Array;
};

const MAX_INTEGER = 2 ** 31 - 1;

export function placeTableOf(inventory: BenchInventory, place: PlaceId): PlaceTable {
  const all = [...inventory.homesIn(place)];
  const homes = all.length;
  const { from, nights } = nightsAsked(inventory.today, HORIZON_NIGHTS);
  const days = nights + 1;
  const zone = inventory.network.places.get(place)?.timeZone ?? 'Etc/UTC';
  const today = todayIn(zone, noonOf(inventory.today));
  const lastDeparture = today + HORIZON_NIGHTS - from;
  const amenityNumbers = new Map<string, number>();
  const numberOf = (key: string) => {
    const number = amenityNumbers.get(key) ?? amenityNumbers.size;
    amenityNumbers.set(key, number);
    return number;
  };
  const freeRun = new Uint16Array(days * homes);
  const minimumStay = new Uint16Array(days * homes);
  const maximumStay = new Uint16Array(days * homes);
  const canLeave = new Uint8Array(days * homes);
  const available = new Uint8Array(days * homes);
  const price = new Int32Array(days * homes);
  const priceBefore = new Int32Array(days * homes);
  for (const [number, { home, calendar }] of all.entries()) {
    const usual = usualPrice(calendar.price);
    const earliest = today + home.leadDays - from;
    let run = 0;
    for (let day = nights; day >= 0; day -= 1) {
      const at = day * homes + number;
      run = calendar.available[day] === 1 ? run + 1 : 0;
      available[at] = calendar.available[day] ?? 0;
      const canArrive = day >= earliest && calendar.closedToArrival[day] === 0;
      freeRun[at] = canArrive ? run : 0;
      minimumStay[at] = Math.max(1, calendar.minimumStay[day] ?? 1);
      maximumStay[at] = calendar.maximumStay[day] || days;
      canLeave[at] = day <= lastDeparture && (calendar.closedToDeparture[day] ?? 0) === 0 ? 1 : 0;
    }
    let sum = 0;
    for (let day = 0; day < days; day += 1) {
      const at = day * homes + number;
      price[at] = usual === 0 ? -1 : calendar.price[day] || usual;
      priceBefore[at] = usual === 0 ? -1 : sum;
      sum += calendar.price[day] || usual;
    }
    if (sum > MAX_INTEGER) throw new RangeError(`the prices of ${home.id} need more than 32 bits`);
  }
  return {
    place,
    homes,
    firstDay: from,
    days,
    maxGuests: Uint8Array.from(all, ({ home }) => home.maxGuests),
    amenities: all.map(({ home }) => Object.keys(home.amenities ?? {}).map(numberOf)),
    amenityKeys: [...amenityNumbers.keys()],
    freeRun,
    minimumStay,
    maximumStay,
    canLeave,
    available,
    price,
    priceBefore,
  };
}

/** The mean of the nights that have a price. */
function usualPrice(prices: Uint32Array): number {
  const priced = prices.filter((one) => one > 0);
  const sum = priced.reduce((total, one) => total + one, 0);
  return priced.length === 0 ? 0 : Math.max(1, Math.round(sum / priced.length));
}
