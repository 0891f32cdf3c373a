import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import { unpackPeriods } from '../../../src/connectors/shared/calendars/night-periods.ts';
import { Listing } from '../../../src/connectors/shared/listings/listing.ts';
import { plainListing } from '../../support/plain-listing.ts';
import { csvOf } from '../../support/synthetic-city.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { oddText } from '../odd-values.ts';
import { listingRowsFrom, nightsFrom, plainLinesFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const VALID_LINES = [
  { type: 'header', format: 'staywire-plain', version: 1 },
  { type: 'property', ...plainListing },
  {
    type: 'calendar',
    property: plainListing.reference,
    periods: [
      { from: '2027-04-01', to: '2027-04-08', available: true, price: '80.00', minimum_stay: 2 },
      { from: '2027-04-08', to: '2027-05-01', available: false, maximum_stay: 30, closed_to_arrival: true },
    ],
  },
  {
    type: 'calendar',
    property: plainListing.reference,
    periods: [
      { from: '2027-05-01', to: '2027-06-01', available: true, closed_to_departure: true, price: '90' },
    ],
  },
];
const VALID_LISTINGS = csvOf([
  {
    id: '12345678901234567',
    name: 'A name\nover "two" lines',
    picture_url: 'https://a0.muscache.com/1.jpg',
    accommodates: '4',
    bathrooms_text: '1.5 shared baths',
    bedrooms: '2',
    amenities: '["Wifi", "Kitchen"]',
    review_scores_rating: '4.8',
    number_of_reviews: '31',
    minimum_nights: '2',
    maximum_nights: '1125',
    price: '$1,234.00',
  },
  {
    id: '2',
    name: 'Old',
    picture_url: 'x',
    accommodates: '1',
    amenities: '{TV,"Cable TV"}',
    review_scores_rating: '93',
  },
]);
const VALID_CALENDAR = csvOf(
  ['2027-04-01', '2027-04-02', '2027-04-03', '2027-06-01'].map((date) => ({
    listing_id: 'home',
    date,
    available: 't',
    price: '$1,234.00',
    minimum_nights: '2',
    maximum_nights: '1125',
  })),
);

const listing = Compile(Listing);

/** Files that an owner imports: the plain format, and the published tables of a city. */
export const imports: FuzzTarget = {
  name: 'imports',
  weight: 8,
  maxCpuMs: 60,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  random.pick([readLines, readListings, readCalendar])(random, timed);
}

function readLines(random: InputRandom, timed: Timed): void {
  const lines = VALID_LINES.map((line) =>
    random.oneIn(2) ? JSON.stringify(line) : spelledJson(mutatedJson(line, random), random),
  );
  const text = mutatedText(lines.join('\n'), random);
  const { items, calendars } = timed(() => plainLinesFrom(text), text.length);
  for (const item of items) {
    if (item.kind === 'refused_calendar') assert.ok(item.fault.reason.length > 0 && item.fault.line > 0);
  }
  for (const calendar of calendars) {
    if (calendar.kind === 'invalid') continue;
    let end = Number.NEGATIVE_INFINITY;
    for (const { from, to, minimumStay, price } of unpackPeriods(calendar.value)) {
      assert.ok(from >= end && to > from && minimumStay >= 1);
      assert.ok(Number.isNaN(price) || Number.isSafeInteger(price));
      end = to;
    }
  }
}

function readListings(random: InputRandom, timed: Timed): void {
  const text = mutatedText(VALID_LISTINGS, random);
  const piece = 1 + random.integer(text.length + 1);
  for (const row of timed(() => listingRowsFrom(text, piece), text.length) ?? []) {
    if (row.kind === 'valid') assert.ok(listing.Check(row.value.listing));
    else assert.ok(row.faults.every(({ reason }) => reason.length > 0 && reason.length < 300));
  }
}

function readCalendar(random: InputRandom, timed: Timed): void {
  const text = mutatedText(VALID_CALENDAR, random);
  const periods = timed(() => nightsFrom(text, 1 + random.integer(text.length + 1)), text.length);
  for (const { from, to, minimumStay } of periods ? unpackPeriods(periods) : []) {
    assert.ok(to > from && to - from <= 1100 && minimumStay >= 1);
  }
}

/** A text with a few signs left out, doubled or put in at random places. */
function mutatedText(text: string, random: InputRandom): string {
  let changed = text;
  for (let changes = random.integer(4); changes > 0; changes -= 1) {
    const [from, length] = [random.integer(changed.length + 1), random.integer(12)];
    const put = random.pick([
      '',
      '"',
      ',',
      '\n',
      '\r',
      '""',
      changed.slice(from, from + length),
      oddText(random),
    ]);
    changed = changed.slice(0, from) + put + changed.slice(from + random.integer(length + 1));
  }
  return changed;
}
