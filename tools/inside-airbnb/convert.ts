import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { AmenityKey } from '../../src/catalogue/amenities.ts';
import { COMMON_AMENITY_NAMES, createAmenityMap } from '../../src/connectors/shared/listings/amenities.ts';
import { fileBytes } from '../../src/connectors/shared/plain/plain-file.ts';
import {
  type CalendarLine,
  MAX_CALENDAR_LINE_PERIODS,
  PLAIN_FORMAT,
  PLAIN_VERSION,
  type PropertyLine,
} from '../../src/connectors/shared/plain/plain-line.ts';
import { type CsvRow, createCsvTable } from '../../src/parsing/csv.ts';
import { type Day, formatDay, parseDay } from '../../src/stay/day.ts';
import { formatAmount, isCurrency, parseAmount } from '../../src/stay/money.ts';

const USAGE = `node tools/inside-airbnb/convert.ts LISTINGS CALENDAR --currency CODE [--city NAME] [--from YYYY-MM-DD] > homes.jsonl

Turns listings.csv and calendar.csv of one city and day, as Inside Airbnb publishes them (packed with gzip or not), into the plain
format that "staywire import plain" reads. --currency: of the prices, because the files write $ for any currency. --city: by the name
of the listings file if left out. --from: the day that the first night is moved to, today if left out.`;

const PAGES = 'https://www.airbnb.com/rooms/';
const NO_TERMS =
  'The imported file does not say how a booking can be cancelled. The terms are on the page of the home.';
const PRICE = /^[^\d\s.,+-]{0,3}\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,6})?$/;
const MAX_FILE_BYTES = 8 * 1024 ** 3;
const MAX_AMENITIES = 500;

type Period = {
  from: Day;
  to: Day;
  readonly isFree: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly price: string;
};

type Home = {
  readonly price: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly periods: Period[];
};

export type ConversionOptions = {
  readonly listings: string;
  readonly calendar: string;
  readonly currency: string;
  readonly city?: string | undefined;
  readonly from: Day;
  /** Called for each row that is left out. */
  readonly onFault: (fault: string) => void;
};

/** Yields the lines of a file in the plain format: all homes, then their calendars. */
export async function* convertCity({
  listings,
  calendar,
  currency,
  city = cityOfFile(listings),
  from,
  onFault,
}: ConversionOptions): AsyncGenerator<string> {
  const homes = new Map<string, Home>();
  yield JSON.stringify({
    type: 'header',
    format: PLAIN_FORMAT,
    version: PLAIN_VERSION,
    source: `Inside Airbnb: ${basename(listings)}, ${basename(calendar)}`.slice(0, 200),
  });
  for await (const row of rowsOf(listings, ['id', 'name', 'accommodates', 'picture_url'], onFault)) {
    const fault = faultOfListing(row, homes);
    if (fault !== null) {
      onFault(`${basename(listings)}:${row.line}: ${fault}`);
      continue;
    }
    homes.set(row.cell('id'), {
      price: row.cell('price'),
      minimum: wholeNumber(row.cell('minimum_nights')) || 1,
      maximum: wholeNumber(row.cell('maximum_nights')) ?? 0,
      periods: [],
    });
    yield JSON.stringify(propertyLine(row, city, currency));
  }
  let firstNight = Number.POSITIVE_INFINITY;
  const days = new Map<string, Day | undefined>();
  const readPrice = createPriceReader(currency);
  for await (const row of rowsOf(calendar, ['listing_id', 'date', 'available'], onFault)) {
    const home = homes.get(row.cell('listing_id'));
    if (!home) continue;
    const date = row.cell('date');
    if (!days.has(date)) days.set(date, parseDay(date));
    const fault = takeNight(row, home, days.get(date), readPrice);
    if (fault !== null) onFault(`${basename(calendar)}:${row.line}: ${fault}`);
    else firstNight = Math.min(firstNight, home.periods[0]?.from ?? firstNight);
  }
  for (const [reference, { periods }] of homes) {
    for (let at = 0; at < periods.length; at += MAX_CALENDAR_LINE_PERIODS) {
      const some = periods.slice(at, at + MAX_CALENDAR_LINE_PERIODS);
      yield JSON.stringify({
        type: 'calendar',
        property: reference,
        periods: some.map((period) => publishedPeriod(period, from - firstNight)),
      } satisfies CalendarLine);
    }
  }
}

type Row = CsvRow<string>;

/** Rows of a CSV file, whose columns are found by name because they differ from year to year. */
async function* rowsOf(
  path: string,
  required: readonly string[],
  onFault: (fault: string) => void,
): AsyncGenerator<Row> {
  const table = createCsvTable({ file: basename(path), required, faultOf: (reason) => reason });
  const decoder = new TextDecoder();
  const { chunks } = fileBytes(path, { maxBytes: MAX_FILE_BYTES, signal: new AbortController().signal });
  function* readable(rows: readonly Row[]): Generator<Row> {
    for (const row of rows) {
      if (row.fault === null) yield row;
      else onFault(`${basename(path)}:${row.line}: the row ${row.fault}`);
    }
  }
  for await (const chunk of chunks) yield* readable(table.push(decoder.decode(chunk, { stream: true })));
  yield* readable(table.push(decoder.decode()));
  yield* readable(table.end());
}

function faultOfListing({ cell }: Row, homes: ReadonlyMap<string, Home>): string | null {
  const guests = wholeNumber(cell('accommodates')) ?? 0;
  if (guests < 1 || guests > 100) return 'accommodates must be a whole number from 1 to 100';
  if (cell('picture_url') === '') return 'picture_url is empty: a home needs a picture';
  return homes.has(cell('id')) ? 'id was listed before; the first row counts' : null;
}

/** Adds one night to the periods of the home; returns the fault of a row that cannot be read. */
function takeNight(
  row: Row,
  home: Home,
  day: Day | undefined,
  readPrice: (text: string) => string | undefined,
): string | null {
  if (day === undefined) return 'date must be a day, YYYY-MM-DD';
  const available = row.cell('available');
  if (available !== 't' && available !== 'f') return 'available must be t or f';
  const [lowest, highest] = [row.cell('minimum_nights'), row.cell('maximum_nights')];
  const minimum = lowest === '' ? home.minimum : wholeNumber(lowest);
  const maximum = highest === '' ? home.maximum : wholeNumber(highest);
  if (!minimum || maximum === undefined) return 'minimum_nights and maximum_nights must be whole numbers';
  const price = readPrice(row.cell('price') || home.price);
  if (price === undefined) return 'price must be a price such as $1,234.00, no finer than its currency';
  const last = home.periods.at(-1);
  if (last && day < last.to) return 'date is not after the night before it';
  const isFree = available === 't';
  const isSame =
    last?.to === day &&
    last.isFree === isFree &&
    last.minimum === minimum &&
    last.maximum === maximum &&
    last.price === price;
  if (isSame) last.to += 1;
  else home.periods.push({ from: day, to: day + 1, isFree, minimum, maximum, price });
  return null;
}

/** Reads `$1,234.00` as `1234.00`, and a blank price as itself. */
function createPriceReader(currency: string): (text: string) => string | undefined {
  const known = new Map<string, string | undefined>([['', '']]);
  return (text) => {
    if (!known.has(text)) {
      const [, whole, fraction = ''] = PRICE.exec(text) ?? [];
      const amount = whole && parseAmount(whole.replaceAll(',', '') + fraction, currency);
      known.set(text, typeof amount === 'number' ? formatAmount(amount, currency) : undefined);
    }
    return known.get(text);
  };
}

function publishedPeriod(
  { from, to, isFree, minimum, maximum, price }: Period,
  shift: number,
): CalendarLine['periods'][number] {
  return {
    from: formatDay(from + shift),
    to: formatDay(to + shift),
    available: isFree,
    ...(minimum > 1 ? { minimum_stay: minimum } : {}),
    ...(maximum > 0 ? { maximum_stay: maximum } : {}),
    ...(price === '' ? {} : { price }),
  };
}

/** Words of the files besides our own labels and those of other booking systems, without what follows a colon or a dash. */
const AMENITY_WORDS: Readonly<Record<string, AmenityKey>> = {
  AC: 'air_conditioning',
  'Books and reading material': 'books',
  'Central air conditioning': 'air_conditioning',
  'Central heating': 'heating',
  'Dedicated workspace': 'workspace',
  'Drying rack for clothing': 'drying_rack',
  Elevator: 'lift',
  'Ethernet connection': 'wired_internet',
  'Exterior security cameras on property': 'security_cameras',
  'Fast wifi': 'wifi',
  'Free driveway parking on premises': 'free_parking',
  'Free dryer': 'dryer',
  'Free street parking': 'street_parking',
  'Free washer': 'washing_machine',
  HDTV: 'television',
  'Hot water kettle': 'kettle',
  Lockbox: 'key_box',
  'Outdoor playground': 'playground',
  'Paid parking off premises': 'paid_parking',
  'Paid parking on premises': 'paid_parking',
  'Portable fans': 'portable_fan',
  'Private backyard': 'garden',
  'Private BBQ grill': 'barbecue',
  'Shared backyard': 'garden',
  'Shared hot tub': 'hot_tub',
};
const mapAmenities = createAmenityMap({ ...COMMON_AMENITY_NAMES, ...AMENITY_WORDS }, { areNames: true });

function propertyLine({ cell }: Row, city: string, currency: string): PropertyLine {
  const reference = cell('id');
  const kind = cell('property_type') || cell('room_type') || 'Home';
  const name = (cell('name') || `${kind} in ${city}`).slice(0, 300);
  const neighbourhood = cell('neighbourhood_cleansed') || cell('neighbourhood_group_cleansed');
  const policy = cell('cancellation_policy').replaceAll('_', ' ').slice(0, 100);
  const rating = ratingOf(cell);
  return {
    type: 'property',
    reference,
    name,
    place: city,
    location: neighbourhood === '' ? city : `${neighbourhood}, ${city}`,
    max_guests: Number(cell('accommodates')),
    summary: summaryOf(cell, kind),
    bedrooms: wholeNumber(cell('bedrooms')) ?? null,
    bathrooms: bathroomsOf(cell) ?? null,
    amenities: mapAmenities(
      amenityNames(cell('amenities')).map((word) => word.replace(/(?:: | [–-] ).*/, '')),
    ).amenities,
    ...(rating === undefined ? {} : { rating }),
    cancellation: {
      summary:
        policy === '' ? NO_TERMS : `Cancellation policy: ${policy}. The terms are on the page of the home.`,
    },
    images: [{ url: cell('picture_url'), alt: name, type: 'other' }],
    url: cell('listing_url') || PAGES + encodeURIComponent(reference),
    currency,
    booking_mode: cell('instant_bookable') === 't' ? 'instant' : 'request',
  };
}

type Cell = Row['cell'];

/** `2`, `2.0`; undefined for anything else. */
function wholeNumber(text: string): number | undefined {
  return /^\d{1,10}(?:\.0+)?$/.test(text) ? Number(text) : undefined;
}

function summaryOf(cell: Cell, kind: string): string {
  const counted = (count: number | undefined, one: string) =>
    count === undefined || count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`];
  const bedrooms = wholeNumber(cell('bedrooms'));
  const baths = cell('bathrooms_text');
  return [
    kind,
    ...counted(wholeNumber(cell('accommodates')), 'guest'),
    ...(bedrooms === 0 ? ['studio'] : counted(bedrooms, 'bedroom')),
    ...counted(wholeNumber(cell('beds')), 'bed'),
    ...(baths === '' ? counted(bathroomsOf(cell), 'bath') : [baths.slice(0, 60)]),
  ].join(' · ');
}

/** Some years have a number, others only words, such as "1.5 shared baths" or "Half-bath". */
function bathroomsOf(cell: Cell): number | undefined {
  const words = cell('bathrooms_text');
  const [number] = /^\d{1,2}(?:\.\d+)?/.exec(cell('bathrooms') || words) ?? [];
  if (number !== undefined) return Number(number);
  return /\bhalf-bath\b/i.test(words) ? 0.5 : undefined;
}

/** Out of 100 until 2021, of 5 since. Null: not rated yet; undefined: not known. */
function ratingOf(cell: Cell): PropertyLine['rating'] | undefined {
  const score = Number(cell('review_scores_rating') || Number.NaN);
  const reviews = wholeNumber(cell('number_of_reviews'));
  if (reviews === 0) return null;
  if (!(score >= 0 && score <= 100)) return undefined;
  return { score, scale: score > 5 ? 100 : 5, review_count: reviews ?? null };
}

/** `["Wifi", "Kitchen"]`, or `{Wifi,"Air conditioning"}` in old files. */
function amenityNames(cell: string): readonly string[] {
  if (cell.startsWith('{')) {
    return [...cell.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,"]+)/g)]
      .slice(0, MAX_AMENITIES)
      .map(([, quoted, bare = '']) => (quoted?.replace(/\\(.)/g, '$1') ?? bare).trim());
  }
  try {
    const list: unknown = JSON.parse(cell);
    if (!Array.isArray(list)) return [];
    return list.slice(0, MAX_AMENITIES).filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}

/** `new-york-city-listings.csv.gz` gives New York City. */
export function cityOfFile(path: string): string {
  const words = basename(path)
    .replace(/\.(?:csv|gz)\b.*$/i, '')
    .replace(/[-_. ]*listings?[-_. ]*/i, ' ')
    .split(/[-_. ]+/)
    .filter((word) => /^\p{L}/u.test(word));
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Imported city';
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { currency: { type: 'string' }, city: { type: 'string' }, from: { type: 'string' } },
  });
  const [listings, calendar] = positionals;
  const from = parseDay(values.from ?? new Date().toISOString().slice(0, 10));
  const { currency, city } = values;
  if (!listings || !calendar || from === undefined || !isCurrency(currency ?? '')) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const onFault = (fault: string) => console.error(fault);
  for await (const line of convertCity({
    listings,
    calendar,
    currency: currency ?? '',
    city,
    from,
    onFault,
  })) {
    if (!process.stdout.write(`${line}\n`))
      await new Promise((resume) => process.stdout.once('drain', resume));
  }
}

if (import.meta.main) await main();
