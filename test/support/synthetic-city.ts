import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatDay } from '../../src/stay/day.ts';
import { randomForInput } from '../fuzz/input-random.ts';

/** The column layouts of different years. */
export type CityLayout = 'old' | 'new';

export type SyntheticCity = { readonly listings: string; readonly calendar: string };

const NAMES = [
  'Plain flat',
  'Loft, “bright” & airy',
  'Two "quoted" words',
  'A name\nover two lines',
  'With, a comma',
  '  Blanks   within  ',
  'Ünïcödé 漢字 🏡',
  '<b>Bold</b> studio',
  '',
];
const AMENITIES = ['Wifi', 'Kitchen', 'Air conditioning', 'Free washer – In unit', 'A 55" TV', 'Moon view'];
const BATHS = ['1 bath', '1.5 shared baths', 'Half-bath', 'Shared half-bath', '2 baths', ''];
const DAYS = 120;

/** Writes `listings.csv.gz` and `calendar.csv.gz` of a city that nobody lives in. The same seed gives the same city. */
export async function writeSyntheticCity(
  folder: string,
  {
    layout,
    homes,
    firstDay,
    seed,
  }: {
    readonly layout: CityLayout;
    readonly homes: number;
    readonly firstDay: number;
    readonly seed: number;
  },
): Promise<SyntheticCity> {
  const random = randomForInput(seed, `city of the ${layout} layout`, 0);
  const listings: Record<string, string>[] = [];
  const nights: Record<string, string>[] = [];
  for (let index = 0; index < homes; index += 1) {
    const id = String(1_000_000_007 * (index + 1));
    const price = `$${(random.integer(12) + 1) * 100}.00`.replace(/\d(?=(?:\d{3})+\.)/g, '$&,');
    const minimum = random.pick([1, 1, 2, 3, 28]);
    const published = AMENITIES.filter(() => random.oneIn(2));
    listings.push({
      id,
      listing_url: index % 2 === 0 ? '' : `https://www.airbnb.com/rooms/${id}`,
      name: random.pick(NAMES),
      description: random.pick(['', 'Line one\r\nline "two", and more', ',,,']),
      picture_url: `https://a0.muscache.com/pictures/${index}.jpg`,
      neighbourhood_cleansed: random.pick(['OLD TOWN', 'Harbour, north', '']),
      property_type: random.pick(['Entire rental unit', 'Private room in home']),
      room_type: 'Entire home/apt',
      accommodates: String(1 + random.integer(8)),
      bathrooms: layout === 'old' ? '1.0' : '',
      bathrooms_text: random.pick(BATHS),
      bedrooms: random.pick(['', '0', '1', '3', '2.0']),
      beds: random.pick(['', '1', '4']),
      amenities:
        layout === 'old'
          ? `{${published.map((name) => `"${name.replaceAll('"', '\\"')}"`).join()}}`
          : JSON.stringify(published),
      price,
      minimum_nights: String(minimum),
      maximum_nights: '1125',
      number_of_reviews: random.pick(['0', '7']),
      review_scores_rating: random.pick(layout === 'old' ? ['', '93', '20'] : ['', '4.87', '5.0']),
      cancellation_policy: 'strict_14_with_grace_period',
      instant_bookable: random.pick(['t', 'f']),
    });
    let isFree = random.oneIn(2);
    for (let night = 0; night < DAYS; night += 1) {
      if (random.oneIn(9)) isFree = !isFree;
      nights.push({
        listing_id: id,
        date: formatDay(firstDay + night),
        available: isFree ? 't' : 'f',
        price: random.oneIn(4) || layout === 'new' ? '' : `$${90 + random.integer(60)}.50`,
        adjusted_price: '',
        minimum_nights: random.oneIn(5) ? '4' : String(minimum),
        maximum_nights: random.pick(['1125', '30']),
      });
    }
  }
  // Rows of a home usually follow each other, but nothing says that they do.
  if (layout === 'old') nights.sort((one, other) => ((one.date ?? '') < (other.date ?? '') ? -1 : 1));
  const left = layout === 'old' ? ['bathrooms_text'] : ['cancellation_policy', 'bathrooms'];
  const city = {
    listings: join(folder, 'harbour-town-listings.csv.gz'),
    calendar: join(folder, 'harbour-town-calendar.csv.gz'),
  };
  await writeFile(city.listings, gzipSync(csvOf(listings, left)));
  const withoutRules = layout === 'old' ? ['minimum_nights', 'maximum_nights', 'adjusted_price'] : [];
  await writeFile(city.calendar, gzipSync(csvOf(nights, withoutRules)));
  return city;
}

/** As RFC 4180 has it. */
export function csvOf(
  rows: readonly Readonly<Record<string, string>>[],
  leftOut: readonly string[] = [],
): string {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !leftOut.includes(name));
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((row) => columns.map((name) => cell(row[name] ?? '')).join());
  return `${[columns.join(), ...lines].join('\n')}\n`;
}
