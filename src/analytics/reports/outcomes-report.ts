import type { Network } from '../../catalogue/catalogue.ts';
import type { BookingOutcome, QuotedThen } from '../../quotes/booking.ts';
import { parseDay } from '../../stay/day.ts';
import { isCurrency, toDecimal } from '../../stay/money.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { bucketOf } from '../count.ts';
import { bandCell, bandLabels, type Counts, LEAD_BANDS, shareOf, totalsBy } from './counts.ts';
import {
  type Cell,
  type Labelled,
  type NamedCell,
  type Report,
  type ReportNames,
  type ReportTable,
  type Tile,
  tilesOf,
} from './report.ts';
import { tableOf } from './tables.ts';

type OutcomesFacts = {
  readonly names: ReportNames;
  /** Limits the report to bookings of its homes. */
  readonly brand: string | null;
  /** The brands of the report. */
  readonly brands: readonly string[];
  readonly places: Network['places'];
  readonly counts: Counts<'lead_times'>;
  /** All bookings made in the range. */
  readonly bookings: readonly BookingOutcome[];
};

/** In thousandths, so that one absurd amount does not dominate the mean. */
const MAX_DIFFERENCE = 1000;

type QuotedBooking = BookingOutcome & { readonly quote: QuotedThen };

/** The bookings that operators have reported: whether prices were accurate, and which searches led to bookings. */
export function outcomesReport(facts: OutcomesFacts): Report {
  const { brand, names, bookings } = facts;
  const standing = bookings.filter(({ status }) => status === 'booked');
  const known = onePerQuote(standing.filter((one): one is QuotedBooking => one.quote !== null));
  return {
    id: 'outcomes',
    title: brand === null ? 'Outcomes' : `Outcomes: ${names.brand(brand).text}`,
    about:
      'Bookings that operators report, whether travellers paid what was quoted, and which searches led to them.',
    tiles: outcomeTiles(bookings, known),
    sections: [
      brandsTable(facts),
      amountsTable(facts),
      accuracyTable(known, names),
      ...conversionTables(facts, known),
    ],
  };
}

/** A quote is for one stay, so several reports of it are one sale. */
function onePerQuote(bookings: readonly QuotedBooking[]): readonly QuotedBooking[] {
  const seen = new Set<string | null>();
  return bookings.filter(({ nxq }) => nxq === null || (!seen.has(nxq) && seen.add(nxq)));
}

/** The meaning of each figure, shown with it. */
const NOTES = {
  bookings: 'By the time of booking; cancelled ones are among them.',
  known: 'The operator named a quote that was given for one of its homes.',
  unknown: 'They came from here, and nobody knows from which quote.',
  cancelled:
    'As the operator reported last. They are in the numbers before this one, in the bookings by brand and in columns of their own by currency, and count in nothing else.',
  share_equal:
    'Bookings whose amount is exactly the quoted one, of all with a known quote in the same currency.',
  mean_difference:
    'How much more (+) or less (-) than quoted was charged, in the mean; more than twice the quote counts as twice.',
  mean_wait: 'From the time at which the price was asked for to the booking.',
};

function outcomeTiles(
  bookings: readonly BookingOutcome[],
  quoted: readonly QuotedBooking[],
): readonly Tile[] {
  const { all, known, unknown, cancelled } = countsOf(bookings);
  const { compared, equal, mean } = accuracyOf(quoted);
  // At least 0, because the clocks of two companies differ.
  const waits = quoted.map(({ bookedAt, quote }) => Math.max(0, bookedAt - quote.retrievedAt));
  return tilesOf(NOTES, [
    ['bookings', 'Bookings reported', all],
    ['known', 'With a known quote', known],
    ['unknown', 'Without one', unknown],
    ['cancelled', 'Cancelled', cancelled],
    ['share_equal', 'Booked as quoted', shareOf(equal, compared)],
    ['mean_difference', 'Booked against quoted', mean],
    ['mean_wait', 'From quote to booking, mean', meanOfAll(waits)],
  ]);
}

function countsOf(bookings: readonly BookingOutcome[]) {
  const known = bookings.filter(({ quote }) => quote !== null).length;
  const cancelled = bookings.filter(({ status }) => status === 'cancelled').length;
  return { all: bookings.length, known, unknown: bookings.length - known, cancelled };
}

function meanOfAll(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** The largest number of the second column first. */
function ranked(rows: readonly (readonly [NamedCell, number, ...Cell[]])[]) {
  return rows.toSorted(
    ([oneHead, one], [otherHead, other]) => other - one || (oneHead.text < otherHead.text ? -1 : 1),
  );
}

/** Every brand, so that the owner sees which ones report none. */
function brandsTable({ bookings, brands, names }: OutcomesFacts): ReportTable {
  const byBrand = Map.groupBy(bookings, ({ brand }) => brand);
  const rows = [...new Set([...brands, ...byBrand.keys()])].map((brand) => {
    const { all, known, unknown, cancelled } = countsOf(byBrand.get(brand) ?? []);
    return [names.brand(brand), all, known, unknown, cancelled] as const;
  });
  const labelled = {
    ...{ brand: 'Brand', bookings: 'Bookings', known: 'With a quote', unknown: 'Without' },
    cancelled: 'Cancelled',
  };
  return tableOf('brands', 'Bookings by brand', labelled, ranked(rows), {
    note: 'By the time of booking; cancelled ones are among those with and without a quote. A brand with zeros has reported none in this time.',
    whenEmpty: 'There is no brand on this network yet. Connect one with: staywire connect BRAND',
  });
}

function amountsTable({ bookings, brand }: OutcomesFacts): ReportTable {
  const rows = [...Map.groupBy(bookings, ({ currency }) => currency)].map(([currency, some]): Cell[] => {
    const cells = (['booked', 'cancelled'] as const).flatMap((status) => {
      const these = some.filter((one) => one.status === status);
      const amount = these.reduce((sum, one) => sum + one.amount, 0);
      return [these.length, isCurrency(currency) ? toDecimal(amount, currency) : amount / 100];
    });
    return [currency, ...cells];
  });
  const labelled = {
    ...{ currency: 'Currency', bookings: 'Booked', amount: 'Amount' },
    ...{ cancelled: 'Cancelled', cancelled_amount: 'Amount cancelled' },
  };
  const inOrder = rows.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return tableOf('amounts', 'What was booked, by currency', labelled, inOrder, {
    note: 'What travellers were charged; of a cancelled booking that is what was reported last.',
    whenEmpty: `No operator has reported a booking in this time. Bring a list in with: staywire outcomes import FILE --brand ${brand ?? 'BRAND'}`,
  });
}

function accuracyOf(known: readonly QuotedBooking[]) {
  const same = known.filter(({ currency, quote }) => currency === quote.currency);
  const differences = same
    .filter(({ quote }) => quote.amount > 0)
    .map(({ amount, quote }) => Math.min(MAX_DIFFERENCE, ((amount - quote.amount) * 1000) / quote.amount));
  const equal = same.filter(({ amount, quote }) => amount === quote.amount).length;
  const more = same.filter(({ amount, quote }) => amount > quote.amount).length;
  return {
    ...{ compared: same.length, equal, more, less: same.length - equal - more },
    otherCurrency: known.length - same.length,
    /** In thousandths of the quoted amount. */
    mean: meanOfAll(differences),
  };
}

function accuracyTable(known: readonly QuotedBooking[], names: ReportNames): ReportTable {
  const rows = [...Map.groupBy(known, ({ brand }) => brand)].map(([brand, some]) => {
    const { compared, equal, more, less, otherCurrency, mean } = accuracyOf(some);
    const cells = [equal, shareOf(equal, compared), more, less, mean, otherCurrency];
    return [names.brand(brand), compared, ...cells] as const;
  });
  const labelled = {
    ...{ brand: 'Brand', compared: 'Compared', equal: 'As quoted', share_equal: 'Share as quoted' },
    ...{ more: 'Dearer', less: 'Cheaper', mean_difference: 'Mean difference' },
    other_currency: 'Other currency',
  };
  return tableOf('accuracy', 'Booked against quoted, by brand', labelled, ranked(rows), {
    note: 'Bookings that stand and whose quote is known, one for each quote; those in another currency than their quote are not compared.',
    whenEmpty: 'No booking with a known quote was reported in this time.',
  });
}

/** Stays are counted by the brand through which a session came, bookings by the brand of the home, so one brand has no meaningful share. */
function conversionTables(
  { brand, counts, names, places }: OutcomesFacts,
  booked: readonly QuotedBooking[],
): readonly ReportTable[] {
  const hasStays = brand === null;

  function table(
    id: string,
    title: string,
    head: Labelled,
    keyOf: (booking: QuotedBooking) => string,
    label: 'assistant' | 'place' | 'facet',
    cellOf: (key: string) => NamedCell,
  ): ReportTable {
    const stays = totalsBy(hasStays ? counts('lead_times') : [], (row) => row[label]);
    const byKey = Map.groupBy(booked, keyOf);
    const keys = new Set([...stays.keys(), ...byKey.keys()]);
    const found = [...keys].map((key) => ({
      key,
      stays: stays.get(key)?.count ?? 0,
      bookings: byKey.get(key)?.length ?? 0,
    }));
    const inOrder =
      label === 'facet'
        ? bandLabels(keys.size === 0 ? { ...LEAD_BANDS, bounds: [] } : LEAD_BANDS)
            .filter(() => keys.size > 0)
            .map((key) => found.find((one) => one.key === key) ?? { key, stays: 0, bookings: 0 })
        : found.toSorted(
            (one, other) =>
              other.bookings - one.bookings || other.stays - one.stays || (one.key < other.key ? -1 : 1),
          );
    const labelled = hasStays
      ? { ...head, stays: 'Stays asked', bookings: 'Bookings', share: 'Share booked' }
      : { ...head, bookings: 'Bookings' };
    return tableOf(
      id,
      title,
      labelled,
      inOrder.map(({ key, stays: asked, bookings }): Cell[] =>
        hasStays ? [cellOf(key), asked, bookings, shareOf(bookings, asked)] : [cellOf(key), bookings],
      ),
      {
        note: hasStays
          ? 'Bookings that stand and whose quote is known, of stays for which prices were asked, once for each session and stay; a stay of the last days may be booked later. Stays at operators that report no bookings count among the stays, so a share can be too low; “Bookings by brand” shows who reports none.'
          : 'Bookings that stand and whose quote is known.',
        whenEmpty: 'No price was asked for and no booking reported in this time.',
      },
    );
  }

  return [
    table(
      'by_assistant',
      'Bookings by assistant',
      { assistant: 'Assistant' },
      ({ quote }) => quote.assistant,
      'assistant',
      names.assistant,
    ),
    table(
      'by_place',
      'Bookings by place',
      { place: 'Place' },
      ({ quote }) => quote.place,
      'place',
      (place) => (place === '' ? { id: null, text: 'not known' } : names.place(place)),
    ),
    table(
      'by_lead_time',
      'Bookings by time before the arrival',
      { lead_time: 'Before the arrival' },
      (one) => leadOf(one, places),
      'facet',
      (label) => bandCell(label, LEAD_BANDS),
    ),
  ];
}

/** Days from the quote to the arrival, by the place's calendar, as for counted stays. */
function leadOf({ quote }: QuotedBooking, places: Network['places']): string {
  const zone = places.get(quote.place)?.timeZone ?? 'UTC';
  const arrival = parseDay(quote.checkIn);
  const days = arrival === undefined ? 0 : Math.max(0, arrival - todayIn(zone, quote.retrievedAt));
  return bucketOf(days, LEAD_BANDS.bounds);
}
