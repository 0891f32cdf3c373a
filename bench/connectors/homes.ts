import { type Day, parseDay } from '../../src/stay/day.ts';
import { aHome, type EmulatedHome } from '../../test/emulators/homes.ts';

/** The homes of every booking system that is measured: as much text, pictures, prices and bookings as a real one has. */
const PICTURES = 12;
const ROOMS = ['kitchen', 'living room', 'bedroom', 'bathroom', 'terrace', 'garden'] as const;
const AMENITIES = [
  'wifi',
  'kitchen',
  'washing_machine',
  'dishwasher',
  'heating',
  'air_conditioning',
  'parking',
  'pool',
] as const;
const DESCRIPTION = [
  'A quiet house above the harbour, five minutes from the ferry.',
  'The ground floor has an open kitchen, a long table and doors to the terrace.',
  'Upstairs are the bedrooms, each with a view over the roofs of the old town.',
  'A bakery, a market and the stop of the tram are around the corner.',
].join(' ');

const FIRST_BOOKING = 45;
const BOOKED_NIGHTS = 3;
/** By month: a part of the price of a night, in minor units. */
const SEASONS = [0, 0, 10_00, 15_00, 20_00, 45_00, 60_00, 65_00, 30_00, 10_00, 0, 25_00] as const;
const WEEKEND = 18_00;

/** Before the first booking of every home, so that all of them can be priced. */
export const STAY = { arrivesIn: 20, nights: 4, guests: 2 } as const;

export function measuredHomes(count: number): EmulatedHome[] {
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    return aHome({
      id,
      maxGuests: 2 + (index % 5),
      bedrooms: 1 + (index % 4),
      amenities: AMENITIES.filter((_amenity, at) => (index + at) % 5 !== 0),
      images: Array.from({ length: PICTURES }, (_picture, at) => ({
        path: `/pictures/${id}/${at + 1}.png`,
        caption: `The ${ROOMS[at % ROOMS.length]}`,
      })),
      description: DESCRIPTION,
      nightlyPrice: (day) => nightlyPrice(index, day),
    });
  });
}

/** What a night costs in each month, in minor units. */
export function priceInMonth(
  index: number,
  month: number,
): { readonly week: number; readonly weekend: number } {
  const week = (80 + (index % 50)) * 100 + (SEASONS[month] ?? 0);
  return { week, weekend: week + WEEKEND };
}

function nightlyPrice(index: number, day: string): number {
  const { week, weekend } = priceInMonth(index, Number(day.slice(5, 7)) - 1);
  return isWeekendNight(parseDay(day) ?? 0) ? weekend : week;
}

/** Friday and Saturday; the first day of the epoch was a Thursday. */
function isWeekendNight(day: Day): boolean {
  return [1, 2].includes(day % 7);
}

/** A few nights every other week or so, on different days for different homes. */
export function bookingsOf(
  id: number,
  today: Day,
  nights: number,
): { readonly from: Day; readonly to: Day }[] {
  const rhythm = 14 + (id % 9);
  const bookings: { from: Day; to: Day }[] = [];
  for (let from = today + FIRST_BOOKING + (id % rhythm); from < today + nights; from += rhythm) {
    bookings.push({ from, to: from + BOOKED_NIGHTS });
  }
  return bookings;
}
